import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDeskSession } from '../../../src/desk/account/session.ts'
import type { KeptSession } from '../../../src/domain/desk/session.ts'
import { sessionPath } from '../../../src/state-files/session-file.ts'
import type { DeskState, DeskStore } from '../../../src/store/desk.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { keptSession } from '../../../src/store/kept-session.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { deskNowMs, deskState, instrumentFrom } from '../../fakes/desk-state.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { aDraft } from '../../fakes/orders.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitdesk-desk-session-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const usual = {
  profileName: 'practice',
  exchange: { kind: 'own' },
  venueKind: 'practice',
  symbol: 'BTC-USD',
  layout: null,
  askedLayout: null,
  theme: null,
} as const
type Given = Partial<Parameters<typeof openDeskSession>[0]['settings']> & {
  isFresh?: boolean
  state?: Partial<DeskState>
}

/** A desk that begins, and its session. */
async function begin({ isFresh = false, state = {}, ...settings }: Given = {}) {
  const clock = new FakeClock(deskNowMs)
  const session = await openDeskSession({
    settings: { ...usual, ...settings },
    io: { environment: { HOME: folder, XDG_STATE_HOME: folder } },
    tools: { clock },
    isFresh,
  })
  const store = createDeskStore(deskState({ symbol: session.symbol, ...state }))
  session.attach(store)
  return { clock, session, store, stop: session.stop }
}

function arrange(store: DeskStore): void {
  store.dispatch({ type: 'symbolChosen', symbol: 'ETH-USD', atMs: deskNowMs })
  store.dispatch({ type: 'layoutChosen', layout: 'chart' })
  store.dispatch({ type: 'zoomToggled' })
  store.dispatch({ type: 'groupChanged', step: 1, atMs: deskNowMs })
  store.dispatch({ type: 'themeChosen', name: 'light' })
  store.dispatch({ type: 'chartChanged', change: { style: 'line', length: '4h', width: 2, endMs: 1, markMs: 0 } })
  store.dispatch({ type: 'tableChanged', pane: 'orders', change: { hiddenColumns: ['age'], filter: 'btc' } })
}

const looksOf = (store: DeskStore): KeptSession => keptSession(store.getState())

test('a desk begins where the last one of its profile left off', async () => {
  const first = await begin()
  arrange(first.store)
  await first.stop()
  const second = await begin()
  expect(looksOf(second.store)).toEqual(looksOf(first.store))
  expect(looksOf(second.store)).toMatchObject({ layout: 'chart', isZoomed: true, symbol: 'ETH-USD', theme: 'light' })
  // Where the chart looks is now again.
  const chart = { style: 'line', length: '4h', width: 2, endMs: null, markMs: null }
  expect(second.store.getState().chart).toMatchObject(chart)
  expect(second.store.getState().tables.views.orders).toMatchObject({ hiddenColumns: ['age'], filter: '' })
  await second.stop()
  const other = await begin({ profileName: 'main' })
  expect(looksOf(other.store)).toMatchObject({ layout: 'trade', symbol: 'BTC-USD' })
  await other.stop()
})

test('a desk that begins on the wall shows it, whatever was zoomed when the last one ended', async () => {
  const first = await begin()
  arrange(first.store)
  first.store.dispatch({ type: 'layoutChosen', layout: 'monitor' })
  first.store.dispatch({ type: 'zoomToggled' })
  await first.stop()
  const second = await begin()
  expect(second.store.getState().view).toEqual({ layout: 'monitor', isZoomed: false })
  await second.stop()
})

test('the mode and what is typed are never part of it', async () => {
  const first = await begin()
  first.store.dispatch({ type: 'modeChanged', mode: { kind: 'ARMED' }, atMs: deskNowMs })
  await first.stop()
  const second = await begin({ state: { mode: { kind: 'SAFE' } } })
  expect(second.store.getState().mode.kind).toBe('SAFE')
  expect(second.store.getState().ticket).toBeNull()
  await second.stop()
})

test('a change is kept a second later, several at once, and without waiting for the end', async () => {
  const first = await begin()
  arrange(first.store)
  await first.clock.advance(1_100)
  await eventually(async () => expect(looksOf((await begin()).store).layout).toBe('chart'))
  await first.stop()
})

