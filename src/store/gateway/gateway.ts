import type { GatewayDelivery } from '../../domain/gateway/delivery.ts'
import type { EligibleCurrency, EligiblePaymentMethod } from '../../domain/gateway/eligibility.ts'
import type { InboxOrder } from '../../domain/gateway/inbox-order.ts'
import type { StoreCounts } from '../../domain/gateway/inbox-source.ts'
import { noOrderSums, type OrderSums } from '../../domain/gateway/order.ts'
import type {
  AskedRegions,
  ConflictingText,
  GatewayServiceEvent,
  QuarantinedText,
  ReceiverState,
} from '../../domain/gateway/service-events.ts'
import { arrived, emptyFeed, type Feed, failed } from '../feeds/feed.ts'
import type { GatewayList } from '../view/lists.ts'

/** Events of the gateway, the inbox and the user at their pane. Alerts of orders are events of their own. */
export type GatewayStoreEvent =
  | GatewayServiceEvent
  | { type: 'gatewayOrderOpened'; orderId: string }
  /** Orders up to this place are seen. */
  | { type: 'gatewaySeen'; sequence: number }
  | { type: 'gatewayListChosen'; list: GatewayList }
  | { type: 'onlyBuyToggled' }

/** What the gateway lets the partner sell, to whom and for which currencies. */
type EligibilityState = {
  readonly currencies: Feed<readonly EligibleCurrency[]>
  readonly regions: Feed<AskedRegions>
  readonly paymentMethods: Feed<readonly EligiblePaymentMethod[]>
}
/** An order with all stored events, requested when the user opens it. */
export type OrderDetail = {
  readonly orderId: string
  /** Null until read. */
  readonly order: InboxOrder | null
  readonly conflicts: readonly ConflictingText[]
  /** Why it could not be read; null when it could. */
  readonly failure: string | null
}

export type InboxState = {
  readonly receiver: ReceiverState
  /** When the inbox was last read successfully; null before the first time. */
  readonly readAtMs: number | null
  /** Why it cannot be read now; null when it can. */
  readonly failure: string | null
  /** Ordered by their last events, newest first; the oldest are dropped when there are very many. */
  readonly orders: readonly InboxOrder[]
  /** True when the inbox has older orders than these. */
  readonly isCut: boolean
  readonly sums: OrderSums
  /** The sums count orders whose first event came after this; null for all. */
  readonly sumsSinceMs: number | null
  readonly counts: StoreCounts | null
  /** Newest first, bounded. */
  readonly quarantine: readonly QuarantinedText[]
  /** Ids of orders that have waited too long. */
  readonly stuck: ReadonlySet<string>
  /** Orders with events after this place are not seen yet. */
  readonly seenSequence: number
  /** The number of those orders. */
  readonly unreadCount: number
  /** The order that the user has opened; null for none. */
  readonly detail: OrderDetail | null
}

export type GatewayState = {
  /** True when there is a gateway to call: its address and a partner key are known. */
  readonly isKnown: boolean
  /** True when its pane has a place: a gateway is set, or the user asked for it. */
  readonly isShown: boolean
  /** The list in front. */
  readonly list: GatewayList
  /** True when only regions are shown in which users may buy. */
  readonly onlyBuyAllowed: boolean
  readonly eligibility: EligibilityState
  readonly inbox: InboxState
  /** Deliveries of the desk's own practice gateway, newest first; null on any other. */
  readonly deliveries: Feed<readonly GatewayDelivery[]> | null
}

/** What a desk knows of the gateway before any answer. */
export type GatewayStart = {
  readonly isKnown: boolean
  /** True when the settings name a gateway; the desk's own practice gateway exists without that. */
  readonly isSet: boolean
  readonly receiver: ReceiverState
  /** True when deliveries can be seen. */
  readonly isOwn: boolean
  /** The place up to which the user saw events in an earlier run. */
  readonly seenSequence: number
}

export const noGateway: GatewayStart = {
  isKnown: false,
  isSet: false,
  receiver: { kind: 'none' },
  isOwn: false,
  seenSequence: 0,
}

