import { rowKeysOf } from '../../domain/desk/session.ts'
import { tickersSource } from '../panes/tickers/tickers-table.ts'
import { type Actions, type Binding, inScope } from './binding.ts'
import type { TablesAction } from './tables.ts'

/** What the keys do in the list of tickers, beside what they do in every list. */
export const tickersActions = {
  showSymbol({ commands, state }) {
    const { selectedKey } = state.tables.views.tickers
    // A row that the filter hides is not what a person sees and means.
    if (selectedKey === null || !tickersSource.keys(state).keys.includes(selectedKey))
      return commands.explain(`No symbol is chosen: ${rowKeysOf(state.reboundKeys)} choose one.`)
    commands.switchSymbol(selectedKey)
  },
} satisfies Actions
export type TickersAction = keyof typeof tickersActions

const tickers = inScope<TickersAction | TablesAction>('tickers')

export const tickersKeys: readonly Binding<TickersAction | TablesAction>[] = [
  tickers(['enter'], 'showSymbol', 'show the symbol', { foot: 'show symbol' }),
  // Enter shows the symbol here.
  tickers(['d'], 'openDetails', 'all of the row', { foot: 'details', footLast: true }),
]
