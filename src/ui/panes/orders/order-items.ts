import { filledShare, type Order, openQuantity, orderQuantity } from '../../../domain/order.ts'
import { orderKey } from '../../../store/selectors.ts'
import type { DeskState } from '../../../store/state.ts'

/** A line of the orders pane: a write whose outcome is not known, a working order, or one that ended. */
export type OrderItem = { key: string; kind: 'unknown' | 'working' | 'ended'; order: Order | null; atMs: number | null }

/** All lines from the top: what is not settled, then what works, then what ended, newest first. */
export function orderItems(state: Pick<DeskState, 'orders' | 'unsettled' | 'endedOrders'>): OrderItem[] {
  const unknown = state.unsettled.map(({ key, order, atMs }): OrderItem => ({ key, kind: 'unknown', order, atMs }))
  const item = (order: Order, kind: 'working' | 'ended'): OrderItem => {
    return { key: orderKey(order), kind, order, atMs: order.timestampMs }
  }
  return [
    ...unknown,
    ...(state.orders.value ?? []).map((order) => item(order, 'working')),
    ...state.endedOrders.map((order) => item(order, 'ended')),
  ]
}

/** The state as the list names it: a write without an answer is `UNKNOWN`, whatever was last reported. */
export const stateWord = ({ kind, order }: OrderItem): string =>
  kind === 'unknown' ? 'UNKNOWN' : (order?.status ?? '')

/** Ordered and still open quantity; `?` where it is not known. */
export function quantities({ kind, order }: OrderItem): {
  ordered: Order['leavesQuantity'] | null
  open: Order['leavesQuantity'] | null
} {
  if (order === null) return { ordered: null, open: null }
  if (kind === 'unknown') return { ordered: order.leavesQuantity.plus(order.cumQuantity), open: null }
  return { ordered: orderQuantity(order), open: openQuantity(order) }
}

/** Filled share in whole percent, rounded down: 100% means all of it. */
export function filledText({ kind, order }: OrderItem): string {
  if (order === null || kind === 'unknown') return '?'
  return `${filledShare(order).times(100).floor().toFixed(0)}%`
}
