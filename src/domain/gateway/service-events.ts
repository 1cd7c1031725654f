import type { GatewayDelivery } from './delivery.ts'
import type { EligibleCurrency, EligiblePaymentMethod, EligibleRegions } from './eligibility.ts'
import type { InboxOrder } from './inbox-order.ts'
import type { StoreCounts } from './inbox-source.ts'
import type { OrderSums } from './order.ts'

/** The requested regions: all, or only those where users may buy. */
export type AskedRegions = EligibleRegions & { readonly onlyBuyAllowed: boolean }

export type EligibilityPart = 'currencies' | 'regions' | 'paymentMethods'

/**
 * Where events are received: not known yet, nowhere, in another program whose store this desk reads, or in this desk.
 */
export type ReceiverState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'none' }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly sentence: string }

/** A body that is not an event, as received. */
export type QuarantinedText = {
  readonly sequence: number
  readonly receivedAtMs: number
  readonly source: string
  readonly reason: string
  /** The start of a long one; invalid bytes are replacement characters. */
  readonly text: string
  /** Set once a replay has read it as an event. */
  readonly replayedAtMs: number | null
}

/** A body received with the id of another event. */
export type ConflictingText = {
  readonly eventId: string
  readonly receivedAtMs: number
  readonly source: string
  readonly text: string
}

/** Events from the gateway's interface and the inbox. Alerts of orders are separate events. */
export type GatewayServiceEvent =
  | { type: 'eligibleCurrencies'; currencies: readonly EligibleCurrency[]; atMs: number }
  | { type: 'eligibleRegions'; regions: AskedRegions; atMs: number }
  | { type: 'eligiblePaymentMethods'; paymentMethods: readonly EligiblePaymentMethod[]; atMs: number }
  | { type: 'eligibilityFailed'; part: EligibilityPart; sentence: string; atMs: number }
  /** The inbox as read; unchanged parts are the same objects as before. */
  | {
      type: 'inboxRead'
      /** Sorted by last event, newest first; the oldest are left out when there are very many. */
      orders: readonly InboxOrder[]
      /** True when the inbox has older orders. */
      isCut: boolean
      /** Sums of the orders whose first event arrived after `sumsSinceMs`; null for all. */
      sums: OrderSums
      sumsSinceMs: number | null
      counts: StoreCounts
      quarantine: readonly QuarantinedText[]
      atMs: number
    }
  | { type: 'inboxFailed'; sentence: string; atMs: number }
  | { type: 'receiverChanged'; receiver: ReceiverState; atMs: number }
  /** The orders that have waited too long. */
  | { type: 'stuckOrders'; orderIds: ReadonlySet<string> }
  | {
      type: 'gatewayOrderRead'
      orderId: string
      order: InboxOrder | null
      conflicts: readonly ConflictingText[]
      failure: string | null
    }
  | { type: 'deliveriesRead'; deliveries: readonly GatewayDelivery[]; atMs: number }
