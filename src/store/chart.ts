import { missingBars, type WantedBars } from '../domain/market/bar-series.ts'
import { type BarsSlice, seriesOf } from './bars.ts'
import { type ClockSlice, exchangeNow } from './clock.ts'
import type { SliceContext } from './slice.ts'
import type { ViewSlice } from './view/view.ts'

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

/** What the chart on the screen lacks of the record; null where it lacks nothing, or no chart is on the screen. */
export function wantedBars(
  state: ChartSlice & BarsSlice & ViewSlice & Pick<ClockSlice, 'nowMs' | 'ahead'> & { symbol: string },
): WantedBars | null {
  const { chart, symbol, screen } = state
  if (!screen.visiblePanes.includes('chart')) return null
  const lengthMs = barLengths[chart.length]
  // No picture is wider than the terminal.
  const count = Math.ceil(screen.columns / chart.width)
  const endMs = Math.ceil((chart.endMs ?? exchangeNow(state)) / lengthMs) * lengthMs
  return missingBars(seriesOf(state, symbol, lengthMs), symbol, endMs - count * lengthMs, endMs)
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
