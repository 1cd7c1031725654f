import fc from 'fast-check'
import { expect, test } from 'vitest'
import { barsOf } from '../../src/domain/market/bar-list.ts'
import type { Ticker } from '../../src/domain/market/ticker.ts'
import { Decimal } from '../../src/domain/money.ts'
import { barsOfSymbol } from '../../src/store/bars.ts'
import { type PriceHistory, pricePointsMax, seenRange, withPrices } from '../../src/store/price-history.ts'
import { barOf, someBars } from '../fakes/bars.ts'
import { aDesk, startMs } from './desk.ts'

const tickers = (prices: Readonly<Record<string, string | null>>): ReadonlyMap<string, Ticker> =>
  new Map(
    Object.entries(prices).map(([symbol, price]) => [
      symbol,
      { symbol, lastPrice: price === null ? null : new Decimal(price), price24h: null, volume24h: null },
    ]),
  )

const prices = (history: PriceHistory, symbol: string) =>
  (history.get(symbol) ?? []).map(({ price }) => price.toFixed())

test('a price that changes is a point, the same price again is none, and an unchanged answer gives the same history back', () => {
  const first = withPrices(new Map(), tickers({ 'BTC-USD': '64210.50', 'NEW-USD': null }), 1_000)
  expect(first.get('BTC-USD')).toEqual([{ atMs: 1_000, price: new Decimal('64210.50') }])
  expect(first.has('NEW-USD')).toBe(false)
  expect(withPrices(first, tickers({ 'BTC-USD': '64210.5' }), 3_000)).toBe(first)
  const second = withPrices(first, tickers({ 'BTC-USD': '64211.00', 'ETH-USD': '3120' }), 5_000)
  expect(prices(second, 'BTC-USD')).toEqual(['64210.5', '64211'])
  expect(prices(second, 'ETH-USD')).toEqual(['3120'])
})

test('however long it runs the history is bounded, in order of time, and has kept the highest and the lowest price', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: pricePointsMax, maxLength: 3 * pricePointsMax }),
      (moves) => {
        let history: PriceHistory = new Map()
        let atMs = 0
        for (const [index, cents] of moves.entries()) {
          atMs += 2_000
          history = withPrices(history, tickers({ 'BTC-USD': new Decimal(cents).div(100).toFixed() }), atMs)
          // Asked now and then, as a screen does: what was found then is gone on from.
          if (index % 7 === 0) {
            const seen = (history.get('BTC-USD') ?? []).map(({ price }) => price)
            const range = seenRange(history.get('BTC-USD') ?? [])
            expect([range?.low, range?.high]).toEqual([Decimal.min(...seen), Decimal.max(...seen)])
          }
        }
        const points = history.get('BTC-USD') ?? []
        expect(points.length).toBeLessThanOrEqual(pricePointsMax)
        expect(points.map((point) => point.atMs)).toEqual(points.map((point) => point.atMs).toSorted((a, b) => a - b))
        expect(points.at(-1)?.price.times(100).toNumber()).toBe(moves.at(-1))
        expect(seenRange(points)?.high.times(100).toNumber()).toBe(Math.max(...moves))
        expect(seenRange(points)?.low.times(100).toNumber()).toBe(Math.min(...moves))
      },
    ),
    { numRuns: 20 },
  )
})

test('the store keeps prices and sums as polls bring them', () => {
  const { store } = aDesk()
  const answer = (price: string, atMs: number) =>
    store.dispatch({ type: 'tickers', tickers: tickers({ 'BTC-USD': price }), atMs })
  answer('64210.50', startMs + 100)
  const { priceHistory } = store.getState()
  answer('64210.50', startMs + 2_100)
  expect(store.getState().priceHistory).toBe(priceHistory)
  answer('64211.00', startMs + 4_100)
  expect(prices(store.getState().priceHistory, 'BTC-USD')).toEqual(['64210.5', '64211'])
})

test('the chart turns between pictures and styles; bars stop at their shortest and longest, the crosshair keeps its time', () => {
  const { store, commands } = aDesk()
  const chart = () => store.getState().chart
  commands.toggleChartView()
  commands.toggleChartStyle()
  expect(chart()).toMatchObject({ view: 'depth', style: 'line', length: '1m', width: 1 })
  const markMs = Date.UTC(2026, 10, 20, 14, 7)
  commands.moveInChart({ endMs: null, markMs })
  for (let press = 0; press < 9; press += 1) commands.stepBarLength(1)
  expect(chart()).toMatchObject({ length: '1d', markMs: Date.UTC(2026, 10, 20) })
  for (let press = 0; press < 9; press += 1) commands.stepBarLength(-1)
  for (let press = 0; press < 9; press += 1) commands.zoomChart(1)
  expect(chart()).toMatchObject({ length: '1m', width: 4 })
  for (let press = 0; press < 9; press += 1) commands.zoomChart(-1)
  expect(chart().width).toBe(1)
})

