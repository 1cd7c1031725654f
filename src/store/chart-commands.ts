import type { CommandContext } from './command-context.ts'

export type ChartCommands = {
  /** Price or depth in front. */
  toggleChartView(): void
  /** +1 shows more time, −1 less. */
  changeChartSpan(step: 1 | -1): void
}

export function createChartCommands({ store }: CommandContext): ChartCommands {
  return {
    toggleChartView: () => store.dispatch({ type: 'chartViewChanged' }),
    changeChartSpan: (step) => store.dispatch({ type: 'chartSpanChanged', step }),
  }
}
