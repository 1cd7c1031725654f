import type { GatewayDelivery } from '../../domain/gateway/delivery.ts'
import type { EligibleCurrency, EligiblePaymentMethod } from '../../domain/gateway/eligibility.ts'
import type { InboxOrder } from '../../domain/gateway/inbox-order.ts'
import { noOrderSums, type OrderSums } from '../../domain/gateway/order.ts'
import type {
  AskedRegions,
  ConflictingText,
  InboxCounts,
  QuarantinedText,
  ReceiverState,
} from '../../domain/gateway/service-events.ts'
import { emptyFeed, type Feed } from '../feed.ts'
import type { GatewayList } from './gateway-list.ts'

export type {
  AskedRegions,
  ConflictingText,
  EligibilityPart,
  InboxCounts,
  QuarantinedText,
  ReceiverState,
} from '../../domain/gateway/service-events.ts'

/** What the gateway lets the partner sell, to whom and against what. */
export type EligibilityState = {
  readonly currencies: Feed<readonly EligibleCurrency[]>
  readonly regions: Feed<AskedRegions>
  readonly paymentMethods: Feed<readonly EligiblePaymentMethod[]>
}
/** An order with everything that the inbox keeps of it, asked for when a person opens it. */
export type OrderDetail = {
  readonly orderId: string
  /** Null until it has been read. */
  readonly order: InboxOrder | null
  readonly conflicts: readonly ConflictingText[]
  /** Why it could not be read. */
  readonly failure: string | null
}

export type InboxState = {
  readonly receiver: ReceiverState
  /** When the inbox was last read without fault; null before the first time. */
  readonly readAtMs: number | null
  /** Why it cannot be read now. */
  readonly failure: string | null
  /** The one of which an event came last is the first; the oldest are left out when there are very many. */
  readonly orders: readonly InboxOrder[]
  /** Older orders are in the inbox than those. */
  readonly isCut: boolean
  readonly sums: OrderSums
  /** Sums are of the orders whose first event came after this; null: of all. */
  readonly sumsSinceMs: number | null
  readonly counts: InboxCounts | null
  /** Newest first, bounded. */
  readonly quarantine: readonly QuarantinedText[]
  /** Orders that have waited too long, by their ids. */
  readonly stuck: ReadonlySet<string>
  /** Orders of which an event came after this place have not been looked at. */
  readonly seenSequence: number
  /** How many those are. */
  readonly unreadCount: number
  /** The order that a person has opened. */
  readonly detail: OrderDetail | null
}

export type GatewayState = {
  /** Whether there is a gateway to ask: its address and a partner key are known. */
  readonly isKnown: boolean
  /** The list of the pane that is in front. */
  readonly list: GatewayList
  /** Whether only regions are shown in which users may buy. */
  readonly onlyBuyAllowed: boolean
  readonly eligibility: EligibilityState
  readonly inbox: InboxState
  /** Of the desk's own practice gateway; null on any other. Newest first. */
  readonly deliveries: Feed<readonly GatewayDelivery[]> | null
}

/** What a desk knows of the gateway before anything has answered. */
export type GatewayStart = {
  readonly isKnown: boolean
  readonly receiver: ReceiverState
  /** Whether deliveries can be seen. */
  readonly isOwn: boolean
  /** What a person has looked at already, from an earlier run. */
  readonly seenSequence: number
}

export const noGateway: GatewayStart = { isKnown: false, receiver: { kind: 'none' }, isOwn: false, seenSequence: 0 }

export const initialGateway = ({ isKnown, receiver, isOwn, seenSequence }: GatewayStart): GatewayState => ({
  isKnown,
  list: 'inbox',
  onlyBuyAllowed: true,
  eligibility: { currencies: emptyFeed, regions: emptyFeed, paymentMethods: emptyFeed },
  inbox: {
    receiver,
    readAtMs: null,
    failure: null,
    orders: [],
    isCut: false,
    sums: noOrderSums,
    sumsSinceMs: null,
    counts: null,
    quarantine: [],
    stuck: new Set(),
    seenSequence,
    unreadCount: 0,
    detail: null,
  },
  deliveries: isOwn ? emptyFeed : null,
})

/** Rules and lists of a gateway change rarely; deliveries are watched. */
export const eligibilityStaleAfterMs = 600_000
export const deliveriesStaleAfterMs = 15_000
