import { ExchangeError, isNotFound } from '../../api/errors.ts'
import { type Clock, limited } from '../../base/clock.ts'
import { isWorking, type Order, type OrderStatus } from '../../domain/orders/order.ts'
import {
  asKnown,
  type CancelAllOutcome,
  type CancelOutcome,
  type CancelTally,
  type KnownOrder,
  orderMismatches,
} from '../../domain/orders/order-outcome.ts'
import { mismatchText, type NotSent, type Refusal } from '../../domain/write-outcome.ts'
import type { JournalOutcome } from '../../journal/entry.ts'
import { failureSentence } from '../failure-sentences.ts'
import { recordedFailure, settleCall, type Written } from './journaled-write.ts'
import { fetchAllWorking, type Left, leftOf, OrderWalk, orderPageMax, ordersSource } from './order-pages.ts'
import type { SendClient, SendContext } from './place-order.ts'

/** How often, and with which pause, to look for the end of a canceled order. */
const looksMax = 8

const lookPauseMs = 500

/**
 * Time limit of all looks at an order together; of those at the list, however many pages it has, and again of those at
 * how orders ended.
 */
export const looksEndMs = 10_000

/** The order, ended or still working; or that there is none, or why nothing is known. */
type Seen = { kind: 'ended' | 'working'; order: Order } | { kind: 'absent' | 'unseen'; reason: string }

/** The order to cancel: its exchange id, and what is known of it, or null. */
type Canceled = { orderId: string; known: KnownOrder | null }

/** One look at an order; `failed` when nothing was reported, as by a busy or unavailable exchange. */
async function lookAt(
  client: SendClient,
  { orderId, known }: Canceled,
  late: AbortSignal,
): Promise<Seen | { kind: 'failed'; reason: string }> {
  try {
    const order = await client.fetchOrder(orderId, late)
    const others = known === null ? [] : orderMismatches(known, order)
    if (others.length > 0)
      return { kind: 'unseen', reason: `order ${orderId} is reported as another one (${mismatchText(others)})` }
    return { kind: isWorking(order) ? 'working' : 'ended', order }
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    const reason = late.aborted ? `no report of it came within ${looksEndMs / 1_000} s` : failureSentence(error)
    return { kind: isNotFound(error) ? 'absent' : 'failed', reason }
  }
}

/**
 * Looks at an order until it has ended, at most `looks` times within `looksEndMs`. Ignores reports that are not about
 * that order.
 */
const seeEnd = (client: SendClient, clock: Clock, canceled: Canceled, looks: number): Promise<Seen> =>
  limited(
    async (late) => {
      const { orderId, known } = canceled
      let seen: Seen = { kind: 'unseen', reason: 'its state is unknown' }
      for (let look = 0; look < looks && !late.aborted; look += 1) {
        if (look > 0) await clock.sleep(lookPauseMs)
        const now = await lookAt(client, canceled, late)
        if (now.kind === 'ended') return now
        // One that worked a moment ago and is not there now may have ended; a failed look says nothing of it.
        if (now.kind !== 'failed') seen = now
        else if (seen.kind !== 'working') seen = { kind: 'unseen', reason: now.reason }
      }
      if (seen.kind !== 'absent' || known === null) return seen
      // Some exchanges tell of ended orders by their lists alone.
      const order = (await listedAsCanceled(client, new Map([[orderId, known]]), late)).get(orderId)
      return order === undefined ? seen : { kind: 'ended', order }
    },
    looksEndMs,
    clock,
  )

/**
 * Sends a cancel once, then reports the order as the exchange shows it: an accepted cancel may not have taken effect,
 * and a refused one may have. The report must agree with `known`, which is only asked for once the cancel is out.
 */
export async function cancelOnce(
  client: SendClient,
  { clock }: Pick<SendContext, 'clock'>,
  orderId: string,
  known: () => Promise<KnownOrder | null>,
): Promise<Written<CancelOutcome | NotSent>> {
  const answer = await answerTo(() => client.cancelOrder(orderId))
  if (answer.kind === 'notSent') return { recorded: answer, outcome: answer }
  if (answer.kind === 'unknown') return { recorded: answer, outcome: { ...answer, orderId, cause: 'noAnswer' } }
  const order = { orderId, known: await known() }
  const seen = await seeEnd(client, clock, order, answer.kind === 'canceled' ? looksMax : 1)
  if (seen.kind === 'ended') return endedOf(orderId, seen.order, answer.kind === 'canceled')
  const isRefused = answer.kind === 'refused'
  // Without a report of the order to hold it against, a refusal may be the second answer to a cancel that took effect.
  if (isRefused && seen.kind !== 'unseen') return { recorded: answer, outcome: { ...answer, kind: 'refused', orderId } }
  const said: Refusal = isRefused ? answer : { reason: accepted }
  const reason = `${said.reason}, but ${'order' in seen ? `the order is ${seen.order.status}` : seen.reason}`
  return unconfirmed({ ...said, reason }, { orderId })
}

