import type { Bar } from '../../../domain/market/bar.ts'
import { type BarSeries, isUnread, seriesBetween, seriesStart, seriesStep } from '../../../domain/market/bar-series.ts'
import { barStart } from '../../../domain/market/bars.ts'
import type { Instrument } from '../../../domain/market/instrument.ts'
import { seriesOf } from '../../../store/bars.ts'
import { barLengths, type ChartState } from '../../../store/chart.ts'
import type { DeskState } from '../../../store/desk.ts'
import { shownSizeOf } from '../list-room.ts'
import { axisWidth } from './axes.ts'

export type Size = { width: number; height: number }

/** The sizes of the two charts, in cells: one of them alone, side by side, or stacked. */
type ChartPlan =
  | { kind: 'one'; size: Size }
  | { kind: 'beside'; price: Size; depth: Size }
  | { kind: 'below'; price: Size; depth: Size }

/** Minimum size per chart, in cells: a second chart needs twice this to be readable. */
const widthMin = 36
const heightMin = 9
/** The front chart's share of the space. */
const frontShare = 0.62
export const gapCells = 2

/** How the space is split: the front chart gets the larger part if both fit, and all of it in a zoomed pane. */
export function chartPlan({ view }: Pick<ChartState, 'view'>, { width, height }: Size, isZoomed: boolean): ChartPlan {
  const [whole, kind] = isZoomed
    ? [0, 'one' as const]
    : width >= 2 * widthMin + gapCells
      ? [width - gapCells, 'beside' as const]
      : height >= 2 * heightMin
        ? [height, 'below' as const]
        : [0, 'one' as const]
  if (kind === 'one') return { kind, size: { width, height } }
  const least = kind === 'beside' ? widthMin : heightMin
  const front = Math.min(whole - least, Math.round(whole * frontShare))
  const [price, depth] = view === 'price' ? [front, whole - front] : [whole - front, front]
  return kind === 'beside'
    ? { kind, price: { width: price, height }, depth: { width: depth, height } }
    : { kind, price: { width, height: price }, depth: { width, height: depth } }
}

/** The bars within the chart, and how many it has room for. */
export type ChartWindow = {
  bars: readonly Bar[]
  count: number
  lengthMs: number
  /** The start of the first bar's slot, and the end of the last one's. */
  startMs: number
  endMs: number
  /** A moment within the newest bar's slot. */
  nowMs: number
  /** Part of this time span is recorded but not read yet. */
  isUnread: boolean
}

/** The window of a chart of `width` cells. `nowMs` is the exchange's own time; null before the first answer. */
export function chartWindow(
  series: BarSeries,
  chart: Pick<ChartState, 'width' | 'endMs'>,
  instrument: Instrument,
  nowMs: number | null,
  width: number,
): ChartWindow | null {
  const last = series.kept.running
  if (last === null) return null
  const { lengthMs } = series
  const count = Math.max(1, Math.floor((width - axisWidth(last.close, instrument)) / chart.width))
  const nowEndMs = barStart(Math.max(nowMs ?? 0, last.startMs), lengthMs) + lengthMs
  const endMs = chart.endMs === null ? nowEndMs : Math.min(nowEndMs, barStart(chart.endMs - 1, lengthMs) + lengthMs)
  const startMs = endMs - count * lengthMs
  return {
    bars: seriesBetween(series, startMs, endMs),
    ...{ count, lengthMs, startMs, endMs, nowMs: nowEndMs - 1 },
    isUnread: isUnread(series, instrument.symbol, startMs, endMs),
  }
}

/** The exchange's time as of its latest prices, in ms; null before the first. */
export const pricesAtMs = ({ tickers, ahead }: Pick<DeskState, 'tickers' | 'ahead'>): number | null =>
  tickers.atMs === null ? null : tickers.atMs + ahead.exchangeMs

/** The window currently on screen; null if there is none to move. */
function windowNow(state: DeskState, series: BarSeries): ChartWindow | null {
  const { symbol, chart, instruments, view } = state
  const instrument = instruments.value?.get(symbol)
  const size = shownSizeOf(state, 'chart')
  if (instrument === undefined || size === null) return null
  const plan = chartPlan(chart, size, view.isZoomed)
  const { width } = plan.kind === 'one' ? plan.size : plan.price
  return chartWindow(series, chart, instrument, pricesAtMs(state), width)
}

export type ChartStep = 'barBefore' | 'barAfter' | 'back' | 'forward' | 'oldest'

type Place = Pick<ChartState, 'endMs' | 'markMs'>

/** Moves the crosshair to the previous or next bar, or onto the newest visible one; the window follows it. */
function crosshairMoved(series: BarSeries, window: ChartWindow, { endMs, markMs }: Place, by: -1 | 1): Place | null {
  const { lengthMs, startMs, count } = window
  const next = markMs === null ? seriesStep(series, window.endMs, -1) : seriesStep(series, markMs, by)
  if (next === null) return null
  if (next < startMs) return { markMs: next, endMs: next + count * lengthMs }
  if (next < window.endMs) return { markMs: next, endMs }
  return { markMs: next, endMs: seriesStep(series, next, 1) === null ? null : next + lengthMs }
}

/**
 * Where a user's step leads from the current window; null if there is nothing there. The window never leaves the bars,
 * recorded ones included; at the newest end it follows the time again.
 */
export function chartStep(state: DeskState, step: ChartStep): Place | null {
  const series = seriesOf(state, state.symbol, barLengths[state.chart.length])
  const window = windowNow(state, series)
  const [first, last] = [seriesStart(series), series.kept.running]
  if (window === null || first === null || last === null) return null
  if (step === 'barBefore' || step === 'barAfter')
    return crosshairMoved(series, window, state.chart, step === 'barBefore' ? -1 : 1)
  const { lengthMs, count, endMs } = window
  // Keeps one bar of the previous page in view.
  const pageMs = Math.max(1, count - 1) * lengthMs
  const minMs = Math.min(first + count * lengthMs, endMs)
  const nowMs = Math.max(pricesAtMs(state) ?? 0, last.startMs)
  const wantedMs = { back: endMs - pageMs, forward: endMs + pageMs, oldest: minMs }[step]
  const nextMs = Math.max(minMs, wantedMs)
  const { markMs } = state.chart
  const isMarkInSight = markMs !== null && markMs >= nextMs - count * lengthMs && markMs < nextMs
  return { endMs: nextMs > nowMs ? null : nextMs, markMs: isMarkInSight ? markMs : null }
}
