import type { ComponentType } from 'react'
import type { PaneName } from '../../store/view/panes.ts'
import { BalancesPane } from './balances-pane.tsx'
import { ChartPane } from './chart/chart-pane.tsx'
import { EquityPane } from './equity/equity-pane.tsx'
import { FillsPane } from './fills-pane.tsx'
import { GatewayPane } from './gateway/gateway-pane.tsx'
import { LadderPane } from './ladder/ladder-pane.tsx'
import { LogPane } from './log-pane.tsx'
import { OrdersPane } from './orders-pane.tsx'
import type { PaneProps } from './pane-view.tsx'
import { PlansPane } from './plans-pane.tsx'
import { PositionsPane } from './positions-pane.tsx'
import { SessionPane } from './session-pane.tsx'
import { TickersPane } from './tickers-pane.tsx'
import { TransfersPane } from './transfers-pane.tsx'

/** The component for each pane. */
const components: Readonly<Record<PaneName, ComponentType<PaneProps>>> = {
  ladder: (props) => <LadderPane which="ladder" {...props} />,
  ladder2: (props) => <LadderPane which="ladder2" {...props} />,
  orders: OrdersPane,
  fills: FillsPane,
  balances: BalancesPane,
  transfers: TransfersPane,
  gateway: GatewayPane,
  log: LogPane,
  chart: ChartPane,
  tickers: TickersPane,
  session: SessionPane,
  positions: PositionsPane,
  equity: EquityPane,
  plans: PlansPane,
}

/** The pane that a slot of the layout names. */
export function PaneByName({ pane, ...props }: PaneProps & { pane: PaneName }) {
  const Pane = components[pane]
  return <Pane {...props} />
}
