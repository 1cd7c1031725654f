import type { PaneName } from '../../store/view/view.ts'
import { BalancesPane } from './balances-pane.tsx'
import { ChartPane } from './chart/chart-pane.tsx'
import { FillsPane } from './fills-pane.tsx'
import { GatewayPane } from './gateway/gateway-pane.tsx'
import { LadderPane } from './ladder/ladder-pane.tsx'
import { LogPane } from './log-pane.tsx'
import { OrdersPane } from './orders-pane.tsx'
import type { PaneProps } from './pane-view.tsx'
import { SessionPane } from './session-pane.tsx'
import { TickersPane } from './tickers-pane.tsx'
import { TransfersPane } from './transfers-pane.tsx'

/** The pane a slot of the layout names. */
export function PaneByName({ pane, ...props }: PaneProps & { pane: PaneName }) {
  switch (pane) {
    case 'ladder':
    case 'ladder2':
      return <LadderPane which={pane} {...props} />
    case 'orders':
      return <OrdersPane {...props} />
    case 'fills':
      return <FillsPane {...props} />
    case 'balances':
      return <BalancesPane {...props} />
    case 'transfers':
      return <TransfersPane {...props} />
    case 'gateway':
      return <GatewayPane {...props} />
    case 'tickers':
      return <TickersPane {...props} />
    case 'log':
      return <LogPane {...props} />
    case 'chart':
      return <ChartPane {...props} />
    case 'session':
      return <SessionPane {...props} />
  }
}
