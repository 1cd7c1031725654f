import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { takenIdText } from '../../domain/hub/taken-id.ts'
import { isWorking, type Order, type OrderDraft } from '../../domain/orders/order.ts'
import { type OrderOutcome, orderMismatches } from '../../domain/orders/order-outcome.ts'
import { mismatchText, type NotSent, type Refusal, type UnknownCause } from '../../domain/write-outcome.ts'
import { failureSentence } from '../failure-sentences.ts'
import { type FoundOrders, findOrders, limitedLook, ordersSinceMs, standingUnder, whyHidden } from './find-orders.ts'
import { recordedFailure, settleCall, unsent, untilItEnds, type Written } from './journaled-write.ts'

export type SendClient = Pick<
  ExchangeClient,
  'placeOrder' | 'cancelOrder' | 'cancelAllOrders' | 'fetchOrder' | 'fetchOrders' | 'fetchOrderPage'
>

/** What sending an order and looking for it afterwards need beside the client. */
export type SendContext = {
  clock: Clock
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while that is not known. */
  skewMs?: () => number | null
  /**
   * Which accepted order is compared with the order's own report. One reported as ended always is, or its row would
   * look gone while it works; `all` is for a caller without a list that shows it a moment later.
   */
  confirms?: 'ended' | 'all'
  /** Ends the looks that compare an answer with the lists; what they would have shown is unknown then. */
  looksSignal?: AbortSignal
}

type Placed = Written<OrderOutcome | NotSent>

/**
 * Sends an order once, under an id that no other order has, and returns its outcome as far as reports confirm it.
 * `stoppedNow`: why it must not leave after all, asked when its turn among the calls has come.
 */
export async function placeOnce(
  client: SendClient,
  context: SendContext,
  draft: OrderDraft,
  clientOrderId: string,
  stoppedNow: () => string | null,
): Promise<Placed> {
  const sent = { ...draft, clientOrderId }
  const sentAtMs = context.clock.wallMs()
  const confirm = (why: Refusal, namedId: string | null = null) =>
    confirmRefusal(client, context, { sent, sentAtMs, why, namedId })
  let order: Order
  try {
    order = await client.placeOrder(sent, undefined, stoppedNow)
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    const { kind, ...why } = recordedFailure(error, 'rejected')
    const { reason } = why
    if (kind === 'notSent') return unsent(reason)
    if (kind === 'unknown') return unknownOrder(clientOrderId, reason, 'noAnswer')
    // Whatever is listed under the id is another's order, however similar: only the hub records whose each one is.
    if (error.idTakenBy !== null) return unsent(takenIdText(clientOrderId, error.idTakenBy))
    return await confirm(why)
  }
  const mismatches = orderMismatches(sent, order)
  if (mismatches.length > 0) return unknownOrder(clientOrderId, mismatchText(mismatches), 'otherAnswer')
  const isAsked = context.confirms === 'all' || !isWorking(order) || order.orderId === null
  const seen = isAsked ? await ownReport(client, context, { sent, sentAtMs, answered: order }) : order
  if (seen === null) return unknownOrder(clientOrderId, answeredText(order), 'unseen')
  const others = orderMismatches(sent, seen)
  if (others.length > 0) return unknownOrder(clientOrderId, mismatchText(others), 'otherAnswer')
  // Its own report was read above: the id need not be asked for again.
  const namedId = seen === order ? order.orderId : null
  if (seen.status === 'REJECTED') return await confirm({ reason: seen.text ?? 'the exchange gives no reason' }, namedId)
  return acceptedOrder(seen)
}

type Answered = { sent: OrderDraft & { clientOrderId: string }; sentAtMs: number; answered: Order }

/**
 * The order as reported under the exchange id in its answer, or the answer itself when no report comes. Without an id,
 * or when the exchange does not know it, the lists are read: null when they have no such order or cannot be read.
 */
async function ownReport(
  client: SendClient,
  context: SendContext,
  { sent: { clientOrderId }, sentAtMs, answered }: Answered,
): Promise<Order | null> {
  const { skewMs = () => null } = context
  const { orderId, status } = answered
  // A refused duplicate has its own exchange id: the lists show whether the first one is there.
  if (status === 'REJECTED') return answered
  try {
    if (orderId !== null) return await client.fetchOrder(orderId, untilItEnds)
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    if (!isNotFound(error)) return answered
  }
  try {
    const sinceMs = ordersSinceMs(sentAtMs, skewMs())
    const ids = new Set([clientOrderId])
    const found = await limitedLook(context, (signal) => findOrders(client, ids, sinceMs, signal, 'standing'))
    return found.orders.get(clientOrderId) ?? null
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return null
  }
}

/**
 * The exchange's own id and state of an order, by which a user can look for it: the client order id alone may not be
 * found.
 */
const answeredText = ({ orderId, status }: Order): string =>
  `answered as ${orderId === null ? 'an order without an id' : `order ${orderId}`}, ${status}`

