import type { InboxOrder } from '../../domain/gateway/inbox-order.ts'
import type { StoreEvent } from '../events.ts'
import { arrived, failed } from '../feed.ts'
import type { DeskState } from '../state.ts'
import type { GatewayStoreEvent } from './gateway-events.ts'
import type { EligibilityState, GatewayState, InboxState } from './gateway-state.ts'

type EligibilityEvent = Extract<
  GatewayStoreEvent,
  { type: 'eligibleCurrencies' | 'eligibleRegions' | 'eligiblePaymentMethods' | 'eligibilityFailed' }
>

/** Every event of the gateway's part, so that the desk's table of events needs one line for all of them. */
const names: Readonly<Record<GatewayStoreEvent['type'], true>> = {
  eligibleCurrencies: true,
  eligibleRegions: true,
  eligiblePaymentMethods: true,
  eligibilityFailed: true,
  onlyBuyToggled: true,
  gatewayListChosen: true,
  deliveriesRead: true,
  deliveriesFailed: true,
  inboxRead: true,
  inboxFailed: true,
  receiverChanged: true,
  stuckOrders: true,
  gatewayOrderOpened: true,
  gatewayOrderRead: true,
  gatewaySeen: true,
}

export const isGatewayEvent = (event: StoreEvent): event is GatewayStoreEvent => Object.hasOwn(names, event.type)

/** The desk after an event of its gateway. */
export function withGateway(state: DeskState, event: GatewayStoreEvent): DeskState {
  const gateway = reduceGateway(state.gateway, event)
  return gateway === state.gateway ? state : { ...state, gateway }
}

/** The gateway's part of the state after an event. */
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
    case 'deliveriesFailed':
      if (state.deliveries === null) return state
      return { ...state, deliveries: failed(state.deliveries, event.sentence, event.atMs) }
    default: {
      const inbox = reduceInbox(state.inbox, event)
      return inbox === state.inbox ? state : { ...state, inbox }
    }
  }
}

const withPart = (state: GatewayState, part: Partial<EligibilityState>): GatewayState => ({
  ...state,
  eligibility: { ...state.eligibility, ...part },
})

function withEligibility(state: GatewayState, event: EligibilityEvent): GatewayState {
  switch (event.type) {
    case 'eligibleCurrencies':
      return withPart(state, { currencies: arrived(event.currencies, event.atMs) })
    case 'eligibleRegions':
      return withPart(state, { regions: arrived(event.regions, event.atMs) })
    case 'eligiblePaymentMethods':
      return withPart(state, { paymentMethods: arrived(event.paymentMethods, event.atMs) })
    case 'eligibilityFailed': {
      const { part, sentence, atMs } = event
      return withPart(state, { [part]: failed<unknown>(state.eligibility[part], sentence, atMs) })
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
      return withUnread({ ...inbox, ...read })
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
      // A person may have opened another one meanwhile.
      return inbox.detail?.orderId === orderId ? { ...inbox, detail: { orderId, order, conflicts, failure } } : inbox
    }
    case 'gatewaySeen':
      return withUnread({ ...inbox, seenSequence: Math.max(inbox.seenSequence, event.sequence) })
  }
}

/** Orders stand newest first, so that only those that were not looked at are counted. */
function withUnread(inbox: InboxState): InboxState {
  const at = inbox.orders.findIndex(({ lastSequence }: InboxOrder) => lastSequence <= inbox.seenSequence)
  const unreadCount = at === -1 ? inbox.orders.length : at
  return unreadCount === inbox.unreadCount ? inbox : { ...inbox, unreadCount }
}
