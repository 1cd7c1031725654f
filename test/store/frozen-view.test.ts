import { expect, test } from 'vitest'
import { barListOf } from '../../src/domain/market/bar-list.ts'
import { createPictureStore, missedBehind, missedText, shownState } from '../../src/store/frozen-view.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { deskNowMs, deskState, unknownOrder } from '../fakes/desk-state.ts'
import { reckonedPositions } from '../fakes/worth.ts'
import { aDesk, startMs } from './desk.ts'

const laterMs = deskNowMs + 12_000

/** A desk whose picture was frozen, and then a fill and an unknown write came in. */
function frozenDesk() {
  const store = createDeskStore(deskState({ unknownWrites: [] }))
  store.dispatch({ type: 'pictureFrozen', atMs: deskNowMs })
  const before = store.getState()
  const [known] = before.fills.value ?? []
  if (known === undefined) throw new Error('a fill was expected')
  const fill = { ...known, execId: '99999', tradeId: '800000', orderId: '99' }
  store.dispatchAll([
    { type: 'fills', fills: [fill, ...(before.fills.value ?? [])], atMs: laterMs },
    { type: 'writeUnknown', write: unknownOrder, atMs: laterMs },
    { type: 'orders', orders: [], atMs: laterMs },
    { type: 'ticked', nowMs: laterMs },
  ])
  return { store, before }
}

test('a frozen picture keeps its data and its time, while the desk goes on behind it', () => {
  const { store, before } = frozenDesk()
  const shown = shownState(store.getState())
  for (const name of ['orders', 'fills', 'books', 'tickers', 'unknownWrites', 'log', 'nowMs'] as const)
    expect(shown[name]).toBe(before.picture.kind === 'frozen' ? before.picture.shown[name] : undefined)
  expect(store.getState().orders.value).toEqual([])
  expect(store.getState().nowMs).toBe(laterMs)
})

test('what came in behind it is counted, and told when it goes on', () => {
  const { store } = frozenDesk()
  expect(missedBehind(store.getState())).toEqual({ fills: 1, unknown: 1 })
  store.dispatch({ type: 'pictureWentOn', atMs: laterMs })
  expect(store.getState().notice?.text).toBe('Screen live again after 12 s: 1 fill, 1 unanswered write meanwhile.')
  expect(shownState(store.getState())).toBe(store.getState())
  expect(missedBehind(store.getState())).toEqual({ fills: 0, unknown: 0 })
})

test.each([
  [{ fills: 0, unknown: 0 }, ''],
  [{ fills: 2, unknown: 0 }, '2 fills'],
  [{ fills: 1, unknown: 3 }, '1 fill, 3 unanswered writes'],
])('%o is told as "%s"', (missed, text) => {
  expect(missedText(missed)).toBe(text)
})

test('what the person does goes on in a frozen picture: focus, cursor, lists, mode', () => {
  const { store } = frozenDesk()
  store.dispatch({ type: 'paneFocused', pane: 'orders' })
  store.dispatch({ type: 'cursorMoved', rows: 1, atMs: laterMs })
  store.dispatch({ type: 'tableChanged', pane: 'orders', change: { selectedKey: '9912017' } })
  store.dispatch({ type: 'modeChanged', mode: { kind: 'SAFE' }, atMs: laterMs })
  const state = store.getState()
  const shown = shownState(state)
  expect(state.picture.kind).toBe('frozen')
  for (const name of ['focus', 'ladder', 'tables', 'mode'] as const) expect(shown[name]).toBe(state[name])
})

test('the same state is shown as the same picture, so that nothing is drawn twice', () => {
  const { store } = frozenDesk()
  const pictures = createPictureStore(store)
  expect(pictures.getState()).toBe(pictures.getState())
  const { fills } = pictures.getState()
  store.dispatch({ type: 'ticked', nowMs: laterMs + 500 })
  expect(pictures.getState().fills).toBe(fills)
})

test.each([
  ['begins an order', { type: 'cancelSent', orderId: '9912041', atMs: laterMs }],
  ['takes one back', { type: 'cancelAllSent', symbol: null, atMs: laterMs }],
  ['goes to another symbol', { type: 'symbolChosen', symbol: 'ETH-USD', atMs: laterMs }],
] as const)('whoever %s sees the market as it is', (_, event) => {
  const { store } = frozenDesk()
  store.dispatch(event)
  expect(store.getState().picture.kind).toBe('moving')
})

test('a ticket opens on the market as it is, never on a frozen one', () => {
  const { store, commands } = aDesk()
  commands.toggleFreeze()
  expect(store.getState().picture.kind).toBe('frozen')
  commands.openTicket('BUY')
  expect(store.getState().ticket).not.toBeNull()
  expect(store.getState().picture.kind).toBe('moving')
})

test('a frozen scale stays where it is, however long nobody touches it', () => {
  const { store, commands } = aDesk()
  commands.moveCursor(40)
  commands.toggleFreeze()
  const { centerPrice } = store.getState().ladder
  store.dispatch({ type: 'ticked', nowMs: startMs + 3_600_000 })
  expect(store.getState().ladder.centerPrice).toBe(centerPrice)
})

