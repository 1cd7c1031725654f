import { Text } from 'ink'
import { render } from 'ink-testing-library'
import { expect, onTestFinished, test } from 'vitest'
import { createCommands } from '../../../src/store/commands.ts'
import type { Feed } from '../../../src/store/feeds/feed.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { ConsoleProvider, useFeed, useStaleTime } from '../../../src/ui/text/desk-context.ts'
import { readTheme } from '../../../src/ui/text/theme.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { eventually } from '../../fakes/eventually.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { quietPort } from '../../fakes/quiet-port.ts'

type Drawn = { feed: Feed<unknown>; nowMs: number }

function Pane({ drawn }: { drawn: Drawn[] }) {
  const feed = useFeed('orders', (state) => state.orders)
  drawn.push({ feed, nowMs: useStaleTime([feed]) })
  return <Text>{drawn.length}</Text>
}

/** What a pane that lists own orders is given, each time it is asked to draw. */
function watched() {
  const store = createDeskStore(deskState())
  const commands = createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined })
  const drawn: Drawn[] = []
  const context = { store, commands, theme: readTheme({ NO_COLOR: '1', LANG: 'C.UTF-8' }) }
  const view = render(
    <ConsoleProvider value={context}>
      <Pane drawn={drawn} />
    </ConsoleProvider>,
  )
  onTestFinished(() => view.unmount())
  const settled = (count: number) => eventually(() => expect(view.lastFrame()).toBe(String(count)))
  return { store, drawn, settled }
}

test('an answer that says what the one before said does not ask the pane to draw', async () => {
  const { store, drawn, settled } = watched()
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
  await settled(2)
  expect(drawn.map(({ feed }) => feed.value)).toEqual([orders, []])
  expect(drawn.map(({ feed, nowMs }) => [feed.atMs, nowMs])).toEqual([
    [null, 0],
    [null, 0],
  ])
})

test('what is old has its age, and draws it as time passes', async () => {
  const { store, drawn, settled } = watched()
  const { atMs } = store.getState().orders
  const oldMs = deskNowMs + 60_000
  store.dispatch({ type: 'ticked', nowMs: oldMs })
  await settled(2)
  expect(drawn.at(-1)).toMatchObject({ feed: { atMs }, nowMs: oldMs })
  store.dispatch({ type: 'ticked', nowMs: oldMs + 500 })
  await settled(3)
  expect(drawn.at(-1)?.nowMs).toBe(oldMs + 500)
})
