import { type NotedEvent, sayer } from '../log.ts'
import type { SliceContext } from '../slice.ts'
import { type GatewayList, gatewayLists } from '../view/lists.ts'
import type { FocusEvent } from '../view/view.ts'
import type { GatewaySlice, GatewayStoreEvent } from './gateway.ts'

/** The parts that its commands use. */
type Context = SliceContext<
  GatewaySlice,
  GatewayStoreEvent | FocusEvent | NotedEvent,
  { readonly gateway: GatewayPort }
>

/** The user's acts in the gateway pane. Those that reach outside answer in the notice. */
export type GatewayCommands = {
  /** Focuses the gateway pane with this list in front. */
  showGatewayList(list: GatewayList): void
  /** The next or previous list. */
  walkGatewayLists(step: 1 | -1): void
  /** Shows all regions, or only those in which users may buy. */
  toggleOnlyBuy(): void
  /**
   * Reads all that the inbox has of an order: its history and contradicting bodies. The order and those below it count
   * as seen.
   */
  openGatewayOrder(orderId: string): void
  /** Marks all events so far as seen. */
  markGatewaySeen(): void
  /** Reads a quarantined body again, as this version understands events. */
  replayQuarantined(sequence: number): void
  /** Sends a delivery of the practice gateway again, also one that has expired. */
  retryDelivery(deliveryId: string): void
  /** Starts the desk's own inbox, or stops it, so that the gateway's deliveries fail and are retried. */
  switchInbox(to: 'start' | 'stop'): void
}

/** The lists of this desk: pending deliveries are known only of its own practice gateway. */
export const gatewayListsOf = ({ gateway }: GatewaySlice): readonly GatewayList[] =>
  gateway.deliveries === null ? gatewayLists.filter((list) => list !== 'deliveries') : gatewayLists

export function createGatewayCommands({ store, port }: Context): GatewayCommands {
  const say = sayer({ store, port })
  /** The lists of this desk. */
  const lists = () => gatewayListsOf(store.getState())
  const choose = (list: GatewayList) => store.dispatch({ type: 'gatewayListChosen', list })
  return {
    showGatewayList(list) {
      if (!lists().includes(list)) return say("Only the desk's own practice gateway lists deliveries.")
      choose(list)
      store.dispatch({ type: 'paneFocused', pane: 'gateway' })
    },
    walkGatewayLists(step) {
      const all = lists()
      const next = all.at((all.indexOf(store.getState().gateway.list) + step) % all.length)
      if (next !== undefined) choose(next)
    },
    toggleOnlyBuy: () => store.dispatch({ type: 'onlyBuyToggled' }),
    openGatewayOrder(orderId) {
      const order = store.getState().gateway.inbox.orders.find((each) => each.orderId === orderId)
      const { seenSequence } = store.getState().gateway.inbox
      if (order !== undefined && order.lastSequence > seenSequence)
        store.dispatch({ type: 'gatewaySeen', sequence: order.lastSequence })
      store.dispatch({ type: 'gatewayOrderOpened', orderId })
      port.gateway.readOrder(orderId)
    },
    markGatewaySeen() {
      const { orders, seenSequence } = store.getState().gateway.inbox
      const newest = orders[0]?.lastSequence ?? seenSequence
      if (newest > seenSequence) store.dispatch({ type: 'gatewaySeen', sequence: newest })
    },
    replayQuarantined: (sequence) => port.gateway.replay(sequence),
    retryDelivery(deliveryId) {
      if (store.getState().gateway.deliveries === null) return say('This desk has no practice gateway of its own.')
      port.gateway.retryDelivery(deliveryId)
    },
    switchInbox(to) {
      const { receiver } = store.getState().gateway.inbox
      if (receiver.kind === 'none') return say('This desk has no inbox of its own.')
      if (receiver.kind === 'elsewhere') return say('The inbox runs outside of this desk: start or stop it there.')
      port.gateway.switchInbox(to)
    },
  }
}

/** The services behind the commands; answers arrive as events and notices. */
export type GatewayPort = {
  readOrder(orderId: string): void
  replay(sequence: number): void
  retryDelivery(deliveryId: string): void
  switchInbox(to: 'start' | 'stop'): void
}
