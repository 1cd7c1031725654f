import type { Ticker } from '../domain/market/ticker.ts'
import { compareAmounts, type Decimal, sameAmount } from '../domain/money.ts'

/** A last price and when the desk first saw it: the moves of the tickers. */
export type PricePoint = { atMs: number; price: Decimal }
/** Symbol → its last prices, oldest first, at most `pricePointsMax`; times are in `bars`. */
export type PriceHistory = ReadonlyMap<string, readonly PricePoint[]>

/** More than a line of moves shows; thinned, it still has the highest and lowest prices of days. */
export const pricePointsMax = 64
/** Points of all symbols together: some 45 MB. Of thousands of symbols each has fewer, but enough for a line. */
const allPointsMax = 160_000
const pricePointsLeast = 16

/** The most points of each symbol, of so many together. */
const pointsMaxOf = (symbolCount: number): number =>
  Math.max(pricePointsLeast, Math.min(pricePointsMax, Math.floor(allPointsMax / symbolCount)))

/** Of every four points the highest and the lowest, so that no extreme is lost. */
function extremes(points: readonly PricePoint[]): PricePoint[] {
  const kept: PricePoint[] = []
  for (let start = 0; start < points.length; start += 4) {
    const four = points.slice(start, start + 4)
    const highest = four.reduce((high, point) => (point.price.gt(high.price) ? point : high))
    const lowest = four.reduce((low, point) => (point.price.lt(low.price) ? point : low))
    kept.push(...four.filter((point) => point === highest || point === lowest))
  }
  return kept
}

/** Too many points: the older half is thinned. */
function bounded(points: readonly PricePoint[], most: number): readonly PricePoint[] {
  if (points.length <= most) return points
  const half = points.length >> 1
  return [...extremes(points.slice(0, half)), ...points.slice(half)]
}

/**
 * Adds the last prices of an answer from `atMs`. Unchanged prices add nothing: without a change the same history is
 * returned. Ignores an answer not later than the last point.
 */
export function withPrices(history: PriceHistory, tickers: ReadonlyMap<string, Ticker>, atMs: number): PriceHistory {
  let next: Map<string, readonly PricePoint[]> | null = null
  const most = pointsMaxOf(tickers.size)
  for (const { symbol, lastPrice } of tickers.values()) {
    const before = history.get(symbol) ?? []
    const last = before.at(-1)
    if (lastPrice === null || (last !== undefined && (atMs <= last.atMs || sameAmount(last.price, lastPrice)))) continue
    next ??= new Map(history)
    next.set(symbol, bounded([...before, { atMs, price: lastPrice }], most))
  }
  return next ?? history
}

type Range = { high: Decimal; low: Decimal }

/** The range found so far, by a history's first point: histories grow at their end. */
const ranges = new WeakMap<PricePoint, Range & { count: number; last: PricePoint | undefined }>()

/**
 * The highest and lowest price seen; null before the first. A history that has grown since the last call is read only
 * from there.
 */
export function seenRange(points: readonly PricePoint[]): Range | null {
  const [first] = points
  if (first === undefined) return null
  const known = ranges.get(first)
  const hasGrown = known !== undefined && points[known.count - 1] === known.last
  let { high, low } = hasGrown ? known : { high: first.price, low: first.price }
  for (let at = hasGrown ? known.count : 1; at < points.length; at += 1) {
    const { price } = points[at] ?? first
    if (compareAmounts(price, high) > 0) high = price
    if (compareAmounts(price, low) < 0) low = price
  }
  ranges.set(first, { high, low, count: points.length, last: points.at(-1) })
  return { high, low }
}
