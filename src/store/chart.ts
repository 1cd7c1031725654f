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
export const chartSpansMs: readonly number[] = [1, 5, 15, 60, 240, 1_440].map((minutes) => minutes * minuteMs)

export const initialChart: ChartState = { view: 'price', spanMs: 5 * minuteMs }

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