const accepted = 'the cancel was accepted'

/** The outcome of the cancel call itself. */
const answerTo = (call: () => Promise<void>): Promise<JournalOutcome> =>
  settleCall<JournalOutcome>(
    async () => {
      await call()
      return { kind: 'canceled' }
    },
    (error) => recordedFailure(error, 'refused'),
  )

/** The outcome of a cancel that was answered but whose effect cannot be seen. */
function unconfirmed<Scope extends { orderId: string } | { symbol: string | null }>(why: Refusal, scope: Scope) {
  const { reason, refusedFor } = why
  const unknown = { kind: 'unknown', reason, refusedFor } as const
  return { recorded: unknown, outcome: { ...unknown, ...scope, cause: 'unconfirmed' } as const }
}

function endedOf(orderId: string, order: Order, isOwn: boolean): Written<CancelOutcome> {
  if (order.status === 'CANCELED')
    return { recorded: { kind: 'canceled' }, outcome: { kind: 'canceled', orderId, order, isOwn } }
  const reason = `the order had ended: ${order.status}`
  return { recorded: { kind: 'refused', reason }, outcome: { kind: 'ended', orderId, order } }
}

/** Maximum looks at the list after a cancel of all while orders remain, before later looks take over. */
const listLooksMax = 4

/**
 * Empty lists needed in a row if the working orders before the cancel are unknown: a single empty answer may be
 * outdated.
 */
const emptyLooksMin = 3

/** Maximum orders whose end is requested one by one. */
const endsMax = 50

/**
 * Sends one cancel of all orders, in all symbols if `symbol` is null, before requesting anything else; then reports
 * what the exchange lists. `before` are the orders known to work before; null when unknown.
 */
export async function cancelAllOnce(
  client: SendClient,
  { clock }: Pick<SendContext, 'clock'>,
  symbol: string | null,
  before: readonly Order[] | null,
): Promise<Written<CancelAllOutcome | NotSent>> {
  const answer = await answerTo(() => client.cancelAllOrders(symbol))
  if (answer.kind === 'notSent') return { recorded: answer, outcome: answer }
  if (answer.kind === 'unknown') return { recorded: answer, outcome: { ...answer, symbol, cause: 'noAnswer' } }
  const left = await leftWorking(client, clock, symbol, answer.kind === 'refused' ? 1 : listLooksMax, before === null)
  if (answer.kind === 'refused' && (typeof left === 'string' || countOf(left) > 0)) {
    const listed = typeof left === 'string' ? null : left.orders
    return { recorded: answer, outcome: { ...answer, kind: 'refused', symbol, left: listed } }
  }
  if (typeof left === 'string')
    return unconfirmed({ reason: `${accepted}, but what is left is unknown: ${left}` }, { symbol })
  const { tally, ended } = await limited((late) => tallyOf(client, before, left.orders, late), looksEndMs, clock)
  const count = countOf(left)
  if (count === 0) return { recorded: { kind: 'canceled' }, outcome: { kind: 'canceled', symbol, tally, ended } }
  const reason = `${accepted}, but ${count} ${count === 1 ? 'order is' : 'orders are'} still listed as working`
  return { recorded: { kind: 'unknown', reason }, outcome: { kind: 'left', symbol, left: left.orders, tally, ended } }
}

/**
 * The orders still listed as working after a cancel of all, looked at up to `looks` times while there are some or the
 * list fails; a text says why nothing is known. With `isDoubted` an empty list is believed only after several in a row.
 */
const leftWorking = (
  client: SendClient,
  clock: Clock,
  symbol: string | null,
  looks: number,
  isDoubted: boolean,
): Promise<Left | string> =>
  limited(
    async (late) => {
      let left: Left | string = 'the exchange was not asked'
      let [emptyCount, otherCount] = [0, 0]
      const emptyLooks = isDoubted ? emptyLooksMin : 1
      while (emptyCount < emptyLooks && otherCount < looks && !late.aborted) {
        if (emptyCount + otherCount > 0) await clock.sleep(lookPauseMs)
        const look = await lookAtList(client, symbol, late)
        if (look.kind === 'failed') {
          // What was listed before still counts.
          if (typeof left === 'string') left = look.reason
          otherCount += 1
          continue
        }
        left = look.left
        if (isNone(left)) emptyCount += 1
        else [emptyCount, otherCount] = [0, otherCount + 1]
      }
      return isNone(left) && emptyCount < emptyLooks ? 'it listed none, but not often enough to be sure' : left
    },
    looksEndMs,
    clock,
  )

