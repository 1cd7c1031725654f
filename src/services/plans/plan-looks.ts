import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Decimal } from '../../domain/money.ts'
import { hasSameTerms, isWorking, type Order, orderQuantity } from '../../domain/orders/order.ts'
import { isFillUnknown, type PlanEvent, type PlanOrder } from '../../domain/plans/plan.ts'
import {
  isOpen,
  type JournalEntry,
  JournalError,
  placedId,
  placedQuantity,
  type WriteJournal,
} from '../../journal/entry.ts'
import { untilItEnds } from '../orders/journaled-write.ts'
import { sentIn } from '../orders/open-write.ts'

/** `quantity`: the placed quantity; null when not reported. */
type Reported = { kind: 'report'; order: Order; quantity: Decimal | null }

/** The result of a look at a plan's order. */
export type Look =
  | Reported
  | { kind: 'notPlaced'; isRefusal: boolean; reason: string }
  /** It still rests, and no cancel of it is in progress. */
  | { kind: 'rests'; order: Order }
  /** Unknown yet: look again. `untold`: it was placed, and no report by its id tells of it; `quantity`: as placed. */
  | { kind: 'later'; untold?: { quantity: Decimal | null } }
  /** Only the user can tell. `quantity`: as reported. */
  | { kind: 'odd'; why: string; quantity: Decimal | null }

/** The result for an order that left the list without a report of its end. */
export const gone = {
  ...{ kind: 'odd', why: 'the exchange lists it no more and does not tell of its end', quantity: null },
} as const satisfies Look

/** The result for an order that no readable report has told of for long, though the exchange answers. */
export const untoldOf = (quantity: Decimal | null) =>
  ({ kind: 'odd', why: 'the exchange does not report it readably', quantity }) as const satisfies Look

/**
 * A look's result, unless something was told of the order meanwhile, which is newer: then it is looked at again.
 * `order` is what the look was about, `now` the order as it is known after it.
 */
export const unlessNewer = (look: Look, order: PlanOrder, now: PlanOrder | undefined): Look =>
  look.kind === 'report' || now === order ? look : { kind: 'later' }

/** The record's line for a look, besides the order's report; null when the report is enough. */
export function lineOf(
  look: Exclude<Look, { kind: 'later' }>,
  { clientOrderId, orderId }: PlanOrder,
  about: Pick<PlanEvent, 'planId' | 'atMs'>,
): PlanEvent | null {
  const of = { ...about, clientOrderId }
  switch (look.kind) {
    case 'report':
      return null
    case 'rests':
      return { event: 'notCanceled', ...of, reason: 'the cancel had no effect' }
    case 'notPlaced': {
      const { isRefusal, reason } = look
      const status = isRefusal ? 'REJECTED' : null
      return { event: 'seen', ...of, orderId, standing: 'notPlaced', status, filled: null, quantity: null, reason }
    }
    case 'odd': {
      const { quantity, why: reason } = look
      return { event: 'seen', ...of, orderId, standing: 'ended', status: null, filled: null, quantity, reason }
    }
  }
}

export type LookParts = {
  journal: Pick<WriteJournal, 'find'>
  client: Pick<ExchangeClient, 'fetchOrder'>
  /**
   * The exchange's order of an id that the journal does not have: the journal may be an older copy than the plans'
   * record.
   */
  sentBefore?: (order: PlanOrder) => Promise<Order | 'unseen' | null>
}

/**
 * How much later a sent cancel may arrive, more than a call may take with its turn: until then a resting order proves
 * nothing.
 */
export const cancelMayArriveMs = 20_000

/** Requests an order by its exchange id. */
async function asked(
  { client }: LookParts,
  orderId: string,
  clientOrderId: string,
  quantity: Decimal | null,
): Promise<Exclude<Look, { kind: 'rests' }>> {
  try {
    const order = await client.fetchOrder(orderId, untilItEnds)
    // A report with another client order id is about another order.
    return order.clientOrderId === clientOrderId
      ? { kind: 'report', order, quantity }
      : { kind: 'later', untold: { quantity } }
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return isNotFound(error)
      ? { kind: 'odd', why: `the exchange knows no order ${orderId}`, quantity }
      : { kind: 'later', untold: { quantity } }
  }
}

/**
 * Finds out the outcome of an order that a plan recorded before sending it. The journal has every sent write under its
 * id, and resolves unanswered ones. Neither there nor at the exchange: it was never sent.
 */
