import type { GatewayServiceEvent } from '../../domain/gateway/service-events.ts'
import type { GatewayList } from './gateway-list.ts'

/** What the gateway, the inbox and a person at their pane bring about. Alerts of orders are events of their own. */
export type GatewayStoreEvent =
  | GatewayServiceEvent
  | { type: 'gatewayOrderOpened'; orderId: string }
  /** Orders up to this place have been looked at. */
  | { type: 'gatewaySeen'; sequence: number }
  | { type: 'gatewayListChosen'; list: GatewayList }
  | { type: 'onlyBuyToggled' }
