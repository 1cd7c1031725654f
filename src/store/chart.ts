import type { Ticker } from '../domain/balance.ts'
import { compareAmounts, type Decimal } from '../domain/money.ts'
import type { SliceContext } from './slice.ts'

/** Which of the two pictures counts: the only one where there is room for one, the larger one where both fit. */
export type ChartView = 'price' | 'depth'

/** How the chart is set; it lasts as long as the desk. */
export type ChartState = {
  view: ChartView
  /** How much time the price line covers, one of `chartSpansMs`. */
  spanMs: number
}

const minuteMs = 60_000
/** The spans that a person steps through, the shortest first. */
const chartSpansMs: readonly number[] = [1, 5, 15, 60, 240, 1_440].map((minutes) => minutes * minuteMs)

export const initialChart: ChartState = { view: 'price', spanMs: 5 * minuteMs }

export type ChartSlice = { chart: ChartState }

export type ChartEvent =
  | { type: 'chartViewChanged' }
  /** +1 to the next longer span, −1 to the next shorter one. */
  | { type: 'chartSpanChanged'; step: 1 | -1 }

/** What a person does to the chart. At either end of the spans nothing changes. */
export function reduceChart(chart: ChartState, event: ChartEvent): ChartState {
  if (event.type === 'chartViewChanged') return { ...chart, view: chart.view === 'price' ? 'depth' : 'price' }
  const spanMs = chartSpansMs[chartSpansMs.indexOf(chart.spanMs) + event.step]
  return spanMs === undefined ? chart : { ...chart, spanMs }
}

/**
 * A last price and when the desk first saw it; it holds until the next point. Nobody looked between `unseenFromMs` and
 * `atMs` when that is set: the desk was without answers, and nothing may be drawn there.
 */
export type PricePoint = { atMs: number; price: Decimal; unseenFromMs: number | null }
/** Symbol → its last prices, the oldest first, at most `pricePointsMost`. */
export type PriceHistory = ReadonlyMap<string, readonly PricePoint[]>

/**
 * About an hour and a half of a busy symbol polled every two seconds; with its older half thinned again and again,
 * days.
 */
export const pricePointsMost = 1_024

/** A pause between two answers from which on the time between them counts as not looked at. */
export const unseenAfterMs = 30_000

/** Of every four points the highest and the lowest, so that no extreme is lost; where a gap ends is kept too. */
function extremes(points: readonly PricePoint[]): PricePoint[] {
  const kept: PricePoint[] = []
  for (let start = 0; start < points.length; start += 4) {
    const four = points.slice(start, start + 4)
    const highest = four.reduce((high, point) => (point.price.gt(high.price) ? point : high))
    const lowest = four.reduce((low, point) => (point.price.lt(low.price) ? point : low))
    kept.push(...four.filter((point) => point === highest || point === lowest || point.unseenFromMs !== null))
  }
  return kept
}

/** Too many points: the older half is thinned. */
function bounded(points: readonly PricePoint[]): readonly PricePoint[] {
  if (points.length <= pricePointsMost) return points
  const half = points.length >> 1
  return [...extremes(points.slice(0, half)), ...points.slice(half)].slice(-pricePointsMost)
}

function withPrice(points: readonly PricePoint[], price: Decimal, atMs: number, unseenFromMs: number | null) {
  const last = points.at(-1)
  if (last !== undefined && unseenFromMs === null && last.price.eq(price)) return points
  return bounded([...points, { atMs, price, unseenFromMs: last === undefined ? null : unseenFromMs }])
}

/**
 * Takes the last prices of an answer in that came at `atMs`, the one before it at `beforeMs`. Prices that are what they
 * were add nothing: the same history comes back when nothing changed. An answer that is not later than the last point
 * is left out.
 */
export function withPrices(
  history: PriceHistory,
  tickers: ReadonlyMap<string, Ticker>,
  atMs: number,
  beforeMs: number | null,
): PriceHistory {
  const unseenFromMs = beforeMs !== null && atMs - beforeMs > unseenAfterMs ? beforeMs : null
  let next: Map<string, readonly PricePoint[]> | null = null
  for (const { symbol, lastPrice } of tickers.values()) {
    const before = history.get(symbol) ?? []
    if (lastPrice === null || atMs <= (before.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY)) continue
    const after = withPrice(before, lastPrice, atMs, unseenFromMs)
    if (after === before) continue
    next ??= new Map(history)
    next.set(symbol, after)
  }
  return next ?? history
}

type Range = { high: Decimal; low: Decimal }

/** What was found for a history so far, by its first point: histories grow at their end. */
const ranges = new WeakMap<PricePoint, Range & { count: number; last: PricePoint | undefined }>()

/**
 * The highest and the lowest price seen; null before the first. Of a history that has grown since it was asked about
 * only what is new is looked at.
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

export type ChartCommands = {
  /** Price or depth in front. */
  toggleChartView(): void
  /** +1 shows more time, −1 less. */
  changeChartSpan(step: 1 | -1): void
}

export function createChartCommands({ store }: SliceContext<unknown, ChartEvent>): ChartCommands {
  return {
    toggleChartView: () => store.dispatch({ type: 'chartViewChanged' }),
    changeChartSpan: (step) => store.dispatch({ type: 'chartSpanChanged', step }),
  }
}