test('layouts are walked in their order, over those that do not fit, and named', () => {
  const { store, commands } = aDesk()
  const seen: string[] = []
  store.dispatch({ type: 'resized', screen: { ...store.getState().screen, layouts: ['trade', 'lists', 'monitor'] } })
  for (let times = 0; times < 3; times += 1) {
    commands.nextLayout()
    seen.push(store.getState().view.layout)
  }
  expect(seen).toEqual(['lists', 'monitor', 'trade'])
  expect(store.getState().notice?.text).toBe('Layout trade. There are also lists, monitor.')
  commands.chooseLayout('ladders')
  expect(store.getState().view.layout).toBe('trade')
  expect(store.getState().notice?.text).toBe('The layout ladders does not fit a terminal of 80x24: make it larger.')
})

test('the lists come with the focus on the orders, not with the ladder in front of them', () => {
  const { store, commands } = aDesk()
  store.dispatch({ type: 'resized', screen: { ...store.getState().screen, layouts: ['trade', 'lists'] } })
  commands.nextLayout()
  expect(store.getState().focus).toBe('orders')
  commands.focusPane('log')
  commands.nextLayout()
  commands.nextLayout()
  expect(store.getState().focus).toBe('log')
})

test('where only one layout fits, the key says so', () => {
  const { store, commands } = aDesk()
  commands.nextLayout()
  expect(store.getState().notice?.text).toBe('No other layout fits this terminal.')
})

test('another layout shows all its panes; a reset takes back layout, zoom and columns', () => {
  const { store, commands } = aDesk()
  store.dispatch({ type: 'resized', screen: { ...store.getState().screen, layouts: ['trade', 'lists'] } })
  commands.toggleZoom()
  expect(store.getState().view).toEqual({ layout: 'trade', isZoomed: true })
  commands.nextLayout()
  expect(store.getState().view).toEqual({ layout: 'lists', isZoomed: false })
  store.dispatch({ type: 'tableChanged', pane: 'orders', change: { hiddenColumns: ['age'] } })
  commands.resetSession()
  expect(store.getState().view).toEqual({ layout: 'trade', isZoomed: false })
  expect(store.getState().tables.views.orders.hiddenColumns).toEqual([])
})

test('whoever looks at a frozen picture is told of what the person does, and of nothing that goes on behind it', () => {
  const { store } = frozenDesk()
  const pictures = createPictureStore(store)
  const told: string[] = []
  const stop = pictures.subscribe((shown) => told.push(shown.focus))
  const { focus } = store.getState()
  store.dispatch({ type: 'ticked', nowMs: laterMs + 500 })
  store.dispatch({ type: 'orders', orders: [], atMs: laterMs + 500 })
  expect(told).toEqual([])
  store.dispatch({ type: 'paneFocused', pane: 'orders' })
  expect(told).toEqual(['orders'])
  expect(pictures.getState()).toBe(pictures.getState())
  store.dispatch({ type: 'paneFocused', pane: focus })
  store.dispatch({ type: 'pictureWentOn', atMs: laterMs + 1_000 })
  store.dispatch({ type: 'ticked', nowMs: laterMs + 1_500 })
  expect(told).toEqual(['orders', focus, focus, focus])
  stop()
})

test('what the person chooses to be shown of the account changes in a frozen picture too, from its own data', () => {
  const { store } = frozenDesk()
  const shown = () => shownState(store.getState())
  const { positions } = shown()
  store.dispatch({ type: 'positionsReckoned', reckoned: reckonedPositions, atMs: laterMs })
  expect(shown().positions).toEqual(positions)
  store.dispatch({ type: 'positionsBasisToggled' })
  store.dispatch({ type: 'positionsGroupingToggled' })
  store.dispatch({ type: 'accountShown', account: null })
  store.dispatch({ type: 'equitySpanChanged', step: 1 })
  expect(shown().positions).toEqual({ ...positions, basis: 'touch', grouping: 'symbol' })
  expect([shown().shownAccount, shown().equitySpan]).toEqual([null, 'week'])
  expect(shown().orders.value).not.toEqual([])
  // What comes in meanwhile draws nothing anew.
  const before = shown()
  store.dispatch({ type: 'positionsReckoned', reckoned: { ...reckonedPositions, positions: [] }, atMs: laterMs })
  expect(shown()).toBe(before)
})

test('with an order open the screen is not frozen: its checks and prices are those of now', () => {
  const desk = aDesk()
  desk.commands.openTicket('BUY', 'join')
  desk.commands.toggleFreeze()
  expect(desk.store.getState().picture.kind).toBe('moving')
  expect(desk.store.getState().notice?.text).toBe('Not frozen: an order is open, which needs live data.')
  desk.commands.backFromTicket()
  desk.commands.toggleFreeze()
  expect(desk.store.getState().picture.kind).toBe('frozen')
})

test('the recorded bars that are read where a frozen chart goes are shown', () => {
  const { store } = frozenDesk()
  const wanted = { symbol: 'BTC-USD', lengthMs: 60_000, fromMs: 0, toMs: deskNowMs }
  const older = { ...wanted, firstMs: null, list: barListOf([]) }
  store.dispatch({ type: 'olderBarsRead', older })
  expect(shownState(store.getState()).olderBars).toBe(older)
})
