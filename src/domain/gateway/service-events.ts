import type { GatewayDelivery } from './delivery.ts'
import type { EligibleCurrency, EligiblePaymentMethod, EligibleRegions } from './eligibility.ts'
import type { InboxOrder } from './inbox-order.ts'
import type { StoreCounts } from './inbox-source.ts'
import type { OrderSums } from './order.ts'

/** The regions as they were asked for: all of them, or only those in which users may buy. */
export type AskedRegions = EligibleRegions & { readonly onlyBuyAllowed: boolean }

export type EligibilityPart = 'currencies' | 'regions' | 'paymentMethods'

/**
 * Where events come in: not known yet, nowhere, in another program that keeps them where this desk reads them, or in
 * this very desk.
 */
export type ReceiverState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'none' }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'listening'; readonly url: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly sentence: string }

/** A body that is not an event, as it came. */
export type QuarantinedText = {
  readonly sequence: number
  readonly receivedAtMs: number
  readonly source: string
  readonly reason: string
  /** The beginning of a long one; bytes that are no text are replacement characters. */
  readonly text: string
  /** Set once a replay has read it as an event. */
  readonly replayedAtMs: number | null
}

/** A body that came under the id of another event. */
export type ConflictingText = {
  readonly eventId: string
  readonly receivedAtMs: number
  readonly source: string
  readonly text: string
}

/** What the gateway's interface and the inbox bring to the desk. Alerts of orders are events of their own. */
export type GatewayServiceEvent =
  | { type: 'eligibleCurrencies'; currencies: readonly EligibleCurrency[]; atMs: number }
  | { type: 'eligibleRegions'; regions: AskedRegions; atMs: number }
  | { type: 'eligiblePaymentMethods'; paymentMethods: readonly EligiblePaymentMethod[]; atMs: number }
  | { type: 'eligibilityFailed'; part: EligibilityPart; sentence: string; atMs: number }
  /** The inbox as it was read: what stays the same is the same object as before. */
  | {
      type: 'inboxRead'
      /** The one of which an event came last is the first; the oldest are left out when there are very many. */
      orders: readonly InboxOrder[]
      /** Older orders are in the inbox than those. */
      isCut: boolean
      /** Of the orders whose first event came after `sumsSinceMs`; null: of all. */
      sums: OrderSums
      sumsSinceMs: number | null
      counts: StoreCounts
      quarantine: readonly QuarantinedText[]
      atMs: number
    }
  | { type: 'inboxFailed'; sentence: string; atMs: number }
  | { type: 'receiverChanged'; receiver: ReceiverState; atMs: number }
  /** The orders that have waited too long by now. */
  | { type: 'stuckOrders'; orderIds: ReadonlySet<string> }
  | {
      type: 'gatewayOrderRead'
      orderId: string
      order: InboxOrder | null
      conflicts: readonly ConflictingText[]
      failure: string | null
    }
  | { type: 'deliveriesRead'; deliveries: readonly GatewayDelivery[]; atMs: number }