export const initialGateway = ({ isKnown, isSet, receiver, isOwn, seenSequence }: GatewayStart): GatewayState => ({
  isKnown,
  isShown: isSet,
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

/** Stale limit for the gateway's rules and lists, which change rarely; deliveries are followed. */
export const eligibilityStaleAfterMs = 600_000
export const deliveriesStaleAfterMs = 15_000

type EligibilityEvent = Extract<
  GatewayStoreEvent,
  { type: 'eligibleCurrencies' | 'eligibleRegions' | 'eligiblePaymentMethods' | 'eligibilityFailed' }
>

/** The gateway's state after an event. */
export function reduceGateway(state: GatewayState, event: GatewayStoreEvent): GatewayState {
  switch (event.type) {
    case 'eligibleCurrencies':
    case 'eligibleRegions':
    case 'eligiblePaymentMethods':
    case 'eligibilityFailed':
      return withEligibility(state, event)
    case 'onlyBuyToggled':
      return { ...state, onlyBuyAllowed: !state.onlyBuyAllowed }
    case 'gatewayListChosen':
      return state.list === event.list ? state : { ...state, list: event.list }
    case 'deliveriesRead':
      return state.deliveries === null ? state : { ...state, deliveries: arrived(event.deliveries, event.atMs) }
    default: {
      const inbox = reduceInbox(state.inbox, event)
      return inbox === state.inbox ? state : { ...state, inbox }
    }
  }
}

const withEligibilityPart = (state: GatewayState, part: Partial<EligibilityState>): GatewayState => ({
  ...state,
  eligibility: { ...state.eligibility, ...part },
})

function withEligibility(state: GatewayState, event: EligibilityEvent): GatewayState {
  switch (event.type) {
    case 'eligibleCurrencies':
      return withEligibilityPart(state, { currencies: arrived(event.currencies, event.atMs) })
    case 'eligibleRegions':
      return withEligibilityPart(state, { regions: arrived(event.regions, event.atMs) })
    case 'eligiblePaymentMethods':
      return withEligibilityPart(state, { paymentMethods: arrived(event.paymentMethods, event.atMs) })
    case 'eligibilityFailed': {
      const { part, sentence, atMs } = event
      return withEligibilityPart(state, { [part]: failed<unknown>(state.eligibility[part], sentence, atMs) })
    }
  }
}

type InboxEvent = Extract<
  GatewayStoreEvent,
  {
    type:
      | 'inboxRead'
      | 'inboxFailed'
      | 'receiverChanged'
      | 'stuckOrders'
      | 'gatewayOrderOpened'
      | 'gatewayOrderRead'
      | 'gatewaySeen'
  }
>

function reduceInbox(inbox: InboxState, event: InboxEvent): InboxState {
  switch (event.type) {
    case 'inboxRead': {
      const { orders, isCut, sums, sumsSinceMs, counts, quarantine, atMs } = event
      const read = { orders, isCut, sums, sumsSinceMs, counts, quarantine, readAtMs: atMs, failure: null }
      return withUnread({ ...inbox, ...read, seenSequence: seenHere(inbox.seenSequence, orders) })
    }
    case 'inboxFailed':
      return inbox.failure === event.sentence ? inbox : { ...inbox, failure: event.sentence }
    case 'receiverChanged':
      return { ...inbox, receiver: event.receiver }
    case 'stuckOrders':
      return { ...inbox, stuck: event.orderIds }
    case 'gatewayOrderOpened':
      return { ...inbox, detail: { orderId: event.orderId, order: null, conflicts: [], failure: null } }
    case 'gatewayOrderRead': {
      const { orderId, order, conflicts, failure } = event
      // The user may have opened another one meanwhile.
      return inbox.detail?.orderId === orderId ? { ...inbox, detail: { orderId, order, conflicts, failure } } : inbox
    }
    case 'gatewaySeen':
      return withUnread({ ...inbox, seenSequence: Math.max(inbox.seenSequence, event.sequence) })
  }
}

/**
 * The place up to which this store was seen. One behind all that it has is of another store, or of this one before it
 * was put back: what comes under those numbers nobody has seen.
 */
const seenHere = (seenSequence: number, [newest]: readonly InboxOrder[]): number =>
  newest === undefined || newest.lastSequence < seenSequence ? 0 : seenSequence

/** Counts unseen orders; they come first, because orders are sorted newest first. */
function withUnread(inbox: InboxState): InboxState {
  const at = inbox.orders.findIndex(({ lastSequence }: InboxOrder) => lastSequence <= inbox.seenSequence)
  const unreadCount = at === -1 ? inbox.orders.length : at
  return unreadCount === inbox.unreadCount ? inbox : { ...inbox, unreadCount }
}

/** True when the store has older entries of a list than the desk reads and keeps. */
export const hasOlder = ({ inbox }: Pick<GatewayState, 'inbox'>, list: string): boolean =>
  list === 'inbox' ? inbox.isCut : list === 'quarantine' && (inbox.counts?.quarantined ?? 0) > inbox.quarantine.length

/** The number of orders that are not seen yet; `3000+` where older ones may be unseen too, which the desk has not. */
export const unreadText = ({ unreadCount, orders, isCut }: InboxState): string =>
  `${unreadCount}${isCut && unreadCount === orders.length ? '+' : ''}`

export type GatewaySlice = { gateway: GatewayState }
