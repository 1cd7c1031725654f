import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { takenIdText } from '../../domain/hub/taken-id.ts'
import { isWorking, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import {
  mismatchText,
  type NotSent,
  type OrderOutcome,
  orderMismatches,
  type UnknownCause,
} from '../../domain/orders/order-outcome.ts'
import { findOrders, ordersSinceMs } from './find-orders.ts'
import { recordedFailure, unsent, untilItEnds, type Written } from './journaled-write.ts'

export type SendClient = Pick<
  ExchangeClient,
  'placeOrder' | 'cancelOrder' | 'cancelAllOrders' | 'fetchOrder' | 'fetchOrders' | 'fetchOrderPage'
>

/** What sending and looking afterwards need beside the client. */
export type SendContext = {
  clock: Clock
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while that is not known. */
  skewMs?: () => number | null
  /**
   * Which accepted order is compared with the order's own report. One reported as ended always is, or its row would
   * look gone while it works; `all` is for a caller without a list that shows it a moment later.
   */
  confirms?: 'ended' | 'all'
}

type Placed = Written<OrderOutcome | NotSent>

/**
 * Sends an order under its id, which nothing else may bear; tells what became of it, as far as that is seen to be so.
 */
export async function placeOnce(
  client: SendClient,
  context: SendContext,
  draft: OrderDraft,
  clientOrderId: string,
): Promise<Placed> {
  const sent = { ...draft, clientOrderId }
  const sentAtMs = context.clock.wallMs()
  const confirm = (reason: string) => confirmRefusal(client, context, { sent, sentAtMs, reason })
  let order: Order
  try {
    order = await client.placeOrder(sent)
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    const { kind, reason } = recordedFailure(error, 'rejected')
    if (kind === 'notSent') return unsent(reason)
    if (kind === 'unknown') return unknownOrder(clientOrderId, reason, 'noAnswer')
    // What is listed under the id is not ours, however alike: the hub has one record of whose each is.
    if (error.idTakenBy !== null) return unsent(takenIdText(clientOrderId, error.idTakenBy))
    return await confirm(reason)
  }
  const mismatches = orderMismatches(sent, order)
  if (mismatches.length > 0) return unknownOrder(clientOrderId, mismatchText(mismatches), 'otherAnswer')
  const isAsked = context.confirms === 'all' || !isWorking(order) || order.orderId === null
  const seen = isAsked ? await ownReport(client, context, { sent, sentAtMs, answered: order }) : order
  if (seen === null) return unknownOrder(clientOrderId, 'the exchange lists no such order', 'unconfirmed')
  const others = orderMismatches(sent, seen)
  if (others.length > 0) return unknownOrder(clientOrderId, mismatchText(others), 'otherAnswer')
  if (seen.status === 'REJECTED') return await confirm(seen.text ?? 'the exchange gives no reason')
  return acceptedOrder(seen)
}

type Answered = { sent: OrderDraft & { clientOrderId: string }; sentAtMs: number; answered: Order }

/**
 * The order as the exchange reports it by the id that the answer gave it; as it was answered where no report comes.
 * Without an id, or one that the exchange does not know, the lists are asked: null where they have no such order, or do
 * not say.
 */
async function ownReport(
  client: SendClient,
  { skewMs = () => null }: SendContext,
  { sent: { clientOrderId }, sentAtMs, answered }: Answered,
): Promise<Order | null> {
  const { orderId, status } = answered
  // A refused copy of an order that is there bears an id of its own: the lists tell of both.
  if (status === 'REJECTED') return answered
  try {
    if (orderId !== null) return await client.fetchOrder(orderId, untilItEnds)
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    if (!isNotFound(error)) return answered
  }
  try {
    const sinceMs = ordersSinceMs(sentAtMs, skewMs())
    const found = await findOrders(client, new Set([clientOrderId]), sinceMs, untilItEnds, 'standing')
    return found.orders.get(clientOrderId) ?? null
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return null
  }
}

const acceptedOrder = (order: Order): Placed => ({
  recorded: { kind: 'accepted', id: order.orderId, status: order.status },
  outcome: { kind: 'accepted', order },
})

const rejectedOrder = (clientOrderId: string, reason: string): Placed => ({
  recorded: { kind: 'rejected', reason },
  outcome: { kind: 'rejected', clientOrderId, reason },
})

function unknownOrder(clientOrderId: string, reason: string, cause: UnknownCause): Placed {
  return { recorded: { kind: 'unknown', reason }, outcome: { kind: 'unknown', clientOrderId, reason, cause } }
}

type Refusal = { sent: OrderDraft & { clientOrderId: string }; sentAtMs: number; reason: string }

/** A no of this kind says that an order with our id is there, and no other one of ours bears it. */
const namesDuplicate = (reason: string): boolean => /duplicate|\bclOrdId\b|client order id/i.test(reason)

/**
 * A no to an order is held against what the exchange lists: something in between may have delivered it twice, and the
 * second answer, a refused duplicate, says nothing of the first. Only an order that is nowhere was not placed, and a
 * list that is refused or cut says nothing of where it is. After a refused duplicate one look is not enough: a list may
 * be a few seconds behind.
 */
async function confirmRefusal(
  client: SendClient,
  { skewMs = () => null }: SendContext,
  { sent, sentAtMs, reason }: Refusal,
): Promise<Placed> {
  const { clientOrderId } = sent
  const sinceMs = ordersSinceMs(sentAtMs, skewMs())
  try {
    const found = await findOrders(client, new Set([clientOrderId]), sinceMs, untilItEnds, 'standing')
    const order = found.orders.get(clientOrderId)
    if (order === undefined || order.status === 'REJECTED') {
      if (found.unreadable.length > 0)
        return unknownOrder(clientOrderId, `${reason}; an order listed is unreadable`, 'unconfirmed')
      if (!found.isWhole) return unknownOrder(clientOrderId, `${reason}; the lists are incomplete`, 'unconfirmed')
      return namesDuplicate(reason)
        ? unknownOrder(clientOrderId, `${reason}; no order is listed under its id yet`, 'unconfirmed')
        : rejectedOrder(clientOrderId, reason)
    }
    const others = found.others.get(clientOrderId) ?? []
    if (others.length > 0)
      return unknownOrder(clientOrderId, `${others.length + 1} orders are listed under its id`, 'otherAnswer')
    const mismatches = orderMismatches(sent, order)
    return mismatches.length === 0
      ? acceptedOrder(order)
      : unknownOrder(clientOrderId, mismatchText(mismatches), 'otherAnswer')
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return unknownOrder(clientOrderId, reason, 'unconfirmed')
  }
}
