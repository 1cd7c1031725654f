import { type Actions, type Binding, inScope } from './binding.ts'

/** What the keys do on the chart: every action as what it asks of the desk. */
export const chartActions = {
  chartView: ({ commands }) => commands.toggleChartView(),
  chartLonger: ({ commands }) => commands.changeChartSpan(1),
  chartShorter: ({ commands }) => commands.changeChartSpan(-1),
} satisfies Actions
export type ChartAction = keyof typeof chartActions

const chart = inScope<ChartAction>('chart')

export const chartKeys: readonly Binding<ChartAction>[] = [
  chart(['d'], 'chartView', 'price or depth in front', { foot: 'price/depth' }),
  chart(['+', '='], 'chartLonger', 'more, less time', { foot: 'time' }),
  chart(['-'], 'chartShorter', 'more, less time', { foot: 'time' }),
]