test('bars: polls fold into minutes of the exchange, with the spread of the book; what says the same changes no object', () => {
  const { store } = aDesk()
  const answer = (price: string, atMs: number) =>
    store.dispatch({ type: 'tickers', tickers: tickers({ 'BTC-USD': price, 'NEW-USD': null }), atMs })
  const minuteMs = Math.ceil(startMs / 60_000) * 60_000
  answer('64210.50', minuteMs - 20_000)
  const { bars } = store.getState()
  answer('64210.5', minuteMs - 18_000)
  expect(store.getState().bars).toBe(bars)
  answer('64211.00', minuteMs - 16_000)
  answer('64205.00', minuteMs + 1_000)
  const [first, second, ...others] = barsOf(barsOfSymbol(store.getState(), 'BTC-USD'))
  expect(others).toEqual([])
  const figures = [first, second].map((bar) => [
    bar?.startMs,
    bar?.open.toFixed(),
    bar?.high.toFixed(),
    bar?.close.toFixed(),
  ])
  expect(figures).toEqual([
    [minuteMs - 60_000, '64210.5', '64211', '64211'],
    [minuteMs, '64205', '64205', '64205'],
  ])
  expect(bars.get('BTC-USD')?.running?.high.toFixed()).toBe('64210.5')
  expect(store.getState().bars.has('NEW-USD')).toBe(false)
})

test('once the clock of the exchange is set back prices make bars again: none of later than now stays in front of them', () => {
  const { store, wait } = aDesk()
  const minuteMs = Math.ceil(startMs / 60_000) * 60_000
  const answer = (price: string, atMs: number) => {
    wait(atMs - store.getState().nowMs)
    store.dispatch({ type: 'tickers', tickers: tickers({ 'BTC-USD': price }), atMs })
  }
  const dated = (skewMs: number) => store.dispatch({ type: 'answered', roundTripMs: 10, skewMs })
  const closes = () =>
    barsOf(barsOfSymbol(store.getState(), 'BTC-USD')).map(({ startMs: at, close }) => [at - minuteMs, close.toFixed()])
  answer('64000', minuteMs)
  // One answer of a server whose clock is an hour ahead.
  dated(3_600_000)
  answer('64100', minuteMs + 1_000)
  dated(0)
  answer('64200', minuteMs + 2_000)
  expect(closes()).toEqual([[0, '64200']])
  // An answer that is dated before the minute it came in takes no bar away.
  answer('64300', minuteMs + 60_000)
  store.dispatch({ type: 'tickers', tickers: tickers({ 'BTC-USD': '64250' }), atMs: minuteMs - 300_000 })
  expect(closes()).toEqual([
    [0, '64200'],
    [60_000, '64300'],
  ])
})

test('bars of an earlier run are put before those of this one; a minute that both saw is one bar', () => {
  const { store } = aDesk()
  const minuteMs = Math.floor(startMs / 60_000) * 60_000
  store.dispatch({ type: 'tickers', tickers: tickers({ 'BTC-USD': '64210.50' }), atMs: startMs })
  const recorded = [barOf(minuteMs - 120_000, '64000.00'), barOf(minuteMs, '64200.00', '64300.00', '64250.00')]
  store.dispatch({ type: 'barsLoaded', bars: new Map([['BTC-USD', recorded]]) })
  const bars = barsOf(barsOfSymbol(store.getState(), 'BTC-USD'))
  expect(bars.map(({ startMs: at }) => at)).toEqual([minuteMs - 120_000, minuteMs])
  const { open, high, close } = bars[1] ?? barOf(0, '1')
  expect([open, high, close].map((price) => price.toFixed())).toEqual(['64200', '64300', '64210.5'])
})

/** Of 10,000 symbols only these have prices. */
const among = (prices: Readonly<Record<string, string>>) => {
  const others = Array.from({ length: 10_000 }, (_, number) => [`S${number}-USD`, null] as const)
  return tickers({ ...Object.fromEntries(others), ...prices })
}

test('among 10,000 symbols the bars of one that values holdings are kept whole, of another those of a day', () => {
  const { store } = aDesk()
  const both = ['BTC-USD', 'S1-USD']
  const list = among(Object.fromEntries(both.map((name) => [name, '64210.50'])))
  const counts = () => both.map((name) => barsOf(barsOfSymbol(store.getState(), name)).length)
  store.dispatch({ type: 'tickers', tickers: list, atMs: startMs })
  const recorded = someBars(startMs, 2 * 1_440)
  store.dispatch({ type: 'barsLoaded', bars: new Map(both.map((name) => [name, recorded])) })
  const [whole = 0, some = 0] = counts()
  expect(whole).toBe(2 * 1_440)
  expect(some).toBeLessThanOrEqual(10 + 15 + 97)
  // Each minute adds one, and a quarter of an hour that is over becomes one.
  for (let minute = 1; minute <= 70; minute += 1)
    store.dispatch({ type: 'tickers', tickers: list, atMs: startMs + minute * 60_000 })
  const [wholeLater = 0, someLater = 0] = counts()
  expect(wholeLater).toBeGreaterThanOrEqual(2 * 1_440)
  expect(someLater).toBeLessThanOrEqual(10 + 15 + 97)
})

test('of 10,000 symbols each has a line of fewer prices, with the highest and the lowest of them', () => {
  const price = (at: number) => String(at === 3 ? 900 : 100 + ((at * 7) % 50))
  const list = among({})
  let history: PriceHistory = new Map()
  for (let at = 0; at < 40; at += 1)
    history = withPrices(history, new Map([...list, ...tickers({ 'BTC-USD': price(at) })]), at * 2_000)
  const points = history.get('BTC-USD') ?? []
  expect(points.length).toBeLessThanOrEqual(16)
  expect(points.length).toBeGreaterThan(8)
  expect([seenRange(points)?.low.toFixed(), seenRange(points)?.high.toFixed()]).toEqual(['100', '900'])
})
