import type { Ticker } from '../domain/balance.ts'
import { compareAmounts, type Decimal, sameAmount } from '../domain/money.ts'
import type { SliceContext } from './slice.ts'

/** Which of the two pictures counts: the only one where there is room for one, the larger one where both fit. */
export type ChartView = 'price' | 'depth'
export const chartViews = ['price', 'depth'] as const satisfies readonly ChartView[]

/** How prices are drawn. */
export type ChartStyle = 'candles' | 'line'
export const chartStyles = ['candles', 'line'] as const satisfies readonly ChartStyle[]

/** What they are drawn with where the terminal has more than ASCII: not every font has Braille. */
export type ChartDots = 'braille' | 'blocks'
export const chartDots = ['braille', 'blocks'] as const satisfies readonly ChartDots[]

/** How much time a bar may cover, the shortest first, by its name. */
export const barLengths = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
} as const
export type BarLength = keyof typeof barLengths
export const isBarLength = (name: string): name is BarLength => Object.hasOwn(barLengths, name)
export const barLengthNames: readonly BarLength[] = Object.keys(barLengths).filter(isBarLength)

/** Cells that a bar takes across, with the space behind it: a person zooms through them. */
export const barWidths = [1, 2, 4] as const
export type BarWidth = (typeof barWidths)[number]

/** How the chart is looked at; it is kept with the session. */
export type ChartLook = { view: ChartView; style: ChartStyle; dots: ChartDots; length: BarLength; width: BarWidth }

export type ChartState = ChartLook & {
  /** Where the picture ends, UTC; null: now, and it follows. */
  endMs: number | null
  /** The first instant of the bar that the crosshair is on; null without one. */
  markMs: number | null
}

export const initialChart: ChartState = {
  ...{ view: 'price', style: 'candles', dots: 'braille', length: '1m', width: 1 },
  endMs: null,
  markMs: null,
}

export type ChartSlice = { chart: ChartState }

export type ChartEvent = { type: 'chartChanged'; change: Partial<ChartState> }

/** A crosshair stays on the time it was on when bars become longer or shorter. */
export function reduceChart(chart: ChartState, { change }: ChartEvent): ChartState {
  const next = { ...chart, ...change }
  if (next.length === chart.length || next.markMs === null) return next
  const lengthMs = barLengths[next.length]
  return { ...next, markMs: Math.floor(next.markMs / lengthMs) * lengthMs }
}

/** The part that is kept with the session. */
export const chartLook = ({ view, style, dots, length, width }: ChartState): ChartLook => ({
  ...{ view, style, dots, length, width },
})

/** A last price and when the desk first saw it: the moves of the tickers. */
export type PricePoint = { atMs: number; price: Decimal }
/** Symbol → its last prices, the oldest first, at most `pricePointsMost`; times are in `bars`. */
export type PriceHistory = ReadonlyMap<string, readonly PricePoint[]>

/** More than a line of moves shows; thinned, the highest and the lowest price of days are in them too. */
export const pricePointsMost = 64

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
function bounded(points: readonly PricePoint[]): readonly PricePoint[] {
  if (points.length <= pricePointsMost) return points
  const half = points.length >> 1
  return [...extremes(points.slice(0, half)), ...points.slice(half)]
}

/**
 * Takes the last prices of an answer in that came at `atMs`. Prices that are what they were add nothing: the same
 * history comes back when nothing changed. An answer that is not later than the last point is left out.
 */
export function withPrices(history: PriceHistory, tickers: ReadonlyMap<string, Ticker>, atMs: number): PriceHistory {
  let next: Map<string, readonly PricePoint[]> | null = null
  for (const { symbol, lastPrice } of tickers.values()) {
    const before = history.get(symbol) ?? []
    const last = before.at(-1)
    if (lastPrice === null || (last !== undefined && (atMs <= last.atMs || sameAmount(last.price, lastPrice)))) continue
    next ??= new Map(history)
    next.set(symbol, bounded([...before, { atMs, price: lastPrice }]))
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
  /** Candles or a line. */
  toggleChartStyle(): void
  /** +1: longer bars, −1 shorter ones. At either end nothing changes. */
  stepBarLength(step: 1 | -1): void
  /** +1: wider bars and less time, −1 the other way. */
  zoomChart(step: 1 | -1): void
  /** How it is looked at, as a sentence says it. */
  setChart(change: Partial<ChartLook>): void
  /** Moves the crosshair, or the stretch of time in the picture. */
  moveInChart(change: Pick<ChartState, 'endMs' | 'markMs'>): void
}

const steppedIn = <Item>(list: readonly Item[], item: Item, step: 1 | -1): Item =>
  list[list.indexOf(item) + step] ?? item

export function createChartCommands({ store }: SliceContext<ChartSlice, ChartEvent>): ChartCommands {
  const change = (change: Partial<ChartState>) => store.dispatch({ type: 'chartChanged', change })
  const now = () => store.getState().chart
  return {
    toggleChartView: () => change({ view: now().view === 'price' ? 'depth' : 'price' }),
    toggleChartStyle: () => change({ style: now().style === 'candles' ? 'line' : 'candles' }),
    stepBarLength: (step) => change({ length: steppedIn(barLengthNames, now().length, step) }),
    zoomChart: (step) => change({ width: steppedIn(barWidths, now().width, step) }),
    setChart: change,
    moveInChart: change,
  }
}