/** `refusal`: what the answer said, where it was a refusal. */
const acceptedOrder = (order: Order, refusal?: string): Placed => ({
  recorded: { kind: 'accepted', id: order.orderId, status: order.status },
  outcome: { kind: 'accepted', order, ...(refusal === undefined ? {} : { refusal }) },
})

const rejectedOrder = (clientOrderId: string, why: Refusal, namedId: string | null): Placed => ({
  recorded: { kind: 'rejected', ...why },
  outcome: { kind: 'rejected', clientOrderId, ...why, ...(namedId === null ? {} : { orderId: namedId }) },
})

function unknownOrder(clientOrderId: string, reason: string, cause: UnknownCause) {
  return { recorded: { kind: 'unknown', reason }, outcome: { kind: 'unknown', clientOrderId, reason, cause } } as const
}

/** A refusal of an order; `namedId` is the exchange id in it, null for none. */
type RefusedOrder = {
  sent: OrderDraft & { clientOrderId: string }
  sentAtMs: number
  why: Refusal
  namedId: string | null
}

/** True for a refusal that says an order with this client order id exists; no other order of ours has that id. */
const namesDuplicate = (reason: string): boolean => /duplicate|\bclOrdId\b|client order id/i.test(reason)

/**
 * Compares a refusal with the exchange's lists, because the order may exist all the same: a proxy may have delivered it
 * twice, so that the second answer is about the refused duplicate, or may have invented the refusal. Rejected only when
 * the order is found nowhere; unknown when a list fails or is cut off, and after a refused duplicate, because lists may
 * be a few seconds behind.
 */
const confirmRefusal = (client: SendClient, context: SendContext, refusal: RefusedOrder): Promise<Placed> =>
  limitedLook(context, async (signal) => {
    const { sent, sentAtMs } = refusal
    // By the exchange id first: reading the lists may use up the time limit.
    const named = await namedOrder(client, refusal, signal)
    const sinceMs = ordersSinceMs(sentAtMs, context.skewMs?.() ?? null)
    const ids = new Set([sent.clientOrderId])
    const found = await settleCall<FoundOrders | null>(
      () => findOrders(client, ids, sinceMs, signal, 'standing'),
      () => null,
    )
    return judgeRefusal(refusal, named, found)
  })

/** The order under the exchange id in a refusal, or why it cannot be seen. Both null when there is none. */
type Named = { order: Order | null; doubt: string | null }

async function namedOrder(
  client: SendClient,
  { namedId, sent }: Pick<RefusedOrder, 'namedId' | 'sent'>,
  signal: AbortSignal,
): Promise<Named> {
  if (namedId === null) return { order: null, doubt: null }
  return await settleCall<Named>(
    async () => {
      const order = await client.fetchOrder(namedId, signal)
      const mismatches = orderMismatches(sent, order)
      if (mismatches.length > 0) return { order: null, doubt: mismatchText(mismatches) }
      return { order: order.status === 'REJECTED' ? null : order, doubt: null }
    },
    (error) => ({ order: null, doubt: isNotFound(error) ? null : failureSentence(error) }),
  )
}

/** The outcome of a refusal; `found` is null when the lists could not be read. */
function judgeRefusal({ sent, why, namedId }: RefusedOrder, named: Named, found: FoundOrders | null): Placed {
  const { clientOrderId } = sent
  const { reason, refusedFor } = why
  // Only of a refusal without an exchange id do the lists tell all, and of one that names no other order.
  const isRefusal = namedId === null && !namesDuplicate(reason)
  const unsure = (doubt: string): Placed => {
    const { recorded, outcome } = unknownOrder(clientOrderId, `${reason}${doubt}`, 'unconfirmed')
    return { recorded: isRefusal ? { ...recorded, isRefusal, refusedFor } : recorded, outcome }
  }
  const standing = found === null ? [] : standingUnder(found, clientOrderId)
  if (named.order !== null && standing.every(({ orderId }) => orderId !== namedId)) standing.push(named.order)
  const [order] = standing
  if (order === undefined) {
    if (found === null) return unsure('')
    if (named.doubt !== null) return unsure(`; order ${namedId}, which it names, cannot be seen: ${named.doubt}`)
    const hidden = whyHidden(found)
    if (hidden !== null) return unsure(`; ${hidden}`)
    return namesDuplicate(reason)
      ? unsure('; no order is listed under its id yet')
      : rejectedOrder(clientOrderId, why, namedId)
  }
  if (standing.length > 1)
    return unknownOrder(clientOrderId, `${standing.length} orders are listed under its id`, 'otherAnswer')
  const mismatches = orderMismatches(sent, order)
  return mismatches.length === 0
    ? acceptedOrder(order, reason)
    : unknownOrder(clientOrderId, mismatchText(mismatches), 'otherAnswer')
}
