import type { GatewayDelivery } from '../../domain/gateway/delivery.ts'
import type { EligibleCurrency, EligiblePaymentMethod } from '../../domain/gateway/eligibility.ts'
import type { InboxOrder } from '../../domain/gateway/inbox-order.ts'
import type { OrderSums } from '../../domain/gateway/order-sums.ts'
import type { GatewayList } from './gateway-list.ts'
import type {
  AskedRegions,
  ConflictingText,
  EligibilityPart,
  InboxCounts,
  QuarantinedText,
  ReceiverState,
} from './gateway-state.ts'

/** What the gateway, the inbox and a person at their pane bring about. Alerts of orders are events of their own. */
export type GatewayStoreEvent =
  | { type: 'eligibleCurrencies'; currencies: readonly EligibleCurrency[]; atMs: number }
  | { type: 'eligibleRegions'; regions: AskedRegions; atMs: number }
  | { type: 'eligiblePaymentMethods'; paymentMethods: readonly EligiblePaymentMethod[]; atMs: number }
  | { type: 'eligibilityFailed'; part: EligibilityPart; sentence: string; atMs: number }
  /** The inbox as it was read: what stays the same is the same object as before. */
  | {
      type: 'inboxRead'
      orders: readonly InboxOrder[]
      isCut: boolean
      sums: OrderSums
      counts: InboxCounts
      quarantine: readonly QuarantinedText[]
      atMs: number
    }
  | { type: 'inboxFailed'; sentence: string; atMs: number }
  | { type: 'receiverChanged'; receiver: ReceiverState; atMs: number }
  /** The orders that have waited too long by now. */
  | { type: 'stuckOrders'; orderIds: ReadonlySet<string> }
  | { type: 'gatewayOrderOpened'; orderId: string }
  | {
      type: 'gatewayOrderRead'
      orderId: string
      order: InboxOrder | null
      conflicts: readonly ConflictingText[]
      failure: string | null
    }
  | { type: 'gatewaySeen'; sequence: number }
  | { type: 'gatewayListChosen'; list: GatewayList }
  | { type: 'onlyBuyToggled' }
  | { type: 'deliveriesRead'; deliveries: readonly GatewayDelivery[]; atMs: number }
  | { type: 'deliveriesFailed'; sentence: string; atMs: number }
