import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StoreEvent } from '../../../src/store/desk.ts'
import { isAuctionShown } from '../../../src/store/feed-needs.ts'
import { ladderWants } from '../../../src/store/ladder-wants.ts'
import { aBook } from '../../fakes/books.ts'
import { anOrder } from '../../fakes/orders.ts'
import { aDesk, type Desk, startMs } from '../desk.ts'

/** A desk whose screen has room for both ladders. */
function aWideDesk(): Desk {
  const desk = aDesk()
  const { screen } = desk.store.getState()
  desk.store.dispatch({ type: 'resized', screen: { ...screen, visiblePanes: ['ladder', 'ladder2', 'orders'] } })
  desk.wait(100)
  return desk
}
const ethBook = (bid: string, ask: string): StoreEvent => ({
  type: 'book',
  symbol: 'ETH-USD',
  book: aBook([[bid, '1']], [[ask, '1']], 'ETH-USD'),
  atMs: startMs,
})

test('the second ladder takes the next listed symbol, and its book and level 3 are asked for while they are shown', () => {
  const { store, commands } = aWideDesk()
  expect(store.getState().symbol2).toBe('ETH-USD')
  expect(ladderWants(store.getState())).toEqual({ otherBook: 'ETH-USD', queue: null, otherQueue: null })
  commands.toggleLadderView()
  commands.focusPane('ladder2')
  commands.toggleLadderView()
  expect(ladderWants(store.getState())).toEqual({ otherBook: 'ETH-USD', queue: 'BTC-USD', otherQueue: 'ETH-USD' })
  const { screen } = store.getState()
  store.dispatch({ type: 'resized', screen: { ...screen, visiblePanes: ['ladder'] } })
  expect(ladderWants(store.getState())).toEqual({ otherBook: null, queue: 'BTC-USD', otherQueue: null })
  expect(store.getState().focus).toBe('ladder')
})

test('an auction is shown while a ladder on screen has a halted symbol, or a book that is crossed', () => {
  const { store } = aWideDesk()
  const shown = () => isAuctionShown(store.getState())
  expect(shown()).toBe(false)
  store.dispatch(ethBook('3122.00', '3121.00'))
  expect(shown()).toBe(true)
  const { screen, instruments } = store.getState()
  store.dispatch({ type: 'resized', screen: { ...screen, visiblePanes: ['ladder'] } })
  expect(shown()).toBe(false)
  const rules = [...(instruments.value ?? [])].map(
    ([symbol, each]) => [symbol, { ...each, status: 'halt' as const }] as const,
  )
  store.dispatch({ type: 'instruments', instruments: new Map(rules), atMs: startMs })
  expect(shown()).toBe(true)
})

test('each ladder has a scale, a cursor and a grouping of its own; keys act on the focused one', () => {
  const { store, commands, sent } = aWideDesk()
  store.dispatch(ethBook('3120.00', '3121.00'))
  expect(`${store.getState().ladder2.centerPrice}`).toBe('3120.5')
  commands.focusPane('ladder2')
  commands.moveCursor(1)
  commands.moveCursor(2)
  commands.changeGroup(1)
  expect(store.getState().ladder2).toMatchObject({ groupTicks: 2 })
  expect(`${store.getState().ladder2.cursorPrice}`).toBe('3121')
  expect(store.getState().ladder).toMatchObject({ groupTicks: 1 })
  expect(store.getState().ladder.cursorPrice).toBeNull()
  const order = anOrder({
    orderId: '7',
    symbol: 'ETH-USD',
    limitPrice: aBook([['3121.5', '1']], []).bids[0]?.price ?? null,
  })
  store.dispatch({ type: 'orders', orders: [order], atMs: startMs })
  commands.cancelAtCursor()
  expect(sent).toEqual(['cancel 7'])
  commands.openTicket('SELL')
  expect(store.getState().ticket?.form).toMatchObject({ symbol: 'ETH-USD', priceText: '3121.00' })
  expect(store.getState().focus).toBe('ladder2')
})

