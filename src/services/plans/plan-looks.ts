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

/** `quantity`: what it was placed with; null where that is not told. */
type Reported = { kind: 'report'; order: Order; quantity: Decimal | null }

/** What a look at an order of a plan found. */
export type Look =
  | Reported
  | { kind: 'notPlaced'; isRefusal: boolean; reason: string }
  /** It rests on, and no cancel of it is under way any more. */
  | { kind: 'rests'; order: Order }
  /** Nobody knows yet: another look will tell. */
  | { kind: 'later' }
  /** Only a person can tell. `quantity`: as of a report. */
  | { kind: 'odd'; why: string; quantity: Decimal | null }

/** Of an order that left the list while nobody tells of its end. */
export const gone = {
  ...{ kind: 'odd', why: 'the exchange lists it no more and does not tell of its end', quantity: null },
} as const satisfies Look

/** The line of the record that a look makes, besides a report of the order; null where the report says it all. */
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
  /** What the exchange has of an order that the journal does not have: it may be an older copy than the record. */
  sentBefore?: (order: PlanOrder) => Promise<Order | 'unseen' | null>
}

/**
 * A cancel that left may arrive so much later: until then that the order rests says nothing. More than a call may wait
 * for its turn and take.
 */
const cancelMayArriveMs = 20_000

/** Asks the exchange about an order by its id there. */
async function asked(
  { client }: LookParts,
  orderId: string,
  clientOrderId: string,
  quantity: Decimal | null,
): Promise<Exclude<Look, { kind: 'rests' }>> {
  try {
    const order = await client.fetchOrder(orderId, untilItEnds)
    // A report under another id is not about this order, and says nothing of it.
    return order.clientOrderId === clientOrderId ? { kind: 'report', order, quantity } : { kind: 'later' }
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return isNotFound(error)
      ? { kind: 'odd', why: `the exchange knows no order ${orderId}`, quantity }
      : { kind: 'later' }
  }
}

/**
 * Finds out what became of an order that a plan wrote down to be sent: by the journal, which has every write that left
 * under its id, and settles what was not answered. Nothing in it, nor at the exchange: it never left.
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
  // At a hub everybody sees the ids of plans, and another person's order may have been first under one of them.
  if (sent === null || !hasSameTerms({ ...sent, orderQuantity: draft.orderQuantity }, draft))
    return { kind: 'notPlaced', isRefusal: false, reason: `id ${clientOrderId} was used for another order` }
  const quantity = sent.orderQuantity
  // What the exchange has named was placed, whatever was answered, where the new order of the move has left.
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

/** Whether an order must be looked for: it left, a cancel of it is under way, or its fills are unknown. */
export const isUncertain = (order: PlanOrder): boolean =>
  order.standing === 'sent' || order.cancelingSinceMs !== null || isFillUnknown(order)

/** Looks at an order of a plan, as far as it is known. `isCertain`: no cancel of it is under way. */
export async function lookAt(
  parts: LookParts,
  order: PlanOrder,
  context: { nowMs: number; isCertain: boolean },
): Promise<Look> {
  if (order.standing === 'sent') return await lookAtSent(parts, order)
  if (order.standing === 'working') return await lookAtWorking(parts, order, context)
  // A service may lack for a moment what it has: one report more says how much was filled, and nothing else does.
  const { orderId, clientOrderId } = order
  const look = orderId === null ? await lookAtSent(parts, order) : await asked(parts, orderId, clientOrderId, null)
  return look.kind === 'report' ? look : { kind: 'later' }
}

/** Looks at an order that rested when it was last heard of. `isCertain`: no cancel of it is under way. */
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
  // What settles one cancel says nothing of another that was sent after it. After the wall clock was set back its age
  // is unknown, and taken for too much: else the plan would stand still for as long as the clock was set back.
  const isOver = (isCertain && cancelTries <= 1) || Math.abs(nowMs - cancelingSinceMs) >= cancelMayArriveMs
  return isOver ? { kind: 'rests', order } : { kind: 'later' }
}
