import type { DeskState } from '../../store/desk.ts'
import { listInFocus, paneOfList } from '../../store/tables/table-commands.ts'
import type { ListPane } from '../../store/tables/tables.ts'
import { balancesSource } from '../panes/balances/balances-table.ts'
import { fillsSource } from '../panes/fills/fills-list.ts'
import { currenciesSource } from '../panes/gateway/currencies-table.ts'
import { deliveriesSource } from '../panes/gateway/deliveries-table.ts'
import { inboxSource } from '../panes/gateway/inbox-table.ts'
import { methodsSource } from '../panes/gateway/methods-table.ts'
import { quarantineSource } from '../panes/gateway/quarantine-table.ts'
import { regionsSource } from '../panes/gateway/regions-table.ts'
import { sumsSource } from '../panes/gateway/sums-table.ts'
import { logSource } from '../panes/log/log-table.ts'
import { ordersSource } from '../panes/orders/orders-table.ts'
import { tickersSource } from '../panes/tickers/tickers-table.ts'
import { depositsSource } from '../panes/transfers/deposits-table.ts'
import { whitelistSource } from '../panes/transfers/whitelist-table.ts'
import { withdrawalsSource } from '../panes/transfers/withdrawals-table.ts'
import { listRowCount } from './list-room.ts'
import type { ListSource } from './list-source.ts'

/** The list of each pane that has one, for the keys that act on rows and for the overlays. */
const sources: Readonly<Partial<Record<ListPane, ListSource>>> = {
  orders: ordersSource,
  fills: fillsSource,
  balances: balancesSource,
  withdrawals: withdrawalsSource,
  deposits: depositsSource,
  whitelist: whitelistSource,
  inbox: inboxSource,
  sums: sumsSource,
  quarantine: quarantineSource,
  deliveries: deliveriesSource,
  currencies: currenciesSource,
  regions: regionsSource,
  methods: methodsSource,
  tickers: tickersSource,
  log: logSource,
}

export const sourceOf = (pane: ListPane): ListSource | undefined => sources[pane]

/** The list the keys go to, with the lines that its pane has for rows just now; null on a pane without one. */
export function focusedList(state: DeskState): { pane: ListPane; source: ListSource; lineCount: number } | null {
  const pane = listInFocus(state)
  const source = pane === null ? undefined : sourceOf(pane)
  if (pane === null || source === undefined) return null
  return { pane, source, lineCount: source.lineCount(listRowCount(state, paneOfList(pane))) }
}
