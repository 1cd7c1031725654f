import type { OrderStatus } from '../../domain/orders/order.ts'
import type { ExchangeState } from './state.ts'
import type { WorkingOrder } from './working-order.ts'

type EndStatus = Extract<OrderStatus, 'FILLED' | 'CANCELED' | 'EXPIRED'>

/** Ends a working order that is in no queue any more: gives back what it held, and hands it over to the history. */
export function endOrder(state: ExchangeState, order: WorkingOrder, status: EndStatus, text: string | null): void {
  releaseHold(order)
  order.status = status
  order.text = text
  order.market.workingLots[order.side] -= order.openLots
  state.orders.delete(order.id)
  state.expiries.remove(order)
  order.holder.workingOrders.delete(order.clOrdId)
  state.history.addOrder(order.data())
  state.emitOrder(order)
}

/** Takes an order out of the book or from among the stops, and ends it. */
export function withdrawOrder(state: ExchangeState, order: WorkingOrder, status: EndStatus, text: string | null): void {
  if (order.status === 'PENDING') order.market.stops.remove(order)
  else order.market.book.remove(order)
  endOrder(state, order, status, text)
}

/** The status of a resting order after a fill: it has ended when nothing is open. */
export function finishFilled(state: ExchangeState, order: WorkingOrder): void {
  if (order.openLots === 0) {
    endOrder(state, order, 'FILLED', null)
    return
  }
  order.status = 'PART_FILLED'
  state.emitOrder(order)
}

/** Gives back what is held for the open lots; from now on nothing is. */
export function releaseHold(order: WorkingOrder): void {
  if (order.openLots > 0) order.spends.release(order.holdPerLot * BigInt(order.openLots))
  order.holdPerLot = 0n
}

/** Ends every GTD order whose day is over. */
export function expireDue(state: ExchangeState): void {
  while (state.expiries.nextMs <= state.nowMs)
    for (const order of state.expiries.nextOrders()) withdrawOrder(state, order, 'EXPIRED', null)
}
