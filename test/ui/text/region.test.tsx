import { render } from 'ink-testing-library'
import { expect, onTestFinished, test } from 'vitest'
import { createCommands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import type { Feed } from '../../../src/store/feeds/feed.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import type { ScreenRegion } from '../../../src/ui/terminal/screen/picture.ts'
import { ConsoleProvider, shownFeed, staleTime } from '../../../src/ui/text/desk-context.ts'
import { Region } from '../../../src/ui/text/region.tsx'
import { type Row, span } from '../../../src/ui/text/row.ts'
import { readTheme } from '../../../src/ui/text/theme.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { quietPort } from '../../fakes/quiet-port.ts'

type Source = { feed: Feed<unknown>; nowMs: number }

function select({ orders, nowMs }: DeskState): Source {
  const feed = shownFeed(orders, 'orders', nowMs)
  return { feed, nowMs: staleTime([feed], nowMs) }
}

/** A region that is shown what a pane of own orders is made from, as text or where regions draw themselves. */
function watched(kind: 'text' | 'cells', rowsOf: (source: Source) => readonly Row[] = () => [[span('row')]]) {
  const store = createDeskStore(deskState())
  const commands = createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined })
  const made: Source[] = []
  const rows = (source: Source) => {
    made.push(source)
    return rowsOf(source)
  }
  const known = new Set<ScreenRegion>()
  const regions = {
    add(region: ScreenRegion) {
      known.add(region)
      return () => known.delete(region)
    },
    // As the screen does once a turn.
    changed: () => [...known].map((region) => region.lines()),
    moved: () => undefined,
  }
  const theme = readTheme({ NO_COLOR: '1', LANG: 'C.UTF-8' })
  const view = render(
    <ConsoleProvider value={{ store, commands, theme, regions: kind === 'cells' ? regions : null }}>
      <Region width={8} height={2} select={select} rows={rows} />
    </ConsoleProvider>,
  )
  onTestFinished(() => view.unmount())
  for (const region of known) region.lines()
  return { store, made, view, known }
}

test.each(['text', 'cells'] as const)(
  'an answer that says what the one before said makes no rows (%s)',
  async (kind) => {
    const { store, made } = watched(kind)
    const orders = store.getState().orders.value ?? []
    for (let count = 1; count <= 5; count += 1) {
      const atMs = deskNowMs + count * 1_000
      store.dispatchAll([
        { type: 'orders', orders, atMs },
        { type: 'ticked', nowMs: atMs },
      ])
      await settle()
    }
    store.dispatch({ type: 'orders', orders: [], atMs: deskNowMs + 6_000 })
    await settle()
    expect(made.map(({ feed }) => feed.value)).toEqual([orders, []])
    expect(made.map(({ feed, nowMs }) => [feed.atMs, nowMs])).toEqual([
      [null, 0],
      [null, 0],
    ])
  },
)

test.each(['text', 'cells'] as const)('what is old has its age, and rows as time passes (%s)', async (kind) => {
  const { store, made } = watched(kind)
  const { atMs } = store.getState().orders
  const oldMs = deskNowMs + 60_000
  store.dispatch({ type: 'ticked', nowMs: oldMs })
  await settle()
  expect(made.at(-1)).toMatchObject({ feed: { atMs }, nowMs: oldMs })
  store.dispatch({ type: 'ticked', nowMs: oldMs + 500 })
  await settle()
  expect(made.at(-1)?.nowMs).toBe(oldMs + 500)
})

test('a row that says what it said is the very same line; one that is missing is blank, one too many left out', () => {
  const rowsOf = ({ nowMs }: Source): Row[] => [[span('same')], [span(String(nowMs))], [span('too many')]]
  const { store, known } = watched('cells', rowsOf)
  const [region] = known
  if (region === undefined) throw new Error('no region')
  const before = region.lines()
  store.dispatch({ type: 'ticked', nowMs: deskNowMs + 60_000 })
  const after = region.lines()
  expect(after).toHaveLength(2)
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[1])
  expect(region.lines()).toBe(after)
})

test('a region that is gone is drawn no more', () => {
  const { view, known } = watched('cells')
  expect(known.size).toBe(1)
  view.unmount()
  expect(known.size).toBe(0)
})

test.each(['text', 'cells'] as const)('rows that cannot be made end the screen with the error (%s)', async (kind) => {
  const { store, view, known } = watched(kind, ({ nowMs }) => {
    if (nowMs > 0) throw new Error('no rows today')
    return []
  })
  store.dispatch({ type: 'ticked', nowMs: deskNowMs + 60_000 })
  for (const region of known) region.lines()
  await settle()
  expect(view.frames.join('')).toContain('no rows today')
})