export async function lookAtSent(parts: LookParts, order: PlanOrder): Promise<Look> {
  const { clientOrderId, orderId, draft } = order
  let entry: JournalEntry | undefined
  try {
    const { entries, gap } = await parts.journal.find({ kind: 'order', id: clientOrderId })
    entry = entries[0]
    const listed = entry === undefined ? ((await parts.sentBefore?.(order)) ?? null) : null
    if (listed === 'unseen') return { kind: 'later' }
    if (listed !== null) return { kind: 'report', order: listed, quantity: orderQuantity(listed) }
    if (entry === undefined && gap !== null)
      return { kind: 'odd', why: `whether order ${clientOrderId} left is not known: ${gap}`, quantity: null }
  } catch (error) {
    if (error instanceof JournalError) return { kind: 'later' }
    throw error
  }
  if (entry === undefined) return { kind: 'notPlaced', isRefusal: false, reason: 'it never left' }
  const sent = sentIn(entry)
  // At a hub everyone sees the ids of plans, and another person may have used one first.
  if (sent === null || !hasSameTerms({ ...sent, orderQuantity: draft.orderQuantity }, draft))
    return { kind: 'notPlaced', isRefusal: false, reason: `id ${clientOrderId} was used for another order` }
  const quantity = sent.orderQuantity
  // An order with an exchange id was placed, whatever the answer, once the move's new order was sent.
  const named = placedQuantity(entry.steps) === null ? null : orderId
  if (isOpen(entry)) {
    const look = named === null ? null : await asked(parts, named, clientOrderId, quantity)
    return look?.kind === 'report' ? look : { kind: 'later' }
  }
  const placedAs = placedId(entry)
  const id = placedAs ?? named
  if (id !== null) return await asked(parts, id, clientOrderId, quantity)
  return placedAs === undefined
    ? { kind: 'notPlaced', ...refusalOf(entry) }
    : { kind: 'odd', why: `order ${clientOrderId} was placed, and its id is not known`, quantity }
}

function refusalOf({ outcome, settlement }: JournalEntry): { isRefusal: boolean; reason: string } {
  const isRefusal = settlement?.how === 'rejected' || outcome?.kind === 'rejected'
  const reason =
    settlement?.evidence ?? (outcome !== null && 'reason' in outcome ? outcome.reason : 'it was not placed')
  return { isRefusal, reason }
}

/** True when an order must be looked for: it was sent, a cancel of it is in progress, or its fills are unknown. */
export const isUncertain = (order: PlanOrder): boolean =>
  order.standing === 'sent' || order.cancelingSinceMs !== null || isFillUnknown(order)

/** Looks at a plan's order. `isCertain`: no cancel of it is in progress. */
export async function lookAt(
  parts: LookParts,
  order: PlanOrder,
  context: { nowMs: number; isCertain: boolean },
): Promise<Look> {
  if (order.standing === 'sent') return await lookAtSent(parts, order)
  if (order.standing === 'working') return await lookAtWorking(parts, order, context)
  // A service may lack an order for a moment: one more report is needed, because only it shows how much filled.
  const { orderId, clientOrderId } = order
  const look = orderId === null ? await lookAtSent(parts, order) : await asked(parts, orderId, clientOrderId, null)
  return look.kind === 'report' ? look : { kind: 'later' }
}

/** Looks at an order that rested at its last report. `isCertain`: no cancel of it is in progress. */
export async function lookAtWorking(
  parts: LookParts,
  { clientOrderId, orderId, cancelingSinceMs, cancelTries }: PlanOrder,
  { nowMs, isCertain }: { nowMs: number; isCertain: boolean },
): Promise<Look> {
  if (orderId === null) return { kind: 'later' }
  const look = await asked(parts, orderId, clientOrderId, null)
  if (look.kind !== 'report') return look
  const { order } = look
  if (!isWorking(order) || cancelingSinceMs === null) return look
  // The result of one cancel says nothing about a later one. After the wall clock was set back a cancel's age is
  // unknown and taken for too old, or the plan would wait for as long as the clock was set back.
  const isOver = (isCertain && cancelTries <= 1) || Math.abs(nowMs - cancelingSinceMs) >= cancelMayArriveMs
  return isOver ? { kind: 'rests', order } : { kind: 'later' }
}