test('a session that cannot be kept does not hide that an order was not sent', async () => {
  const { clock, store, stop } = await begin()
  await clock.advance(1_000)
  rmSync(folder, { recursive: true, force: true })
  writeFileSync(folder, '')
  const reason = 'the disk is full'
  arrange(store)
  store.dispatch({ type: 'orderNotSent', draft: aDraft(), reason, atMs: clock.now() })
  await clock.advance(2_000)
  await eventually(() => expect(store.getState().log.at(-1)?.text).toMatch(/^Not kept, .*: the last session in /))
  expect(store.getState().notice?.text).toBe('Not sent: the disk is full. Nothing was placed.')
  await stop()
})

test('a session that could not be kept is kept by the end of the desk, where the disk takes it by then', async () => {
  const { clock, store, stop } = await begin()
  await clock.advance(1_000)
  rmSync(folder, { recursive: true, force: true })
  writeFileSync(folder, '')
  arrange(store)
  await clock.advance(2_000)
  await eventually(() => expect(store.getState().log.at(-1)?.text).toMatch(/^Not kept, .*: the last session in /))
  rmSync(folder)
  await stop()
  expect(looksOf((await begin()).store).layout).toBe('chart')
})

test('a desk that ends while its session is being kept waits for that', async () => {
  const { clock, store, stop } = await begin()
  arrange(store)
  await clock.advance(1_000)
  await stop()
  expect(looksOf((await begin()).store).layout).toBe('chart')
})

test('a setting that was changed since counts before the session; one that is as it was does not', async () => {
  const first = await begin()
  arrange(first.store)
  await first.stop()
  const second = await begin({ symbol: 'SOL-USD', theme: 'mono' })
  expect(looksOf(second.store)).toMatchObject({ symbol: 'SOL-USD', layout: 'chart', groupTicks: 1, theme: 'mono' })
  await second.stop()
})

test('a layout that is set is the first one, and --fresh begins without the last session', async () => {
  const first = await begin({ layout: 'lists' })
  expect(looksOf(first.store).layout).toBe('lists')
  arrange(first.store)
  await first.stop()
  const fresh = await begin({ layout: 'lists', isFresh: true })
  expect(looksOf(fresh.store)).toMatchObject({ layout: 'lists', symbol: 'BTC-USD', isZoomed: false })
  await fresh.stop()
})

test('a damaged session is a sentence and the defaults', async () => {
  await (await begin()).stop()
  writeFileSync(sessionPath(join(folder, 'pitdesk'), 'practice'), '{"version":1')
  const desk = await begin()
  expect(desk.store.getState().notice?.text).toContain('is damaged: the last session cannot be read')
  expect(looksOf(desk.store)).toMatchObject({ layout: 'trade', symbol: 'BTC-USD' })
  await desk.stop()
})

test('a symbol that is not listed any more gives way, with a sentence', async () => {
  const first = await begin()
  arrange(first.store)
  await first.stop()
  const { store, stop } = await begin()
  const only = instrumentFrom({ symbol: 'BTC-USD', tick: '0.5', lot: '0.1', priceScale: 1, quantityScale: 1 })
  const { instruments } = { instruments: new Map([['BTC-USD', only]]) }
  store.dispatch({ type: 'instruments', instruments, atMs: deskNowMs })
  expect(store.getState().symbol).toBe('BTC-USD')
  expect(store.getState().notice?.text).toBe(
    'The last session showed ETH-USD, which the exchange does not list: BTC-USD instead.',
  )
  await stop()
})

test('a base that is set for a symbol is the symbol a sentence would take it for, and a wrong name is told with the nearest', async () => {
  const ltc = anInstrument({ symbol: 'LTC-USD', base: 'LTC' })
  const all = [anInstrument(), ltc, anInstrument({ symbol: 'LTC-EUR', base: 'LTC', counter: 'EUR' })]
  const instruments = new Map(all.map((each) => [each.symbol, each]))
  const listed = { type: 'instruments', instruments, atMs: deskNowMs } as const
  const told = async (symbol: string) => {
    const desk = await begin({
      symbol,
      isFresh: true,
      state: { instruments: { value: null, atMs: null, failure: null } },
    })
    desk.store.dispatch(listed)
    await desk.stop()
    const { symbol: shown, notice } = desk.store.getState()
    return [shown, notice?.text]
  }
  expect(await told('LTC')).toEqual(['LTC-USD', 'The exchange does not list LTC: LTC-USD instead.'])
  expect(await told('LTCUSD')).toEqual(['LTC-USD', 'The exchange does not list LTCUSD: LTC-USD instead.'])
  expect(await told('LTC-USF')).toEqual([
    'LTC-USF',
    'The exchange does not list LTC-USF, did you mean "LTC-USD"? g chooses a symbol.',
  ])
  expect(await told('FOO')).toEqual(['FOO', 'The exchange does not list FOO. g chooses a symbol.'])
  expect((await told('BTC-USD'))[0]).toBe('BTC-USD')
})

