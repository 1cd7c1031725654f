import { isWorking, type Order } from '../domain/order.ts'
import { describeEnd } from './describe.ts'
import { noted } from './log.ts'
import type { DeskState, Unsettled } from './state.ts'

/** The key an unanswered cancel is kept under. */
export const cancelKey = (orderId: string): string => `cancel ${orderId}`

/** What a report of `order` settles: a submit under its client order id; a cancel once the order has ended. */
function isSettledBy(entry: Unsettled, order: Order): boolean {
  if (entry.kind === 'order') return entry.key === order.clientOrderId
  return (
    entry.kind === 'cancel' && order.orderId !== null && entry.key === cancelKey(order.orderId) && !isWorking(order)
  )
}

/** A report of an order answers the question whether it was placed, or whether its cancel took effect. */
export function withSettled(state: DeskState, order: Order, atMs: number): DeskState {
  const left = state.unsettled.filter((entry) => !isSettledBy(entry, order))
  if (left.length === state.unsettled.length) return state
  const sentence = isWorking(order) ? `Found: order ${order.orderId} was placed and is working.` : describeEnd(order)
  return noted({ ...state, unsettled: left }, 'good', sentence, atMs)
}