test('a symbol chosen on the second ladder leaves the first one alone', () => {
  const { store, commands } = aWideDesk()
  commands.focusPane('ladder2')
  store.dispatch({ type: 'symbolChosen', symbol: 'BTC-USD', atMs: startMs })
  expect(store.getState()).toMatchObject({ symbol: 'BTC-USD', symbol2: 'BTC-USD' })
  expect(store.getState().ladder2.centerPrice).toBeNull()
  expect(`${store.getState().ladder.centerPrice}`).toBe('64210.5')
})

const prices = fc.integer({ min: 1_000, max: 200_000 })
const data = fc.oneof(
  fc.tuple(prices, prices).map(
    ([bid, spread]): StoreEvent => ({
      type: 'book',
      symbol: 'BTC-USD',
      book: aBook([[`${bid / 2}`, '1']], [[`${(bid + spread) / 2}`, '1']]),
      atMs: startMs,
    }),
  ),
  fc.constant<StoreEvent>({ type: 'book', symbol: 'BTC-USD', book: aBook([], []), atMs: startMs }),
  prices.map((price) => ethBook(`${price / 2}`, `${price / 2 + 1}`)),
  fc.constant<StoreEvent>({ type: 'orders', orders: [anOrder()], atMs: startMs }),
  fc.integer({ min: 0, max: 60_000 }).map((ms): StoreEvent => ({ type: 'ticked', nowMs: startMs + ms })),
)
const keys = fc.constantFrom('up', 'down', 'page', 'center', 'coarser', 'finer', 'other', 'view', 'prices')

test('no data ever moves a cursor to another price: at most it takes it away when the scale has gone on without it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(data, keys), { maxLength: 60 }), (steps) => {
      const { store, commands } = aWideDesk()
      const acts: Readonly<Record<string, () => void>> = {
        up: () => commands.moveCursor(1),
        down: () => commands.moveCursor(-1),
        page: () => commands.moveCursor(20),
        center: () => commands.centerLadder(),
        coarser: () => commands.changeGroup(1),
        finer: () => commands.changeGroup(-1),
        other: () => commands.focusPane(store.getState().focus === 'ladder' ? 'ladder2' : 'ladder'),
        view: () => commands.toggleLadderView(),
        prices: () => commands.toggleLadderPrices(),
      }
      for (const step of steps) {
        const { ladder, ladder2 } = store.getState()
        if (typeof step === 'string') {
          acts[step]?.()
          continue
        }
        store.dispatch(step)
        for (const [before, after] of [
          [ladder, store.getState().ladder],
          [ladder2, store.getState().ladder2],
        ] as const) {
          const isFirst = before.cursorPrice === null && before.centerPrice === null
          if (!isFirst && after.cursorPrice !== null) expect(`${after.cursorPrice}`).toBe(`${before.cursorPrice}`)
          expect(after.groupTicks).toBe(before.groupTicks)
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('a screen of fewer rows goes with the cursor, which keeps its price', () => {
  const { store, commands } = aWideDesk()
  const { screen } = store.getState()
  store.dispatch({ type: 'resized', screen: { ...screen, ladderRowCount: 20 } })
  for (let step = 0; step < 9; step += 1) commands.moveCursor(1)
  const { cursorPrice, centerPrice } = store.getState().ladder
  store.dispatch({ type: 'resized', screen: { ...screen, ladderRowCount: 6 } })
  const { ladder } = store.getState()
  expect(`${ladder.cursorPrice}`).toBe(`${cursorPrice}`)
  expect(ladder.centerPrice?.gt(centerPrice ?? 0)).toBe(true)
  expect(ladder.cursorPrice?.minus(ladder.centerPrice ?? 0).toNumber()).toBeLessThanOrEqual(1.5)
})