test('names that the desk does not know are passed over', async () => {
  const store = createDeskStore(deskState({ instruments: arrived(new Map(), deskNowMs) }))
  const session = {
    ...keptSession(store.getState()),
    layout: 'spiral',
    theme: 'plaid',
    tables: { nothing: { sort: null, hiddenColumns: [] } },
  }
  store.dispatch({ type: 'sessionRestored', session })
  expect(keptSession(store.getState())).toMatchObject({ layout: 'trade', theme: store.getState().looks.theme })
})

test('the welcome stands on the first start of a practice desk only, whatever was done there, and never on a real one', async () => {
  const first = await begin()
  expect(first.store.getState().notice?.text).toContain('Play money, your own exchange')
  await first.stop()
  for (const isFresh of [false, true]) {
    const next = await begin({ isFresh })
    expect(next.store.getState().notice?.text).not.toContain('Play money')
    await next.stop()
  }
  const live = await begin({
    profileName: 'main',
    venueKind: 'live',
    state: { venue: { profileName: 'main', kind: 'live' } },
  })
  expect(live.store.getState().notice?.text).not.toContain('Play money')
  await live.stop()
})

test('where a profile calls an address practice the welcome says so, and which address: nobody here knows its money', async () => {
  const exchange = { kind: 'service', baseUrl: 'https://venue.example/v3', token: null } as const
  const desk = await begin({ profileName: 'paper', exchange })
  const text = desk.store.getState().notice?.text ?? ''
  expect(text).toContain('https://venue.example/v3 is practice by its profile: nobody can check that.')
  expect(text).not.toMatch(/play money|your own/i)
  await desk.stop()
})

test('a wall that a flag asks for is there whatever was left, and leaves what was kept as it was', async () => {
  const first = await begin()
  arrange(first.store)
  await first.stop()
  const kept = looksOf(first.store)
  expect(kept).toMatchObject({ layout: 'chart', isZoomed: true, symbol: 'ETH-USD' })
  const wall = await begin({ askedLayout: 'monitor' })
  expect(looksOf(wall.store)).toMatchObject({ layout: 'monitor', isZoomed: false })
  wall.store.dispatch({ type: 'symbolRotated', symbol: 'SOL-USD', atMs: deskNowMs })
  wall.store.dispatch({ type: 'paneFocused', pane: 'orders' })
  await wall.clock.advance(2_000)
  await wall.stop()
  expect(looksOf((await begin()).store)).toEqual(kept)
})

test('another layout that a flag asks for is of that run; what else is looked at is kept', async () => {
  const asked = await begin({ askedLayout: 'lists' })
  expect(looksOf(asked.store)).toMatchObject({ layout: 'lists', isZoomed: false })
  asked.store.dispatch({ type: 'symbolChosen', symbol: 'ETH-USD', atMs: deskNowMs })
  asked.store.dispatch({ type: 'zoomToggled' })
  await asked.stop()
  const plain = await begin()
  expect(looksOf(plain.store)).toMatchObject({ layout: 'trade', isZoomed: false, symbol: 'ETH-USD' })
  await plain.stop()
  // What a person then chooses by a key is kept as ever.
  const changed = await begin({ askedLayout: 'monitor' })
  changed.store.dispatch({ type: 'layoutChosen', layout: 'chart' })
  await changed.stop()
  expect(looksOf((await begin()).store).layout).toBe('chart')
})

test.each([
  ['ladders', 80, ['trade'], 'The layout ladders does not fit a terminal of 80x24: make it larger.'],
  ['ladders', 160, ['trade', 'ladders'], null],
] as const)(
  'a layout %s that a flag asked for is told of at %i columns only where it has no room',
  async (asked, columns, layouts, text) => {
    const { store, stop } = await begin({ askedLayout: asked, venueKind: 'live' })
    const { screen } = store.getState()
    const before = store.getState().notice?.text ?? null
    store.dispatch({ type: 'resized', screen: { ...screen, columns, rows: 24, layouts } })
    expect(store.getState().notice?.text ?? null).toBe(text ?? before)
    // Told once: whoever makes the window smaller later sees what happens.
    const told = store.getState().log.length
    store.dispatch({ type: 'resized', screen: { ...screen, columns: 80, rows: 24, layouts: ['trade'] } })
    expect(store.getState().log).toHaveLength(told)
    await stop()
  },
)
