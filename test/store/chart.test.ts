import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ticker } from '../../src/domain/balance.ts'
import { Decimal } from '../../src/domain/money.ts'
import {
  initialChart,
  type PriceHistory,
  pricePointsMost,
  reduceChart,
  seenRange,
  unseenAfterMs,
  withPrices,
} from '../../src/store/chart.ts'
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
  const first = withPrices(new Map(), tickers({ 'BTC-USD': '64210.50', 'NEW-USD': null }), 1_000, null)
  expect(first.get('BTC-USD')).toEqual([{ atMs: 1_000, price: new Decimal('64210.50'), unseenFromMs: null }])
  expect(first.has('NEW-USD')).toBe(false)
  expect(withPrices(first, tickers({ 'BTC-USD': '64210.5' }), 3_000, 1_000)).toBe(first)
  const second = withPrices(first, tickers({ 'BTC-USD': '64211.00', 'ETH-USD': '3120' }), 5_000, 3_000)
  expect(prices(second, 'BTC-USD')).toEqual(['64210.5', '64211'])
  expect(prices(second, 'ETH-USD')).toEqual(['3120'])
})

test('after a time without answers the next price is a point of its own that tells since when nobody looked', () => {
  const first = withPrices(new Map(), tickers({ 'BTC-USD': '64210.50' }), 1_000, null)
  const after = withPrices(first, tickers({ 'BTC-USD': '64210.50' }), 2_000 + unseenAfterMs, 1_500)
  expect(after.get('BTC-USD')?.at(-1)).toEqual({
    atMs: 2_000 + unseenAfterMs,
    price: new Decimal('64210.50'),
    unseenFromMs: 1_500,
  })
})

test('however long it runs the history is bounded, in order of time, and has kept the highest and the lowest price', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: pricePointsMost, maxLength: 3 * pricePointsMost }),
      fc.integer({ min: 2, max: 400 }),
      (moves, gapEvery) => {
        let history: PriceHistory = new Map()
        let atMs = 0
        for (const [index, cents] of moves.entries()) {
          const beforeMs = atMs
          atMs += index % gapEvery === 0 ? unseenAfterMs + 1 : 2_000
          history = withPrices(history, tickers({ 'BTC-USD': new Decimal(cents).div(100).toFixed() }), atMs, beforeMs)
          // Asked now and then, as a screen does: what was found then is gone on from.
          if (index % 7 === 0) {
            const seen = (history.get('BTC-USD') ?? []).map(({ price }) => price)
            const range = seenRange(history.get('BTC-USD') ?? [])
            expect([range?.low, range?.high]).toEqual([Decimal.min(...seen), Decimal.max(...seen)])
          }
        }
        const points = history.get('BTC-USD') ?? []
        expect(points.length).toBeLessThanOrEqual(pricePointsMost)
        expect(points.map((point) => point.atMs)).toEqual(points.map((point) => point.atMs).toSorted((a, b) => a - b))
        expect(points.at(-1)?.price.times(100).toNumber()).toBe(moves.at(-1))
        if (gapEvery > 100) {
          expect(seenRange(points)?.high.times(100).toNumber()).toBe(Math.max(...moves))
          expect(seenRange(points)?.low.times(100).toNumber()).toBe(Math.min(...moves))
        }
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

test('the chart turns between its pictures, and its span stops at either end', () => {
  expect(reduceChart(initialChart, { type: 'chartViewChanged' }).view).toBe('depth')
  let chart = initialChart
  for (let press = 0; press < 9; press += 1) chart = reduceChart(chart, { type: 'chartSpanChanged', step: 1 })
  expect(chart.spanMs).toBe(86_400_000)
  expect(reduceChart(chart, { type: 'chartSpanChanged', step: 1 })).toBe(chart)
  for (let press = 0; press < 9; press += 1) chart = reduceChart(chart, { type: 'chartSpanChanged', step: -1 })
  expect(chart.spanMs).toBe(60_000)
})