/** One look at the list: the orders on it, or why an incomplete one tells nothing. */
async function lookAtList(
  client: SendClient,
  symbol: string | null,
  late: AbortSignal,
): Promise<{ kind: 'read'; left: Left | string } | { kind: 'failed'; reason: string }> {
  try {
    const list = await fetchAllWorking(client, late, symbol)
    const left = leftOf(list, symbol)
    return { kind: 'read', left: countOf(left) === 0 && !list.isWhole ? 'the list is incomplete' : left }
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    const reason = late.aborted ? `the list was not read within ${looksEndMs / 1_000} s` : failureSentence(error)
    return { kind: 'failed', reason }
  }
}

const countOf = ({ orders, unreadableCount }: Left): number => orders.length + unreadableCount
const isNone = (left: Left | string): boolean => typeof left !== 'string' && countOf(left) === 0

/**
 * How the earlier orders ended, as far as the exchange tells at once. More than a few are looked for in the list of
 * canceled orders first, and only the missing ones requested one by one.
 */
async function tallyOf(
  client: SendClient,
  before: readonly Order[] | null,
  left: readonly Order[],
  late: AbortSignal,
): Promise<{ tally: CancelTally; ended: Order[] }> {
  if (before === null) return { tally: { before: null, canceled: 0, otherwise: [] }, ended: [] }
  const stays = new Set(left.map(({ orderId }) => orderId))
  const gone = new Map(
    before.flatMap((order) =>
      order.orderId === null || stays.has(order.orderId) ? [] : [[order.orderId, asKnown(order)]],
    ),
  )
  const listed = gone.size > endsMax ? await listedAsCanceled(client, gone, late) : new Map<string, Order>()
  const asked = [...gone].filter(([orderId]) => !listed.has(orderId)).slice(0, endsMax)
  const answers = await Promise.all(asked.map(([orderId, order]) => reportOf(client, orderId, order, late)))
  const reports = [...listed.values(), ...answers.filter((order) => order !== null)]
  const counts = new Map<OrderStatus, number>()
  for (const { status } of reports) counts.set(status, (counts.get(status) ?? 0) + 1)
  const canceled = counts.get('CANCELED') ?? 0
  counts.delete('CANCELED')
  const otherwise = [...counts].map(([status, count]) => ({ status, count }))
  const unseen = gone.size - reports.length
  const tally = { before: before.length, canceled, otherwise, ...(unseen === 0 ? {} : { unseen }) }
  return { tally, ended: reports.filter((order) => !isWorking(order)) }
}

/** True for a report of this order, with terms that it can have. */
const isReportOf = (before: KnownOrder, report: Order): boolean => orderMismatches(before, report).length === 0

/** The orders among these, by id, that are listed as canceled, from the newest pages of that list. */
async function listedAsCanceled(
  client: SendClient,
  gone: ReadonlyMap<string, KnownOrder>,
  late: AbortSignal,
): Promise<Map<string, Order>> {
  const found = new Map<string, Order>()
  const isCanceled = (order: Order) => order.status === 'CANCELED'
  const source = ordersSource(client, { status: 'CANCELED' }, isCanceled, late)
  const walk = new OrderWalk(source, { pages: Math.ceil(gone.size / orderPageMax) + 1 })
  try {
    for (let isLast = false; !isLast && found.size < gone.size; ) {
      const { fresh, isEnd } = await walk.next()
      for (const order of fresh) {
        const { orderId } = order
        const was = orderId === null ? undefined : gone.get(orderId)
        if (orderId !== null && was !== undefined && isCanceled(order) && isReportOf(was, order))
          found.set(orderId, order)
      }
      isLast = isEnd
    }
  } catch (error) {
    // What was seen so far counts; the others are requested one by one.
    if (!(error instanceof ExchangeError)) throw error
  }
  return found
}

/** The order as the exchange reports it by its id; null without an answer, and where that is about another order. */
const reportOf = (client: SendClient, orderId: string, before: KnownOrder, late: AbortSignal): Promise<Order | null> =>
  settleCall(
    async (): Promise<Order | null> => {
      const order = await client.fetchOrder(orderId, late)
      return isReportOf(before, order) ? order : null
    },
    () => null,
  )
