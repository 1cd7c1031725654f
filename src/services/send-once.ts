import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError } from '../api/exchange-error.ts'
import type { Clock } from '../clock.ts'
import { mismatchText, orderMismatches } from '../domain/answer-terms.ts'
import { isWorking, type Order, type OrderDraft, type OrderStatus } from '../domain/order.ts'
import type {
  CancelAllOutcome,
  CancelOutcome,
  CancelTally,
  NotSent,
  OrderOutcome,
  UnknownCause,
} from '../domain/order-outcome.ts'
import type { JournalOutcome } from '../journal/entry.ts'
import { recordedFailure, settleCall, type Written } from './journaled-write.ts'
import { fetchAllWorking } from './pages.ts'
import { findOrders } from './reconciliation/find-orders.ts'
import { failureSentence } from './sentences.ts'

export type SendClient = Pick<
  ExchangeClient,
  'placeOrder' | 'cancelOrder' | 'cancelAllOrders' | 'fetchOrder' | 'fetchOrders' | 'fetchOrderPage'
>

/** What sending and looking afterwards need beside the client. */
export type SendContext = {
  clock: Clock
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while that is not known. */
  skewMs?: () => number | null
}

/** A write that has left is looked after to its end, also while the desk is closing: each call has a time limit of its own. */
const untilItEnds = new AbortController().signal

type Placed = Written<OrderOutcome | NotSent>

