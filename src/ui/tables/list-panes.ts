import type { DeskState } from '../../store/state.ts'
import { isListPane, type ListPane } from '../../store/tables/table-view.ts'
import { balancesSource } from '../panes/balances/balances-table.ts'
import { fillsSource } from '../panes/fills/fills-list.ts'
import { logSource } from '../panes/log/log-table.ts'
import { ordersSource } from '../panes/orders/orders-table.ts'
import { tickersSource } from '../panes/tickers/tickers-table.ts'
import { listRowCount } from './list-room.ts'
import type { ListSource } from './list-source.ts'

/** The list of each pane that has one, for the keys that act on rows and for the overlays. */
const sources: Readonly<Partial<Record<ListPane, ListSource>>> = {
  orders: ordersSource,
  fills: fillsSource,
  balances: balancesSource,
  tickers: tickersSource,
  log: logSource,
}

export const sourceOf = (pane: ListPane): ListSource | undefined => sources[pane]

/** The list the keys go to, with the lines that its pane has for rows just now; null on a pane without one. */
export function focusedList(state: DeskState): { pane: ListPane; source: ListSource; lineCount: number } | null {
  const { focus } = state
  if (!isListPane(focus)) return null
  const source = sourceOf(focus)
  return source === undefined ? null : { pane: focus, source, lineCount: source.lineCount(listRowCount(state, focus)) }
}
