import { formatPrice } from '../../domain/market/instrument.ts'
import { type Decimal, zero } from '../../domain/money.ts'
import { block, type Check, warn } from '../../domain/orders/checks/check.ts'
import { type CheckContext, preTradeChecks } from '../../domain/orders/checks/pre-trade.ts'
import { isWorking, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import {
  contextWithout,
  movedDrafts,
  moveQuantities,
  type OrderTerms,
  orderTerms,
} from '../../domain/orders/order-move.ts'
import { checkContext } from '../check-context.ts'
import type { DeskState } from '../state.ts'

/** A move as it would go out now: the order as it stands, what would be placed of it, and what the checks say. */
export type MoveReading = {
  /** As the exchange reported it last; null when it works no longer. */
  order: Order | null
  /** The order in whole, of which the service leaves out what has filled by then. */
  whole: OrderDraft
  /** What is open of it now. */
  rest: OrderDraft
  terms: OrderTerms
  checks: Check[]
}

/** The order that is moved, as the lists show it now. */
export const liveOrder = (state: Pick<DeskState, 'orders'>, { orderId }: Order): Order | null =>
  state.orders.value?.find((order) => order.orderId === orderId && isWorking(order)) ?? null

/** What the checks may rest on for an order that takes the place of another one; null: of none. */
export function contextInstead(
  state: DeskState,
  symbol: string,
  insteadOf: string | null,
  nowMs: number,
): CheckContext {
  const context = checkContext(state, symbol, nowMs)
  const order = insteadOf === null ? undefined : state.orders.value?.find(({ orderId }) => orderId === insteadOf)
  return order === undefined ? context : contextWithout(context, order)
}

/** Why an order whose quantity nothing tells cannot be moved, as a clause. */
export const unknownQuantity = ({ orderId, clientOrderId }: Order): string =>
  `open quantity of order ${orderId ?? clientOrderId} unknown: cancel it and place a new one instead`

/** Judges a move by the checks of every new order, as if the old one were cancelled already. */
export function readMove(state: DeskState, picked: Order, price: Decimal, nowMs: number = state.nowMs): MoveReading {
  const order = liveOrder(state, picked)
  const terms = orderTerms(picked, state.ownDrafts)
  const quantities = moveQuantities(order ?? picked, terms)
  const drafts = movedDrafts(order ?? picked, price, terms, quantities ?? { open: zero, whole: zero })
  if (order === null) {
    const ended = block(
      'fields',
      `order ${picked.orderId ?? picked.clientOrderId} works no longer: there is nothing to move`,
    )
    return { order, ...drafts, terms, checks: [ended] }
  }
  if (quantities === null) return { order, ...drafts, terms, checks: [block('fields', unknownQuantity(order))] }
  const context = contextInstead(state, order.symbol, order.orderId, nowMs)
  // The size is what it was: nobody has just typed it.
  const checks = preTradeChecks(drafts.rest, context).filter(({ rule }) => rule !== 'unusual')
  if (!terms.isKnown) checks.push(warn('fields', 'its time in force is not reported: the new one is GTC'))
  const instrument = state.instruments.value?.get(order.symbol)
  if (order.limitPrice?.eq(price) === true && instrument !== undefined) {
    const text = `it rests at ${formatPrice(price, instrument)} already: choose another price`
    return { order, ...drafts, terms, checks: [block('fields', text), ...checks] }
  }
  return { order, ...drafts, terms, checks }
}
