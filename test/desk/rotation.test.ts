import { expect, test } from 'vitest'
import { wallSymbols } from '../../src/desk/polling.ts'
import { nextSymbol, pausedAfterKeyMs, rotateWall, symbolsOfInterest } from '../../src/desk/rotation.ts'
import { arrived } from '../../src/store/feeds/feed.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { emptyTables, plainView } from '../../src/store/tables/tables.ts'
import { deskNowMs, deskState, orderFrom } from '../fakes/desk-state.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { onScreen } from '../ui/render-screen.tsx'

const view = { layout: 'monitor', isZoomed: false } as const
const noOrders = { view, unknownWrites: [], orders: arrived([], deskNowMs) } as const

/** A wall that steps every 20 s, its clock, and what stops it. */
function wall(more: Parameters<typeof deskState>[0] = {}) {
  const clock = new FakeClock(deskNowMs)
  const stop = new AbortController()
  const store = createDeskStore(onScreen(deskState({ ...noOrders, ...more }), 120, 40))
  const done = rotateWall({ store, clock, everyMs: 20_000, signal: stop.signal })
  const symbol = () => store.getState().symbol
  const key = () => store.dispatch({ type: 'keyPressed', atMs: clock.now() })
  const end = async () => {
    stop.abort()
    await done
  }
  return { clock, store, symbol, key, end }
}

test('symbols of interest: those of a filter, else those of own orders, else all, as the exchange lists them', () => {
  const all = deskState(noOrders)
  expect(symbolsOfInterest(all)).toEqual([...(all.instruments.value?.keys() ?? [])])
  const orders = arrived([orderFrom({ symbol: 'SOL-USD' }), orderFrom({ symbol: 'ETH-USD' })], deskNowMs)
  expect(symbolsOfInterest({ ...all, orders })).toEqual(['ETH-USD', 'SOL-USD'])
  const views = { ...emptyTables.views, tickers: { ...plainView, filter: 'xlm' } }
  expect(symbolsOfInterest({ ...all, orders, tables: { ...emptyTables, views } })).toEqual(['XLM-USD'])
  expect(nextSymbol({ ...all, symbol: 'SHIB-USD' })).toBe('BTC-USD')
})

test('steps to the next symbol when its time is over', async () => {
  const { clock, symbol, end } = wall()
  await clock.advance(19_750)
  expect(symbol()).toBe('BTC-USD')
  await clock.advance(250)
  expect(symbol()).toBe('ETH-USD')
  await clock.advance(20_000)
  expect(symbol()).toBe('SOL-USD')
  await end()
})

test('a key keeps the wall as it is for a minute; then each symbol has its whole time again', async () => {
  const { clock, symbol, key, end } = wall()
  await clock.advance(15_000)
  key()
  await clock.advance(pausedAfterKeyMs + 19_000)
  expect(symbol()).toBe('BTC-USD')
  await clock.advance(2_000)
  expect(symbol()).toBe('ETH-USD')
  await end()
})

test('nothing steps beside the wall: in another layout, over a dialog, frozen, locked', async () => {
  const elsewhere = [
    { view: { layout: 'trade', isZoomed: false } },
    { view: { layout: 'monitor', isZoomed: true } },
    { overlay: { kind: 'help', query: '', top: 0 } },
    { lock: { kind: 'covered', sentence: '' } },
    { picture: { kind: 'frozen', sinceMs: deskNowMs, shown: deskState(noOrders) } },
  ] as const
  for (const more of elsewhere) {
    const { clock, symbol, end } = wall(more)
    await clock.advance(60_000)
    expect(symbol()).toBe('BTC-USD')
    await end()
  }
})

test('symbols that were shown by themselves are not those that a person chose last', async () => {
  const { clock, store, end } = wall()
  const { recentSymbols } = store.getState()
  await clock.advance(40_000)
  expect(store.getState().recentSymbols).toBe(recentSymbols)
  await end()
})

test('a rotation of 0 s ends at once', async () => {
  const store = createDeskStore(deskState(noOrders))
  await rotateWall({ store, clock: new FakeClock(), everyMs: 0, signal: new AbortController().signal })
  expect(store.getState().symbol).toBe('BTC-USD')
})

test('the wall has the books of its list polled while it is seen, and no other screen has', () => {
  const shown = onScreen(deskState(noOrders), 120, 40)
  expect(wallSymbols(shown)).toEqual(['ETH-USD', 'SOL-USD', 'XLM-USD', 'LTC-USD', 'SHIB-USD'])
  const [instrument] = shown.instruments.value?.values() ?? []
  if (instrument === undefined) throw new Error('no symbol is listed')
  const many = Array.from({ length: 12 }, (_, at) => [`S${at}-USD`, { ...instrument, symbol: `S${at}-USD` }] as const)
  const instruments = arrived(new Map(many), deskNowMs)
  expect(wallSymbols({ ...shown, instruments, symbol: 'S0-USD' })).toHaveLength(8)
  expect(wallSymbols({ ...shown, view: { layout: 'trade', isZoomed: false } })).toEqual([])
  expect(wallSymbols({ ...shown, lock: { kind: 'covered', sentence: '' } })).toEqual([])
  expect(wallSymbols({ ...shown, picture: { kind: 'frozen', sinceMs: deskNowMs, shown } })).toEqual([])
})
