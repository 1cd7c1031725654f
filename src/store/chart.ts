import { missingBars, type WantedBars } from '../domain/market/bar-series.ts'
import { type BarsSlice, seriesOf } from './bars.ts'
import { type ClockSlice, exchangeNow } from './clock.ts'
import type { SliceContext } from './slice.ts'
import type { ViewSlice } from './view/view.ts'

/** The picture in front: the only one where there is room for one, the larger one where both fit. */
export type ChartView = 'price' | 'depth'
export const chartViews = ['price', 'depth'] as const satisfies readonly ChartView[]

/** How prices are drawn. */
export type ChartStyle = 'candles' | 'line'
export const chartStyles = ['candles', 'line'] as const satisfies readonly ChartStyle[]

/** The characters for drawing on terminals with more than ASCII: not every font has Braille. */
export type ChartDots = 'braille' | 'blocks'
export const chartDots = ['braille', 'blocks'] as const satisfies readonly ChartDots[]

/** Lengths of bars by name, shortest first. */
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

/** Widths of a bar in cells, including the space behind it: zoom levels. */
export const barWidths = [1, 2, 4] as const
export type BarWidth = (typeof barWidths)[number]

/** The view of the chart; saved with the session. */
export type ChartLook = { view: ChartView; style: ChartStyle; dots: ChartDots; length: BarLength; width: BarWidth }

export type ChartState = ChartLook & {
  /** The end of the picture, UTC; null for now, which it follows. */
  endMs: number | null
  /** The start of the bar under the crosshair; null without one. */
  markMs: number | null
}

export const initialChart: ChartState = {
  ...{ view: 'price', style: 'candles', dots: 'braille', length: '1m', width: 1 },
  endMs: null,
  markMs: null,
}

export type ChartSlice = { chart: ChartState }

export type ChartEvent = { type: 'chartChanged'; change: Partial<ChartState> }

/** The chart after a change: a crosshair stays at its time when the bar length changes. */
export function reduceChart(chart: ChartState, { change }: ChartEvent): ChartState {
  const next = { ...chart, ...change }
  if (next.length === chart.length || next.markMs === null) return next
  const lengthMs = barLengths[next.length]
  return { ...next, markMs: Math.floor(next.markMs / lengthMs) * lengthMs }
}

/** The part saved with the session. */
export const chartLook = ({ view, style, dots, length, width }: ChartState): ChartLook => ({
  ...{ view, style, dots, length, width },
})

/** The recorded bars that the chart on screen needs; null when none, or without a chart on screen. */
export function wantedBars(
  state: ChartSlice & BarsSlice & ViewSlice & Pick<ClockSlice, 'nowMs' | 'ahead'> & { symbol: string },
): WantedBars | null {
  const { chart, symbol, screen } = state
  if (!screen.visiblePanes.includes('chart')) return null
  const lengthMs = barLengths[chart.length]
  // The picture is at most as wide as the terminal.
  const count = Math.ceil(screen.columns / chart.width)
  const endMs = Math.ceil((chart.endMs ?? exchangeNow(state)) / lengthMs) * lengthMs
  return missingBars(seriesOf(state, symbol, lengthMs), symbol, endMs - count * lengthMs, endMs)
}

export type ChartCommands = {
  /** Puts price or depth in front. */
  toggleChartView(): void
  /** Switches between candles and a line. */
  toggleChartStyle(): void
  /** +1 for longer bars, −1 for shorter ones; no change at either end. */
  stepBarLength(step: 1 | -1): void
  /** +1 for wider bars and less time, −1 for the reverse. */
  zoomChart(step: 1 | -1): void
  /** Sets the view, for a sentence. */
  setChart(change: Partial<ChartLook>): void
  /** Moves the crosshair, or the period in the picture. */
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