/** Sends an order under its id, which nothing else may bear; tells what became of it, as far as that is seen to be so. */
export async function placeOnce(
  client: SendClient,
  context: SendContext,
  draft: OrderDraft,
  clientOrderId: string,
): Promise<Placed> {
  const sent = { ...draft, clientOrderId }
  const sentAtMs = context.clock.wallMs()
  const confirm = (reason: string, isCertain: boolean) =>
    confirmRefusal(client, context, { sent, sentAtMs, reason, isCertain })
  let order: Order
  try {
    order = await client.placeOrder(sent)
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    const { kind, reason } = recordedFailure(error, 'rejected')
    if (kind === 'notSent') return { recorded: { kind, reason }, outcome: { kind, reason } }
    if (kind === 'unknown') return unknownOrder(clientOrderId, reason, 'noAnswer')
    // A key that is refused is refused before anything is looked at.
    return error.kind === 'unauthorized' ? rejectedOrder(clientOrderId, reason) : await confirm(reason, true)
  }
  const mismatches = orderMismatches(sent, order)
  if (mismatches.length > 0) return unknownOrder(clientOrderId, mismatchText(mismatches), 'otherAnswer')
  if (order.status === 'REJECTED') return await confirm(order.text ?? 'the exchange gives no reason', false)
  return acceptedOrder(order)
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

type Refusal = {
  sent: OrderDraft & { clientOrderId: string }
  sentAtMs: number
  reason: string
  /** By its status the service had nothing of it; else the no is the text of an answer. */
  isCertain: boolean
}

/** An order is looked for this far back before it was sent: ids are unique, so that far costs little and finds no wrong one. */
const lookBackMs = 120_000

/**
 * A no to an order is held against what the exchange lists: something in between may have delivered it twice, and the second answer,
 * a refused duplicate, says nothing of the first. Only an order that is nowhere was not placed.
 */
async function confirmRefusal(
  client: SendClient,
  { skewMs = () => null }: SendContext,
  { sent, sentAtMs, reason, isCertain }: Refusal,
): Promise<Placed> {
  const { clientOrderId } = sent
  const sinceMs = Math.max(0, sentAtMs + Math.min(0, skewMs() ?? 0) - lookBackMs)
  try {
    const found = await findOrders(client, new Set([clientOrderId]), sinceMs, untilItEnds, 'standing')
    const order = found.orders.get(clientOrderId)
    if (order === undefined && found.unreadable.length === 0) return rejectedOrder(clientOrderId, reason)
    if (order === undefined)
      return unknownOrder(clientOrderId, `${reason}; an order listed is unreadable`, 'unconfirmed')
    const mismatches = orderMismatches(sent, order)
    return mismatches.length === 0
      ? acceptedOrder(order)
      : unknownOrder(clientOrderId, mismatchText(mismatches), 'otherAnswer')
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    // Without a look the status of the answer is all there is; a text alone is not enough.
    if (isCertain && error.kind !== 'connectivity' && error.kind !== 'protocol')
      return rejectedOrder(clientOrderId, reason)
    return unknownOrder(clientOrderId, reason, 'unconfirmed')
  }
}

/** How often, and after which pause, the end of a canceled order is asked for. */
const looksMost = 8
const lookPauseMs = 500

/** The order as it ended; as it is still reported; or why that could not be learned. */
type Seen = { kind: 'ended'; order: Order } | { kind: 'working'; order: Order } | { kind: 'unseen'; reason: string }

/** Asks for an order until it has ended, `looks` times. */
async function seeEnd(client: SendClient, clock: Clock, orderId: string, looks: number): Promise<Seen> {
  let seen: Seen = { kind: 'unseen', reason: 'its state could not be learned' }
  for (let look = 0; look < looks; look += 1) {
    if (look > 0) await clock.sleep(lookPauseMs)
    try {
      const order = await client.fetchOrder(orderId, untilItEnds)
      if (!isWorking(order)) return { kind: 'ended', order }
      seen = { kind: 'working', order }
    } catch (error) {
      // A venue that is busy or down, or an answer about something else, is asked again.
      if (!(error instanceof ExchangeError)) throw error
      if (seen.kind !== 'working') seen = { kind: 'unseen', reason: failureSentence(error) }
    }
  }
  return seen
}

/**
 * Sends a cancel once, and says of the order what is then seen of it: a yes is no order gone, and a no may come after the cancel took
 * effect.
 */
export async function cancelOnce(
  client: SendClient,
  { clock }: Pick<SendContext, 'clock'>,
  orderId: string,
): Promise<Written<CancelOutcome | NotSent>> {
  const answer = await settleCall<JournalOutcome>(
    async () => {
      await client.cancelOrder(orderId)
      return { kind: 'canceled' }
    },
    (error) => recordedFailure(error, 'refused'),
  )
  if (answer.kind === 'notSent') return { recorded: answer, outcome: answer }
  if (answer.kind === 'unknown') return { recorded: answer, outcome: { ...answer, orderId } }
  const seen = await seeEnd(client, clock, orderId, answer.kind === 'canceled' ? looksMost : 1)
  if (seen.kind === 'ended') return endedOf(orderId, seen.order, answer.kind === 'canceled')
  if (answer.kind === 'refused')
    return { recorded: answer, outcome: { kind: 'refused', orderId, reason: answer.reason } }
  const reason =
    seen.kind === 'working'
      ? `the cancel was accepted, but the order is ${seen.order.status}`
      : `the cancel was accepted, but ${seen.reason}`
  return { recorded: { kind: 'unknown', reason }, outcome: { kind: 'unknown', orderId, reason } }
}

function endedOf(orderId: string, order: Order, isOwn: boolean): Written<CancelOutcome> {
  if (order.status === 'CANCELED')
    return { recorded: { kind: 'canceled' }, outcome: { kind: 'canceled', orderId, order, isOwn } }
  const reason = `the order had ended: ${order.status}`
  return { recorded: { kind: 'refused', reason }, outcome: { kind: 'ended', orderId, order } }
}

/** How often the list is asked for after a cancel of all while it still has some, before that is left to later looks. */
const listLooksMost = 4
/** Orders whose end is asked for one by one, to say how they ended. */
const endsMost = 50

/**
 * Sends one cancel of all, of every symbol where `symbol` is null, before anything else is asked; then says what the exchange lists.
 * `before` are the orders that were known to work, null where that was not known.
 */
export async function cancelAllOnce(
  client: SendClient,
  { clock }: Pick<SendContext, 'clock'>,
  symbol: string | null,
  before: readonly Order[] | null,
): Promise<Written<CancelAllOutcome | NotSent>> {
  const answer = await settleCall<JournalOutcome>(
    async () => {
      await client.cancelAllOrders(symbol)
      return { kind: 'canceled' }
    },
    (error) => recordedFailure(error, 'refused'),
  )
  if (answer.kind === 'notSent') return { recorded: answer, outcome: answer }
  if (answer.kind === 'unknown') return { recorded: answer, outcome: { ...answer, symbol } }
  if (answer.kind === 'refused')
    return { recorded: answer, outcome: { kind: 'refused', symbol, reason: answer.reason } }
  const left = await leftWorking(client, clock, symbol)
  if (typeof left === 'string') {
    const reason = `the cancel was accepted, but what is left could not be learned: ${left}`
    return { recorded: { kind: 'unknown', reason }, outcome: { kind: 'unknown', symbol, reason } }
  }
  const tally = await tallyOf(client, before, left.orders)
  if (left.orders.length === 0 && left.unreadableCount === 0)
    return { recorded: { kind: 'canceled' }, outcome: { kind: 'canceled', symbol, tally } }
  const count = left.orders.length + left.unreadableCount
  const reason = `the cancel was accepted, but ${count} ${count === 1 ? 'order is' : 'orders are'} still listed as working`
  return { recorded: { kind: 'unknown', reason }, outcome: { kind: 'left', symbol, left: left.orders, tally } }
}

type Left = { orders: readonly Order[]; unreadableCount: number }

/** What the exchange lists as working after a cancel of all, asked for again while there are some; a text says why nothing is known. */
async function leftWorking(client: SendClient, clock: Clock, symbol: string | null): Promise<Left | string> {
  let left: Left | string = 'the exchange was not asked'
  for (let look = 0; look < listLooksMost; look += 1) {
    if (look > 0) await clock.sleep(lookPauseMs)
    try {
      const { orders, unreadable } = await fetchAllWorking(client, untilItEnds, symbol)
      const isOfScope = (name: string | undefined) => symbol === null || name === undefined || name === symbol
      left = {
        orders: [...orders.values()].filter((order) => isOfScope(order.symbol)),
        unreadableCount: unreadable.filter(({ fields }) => isOfScope(fields.symbol)).length,
      }
      if (left.orders.length + left.unreadableCount === 0) return left
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      if (typeof left === 'string') left = failureSentence(error)
    }
  }
  return left
}

/** How the orders of before ended, as far as the exchange tells at once; what it does not tell is not counted. */
async function tallyOf(
  client: SendClient,
  before: readonly Order[] | null,
  left: readonly Order[],
): Promise<CancelTally> {
  if (before === null) return { before: null, canceled: 0, otherwise: [] }
  const stays = new Set(left.map(({ orderId }) => orderId))
  const gone = before
    .flatMap(({ orderId }) => (orderId === null || stays.has(orderId) ? [] : orderId))
    .slice(0, endsMost)
  const ends = await Promise.all(gone.map((orderId) => statusOf(client, orderId)))
  const counts = new Map<OrderStatus, number>()
  for (const status of ends) if (status !== null) counts.set(status, (counts.get(status) ?? 0) + 1)
  const canceled = counts.get('CANCELED') ?? 0
  counts.delete('CANCELED')
  return { before: before.length, canceled, otherwise: [...counts].map(([status, count]) => ({ status, count })) }
}

async function statusOf(client: SendClient, orderId: string): Promise<OrderStatus | null> {
  return await settleCall(
    async (): Promise<OrderStatus | null> => (await client.fetchOrder(orderId, untilItEnds)).status,
    () => null,
  )
}
