import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Decimal } from '../../domain/money.ts'
import { hasSameTerms, isWorking, type Order } from '../../domain/orders/order.ts'
import type { PlanOrder } from '../../domain/plans/plan.ts'
import { isOpen, type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'
import { untilItEnds } from '../orders/journaled-write.ts'
import { sentIn } from '../reconciliation/open-write.ts'

/** What a look at an order of a plan found. */
export type Look =
  /** `quantity`: what it was placed with, where that is not what the plan wrote down; null where it is. */
  | { kind: 'report'; order: Order; quantity: Decimal | null }
  | { kind: 'notPlaced'; isRefusal: boolean; reason: string }
  /** It rests on, and no cancel of it is under way any more. */
  | { kind: 'rests'; order: Order }
  /** Nobody knows yet: another look will tell. */
  | { kind: 'later' }
  /** Only a person can tell. */
  | { kind: 'odd'; why: string }

export type LookParts = { journal: Pick<WriteJournal, 'find'>; client: Pick<ExchangeClient, 'fetchOrder'> }

/**
 * A cancel that left may arrive so much later: until then that the order rests says nothing. More than a call may wait
 * for its turn and take.
 */
const cancelMayArriveMs = 20_000

const asked = async (parts: LookParts, orderId: string, clientOrderId: string): Promise<Order | Look> => {
  try {
    const order = await parts.client.fetchOrder(orderId, untilItEnds)
    // A report under another id is not about this order, and says nothing of it.
    return order.clientOrderId === clientOrderId ? order : { kind: 'later' }
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error
    return isNotFound(error) ? { kind: 'odd', why: `the exchange knows no order ${orderId}` } : { kind: 'later' }
  }
}

/**
 * Finds out what became of an order that a plan wrote down to be sent: by the journal, which has every write that left
 * under its id, and settles what was not answered. Nothing in it: it never left.
 */
export async function lookAtSent(parts: LookParts, { clientOrderId, orderId, draft }: PlanOrder): Promise<Look> {
  let entry: JournalEntry | undefined
  try {
    const { entries, gap } = await parts.journal.find({ kind: 'order', id: clientOrderId })
    entry = entries[0]
    if (entry === undefined && gap !== null)
      return { kind: 'odd', why: `whether order ${clientOrderId} left is not known: ${gap}` }
  } catch (error) {
    if (error instanceof JournalError) return { kind: 'later' }
    throw error
  }
  if (entry === undefined) return { kind: 'notPlaced', isRefusal: false, reason: 'it never left' }
  const sent = sentIn(entry)
  // At a hub everybody sees the ids of plans, and another person's order may have been first under one of them.
  if (sent === null || !hasSameTerms({ ...sent, orderQuantity: draft.orderQuantity }, draft))
    return { kind: 'notPlaced', isRefusal: false, reason: `id ${clientOrderId} was used for another order` }
  if (isOpen(entry)) return { kind: 'later' }
  const placedAs = placedId(entry)
  if (placedAs === undefined) return { kind: 'notPlaced', ...refusalOf(entry) }
  const id = placedAs ?? orderId
  if (id === null) return { kind: 'odd', why: `order ${clientOrderId} was placed, and its id is not known` }
  const order = await asked(parts, id, clientOrderId)
  return 'kind' in order ? order : { kind: 'report', order, quantity: sent.orderQuantity }
}

/** The exchange's id of an order that was placed, null where that is not on record; undefined where none was. */
function placedId({ outcome, settlement }: JournalEntry): string | null | undefined {
  if (settlement !== null) return settlement.how === 'placed' ? settlement.id : undefined
  return outcome?.kind === 'accepted' ? outcome.id : undefined
}

function refusalOf({ outcome, settlement }: JournalEntry): { isRefusal: boolean; reason: string } {
  const isRefusal = settlement?.how === 'rejected' || outcome?.kind === 'rejected'
  const reason =
    settlement?.evidence ?? (outcome !== null && 'reason' in outcome ? outcome.reason : 'it was not placed')
  return { isRefusal, reason }
}

/** Looks at an order that rested when it was last heard of. `isCertain`: no cancel of it is under way. */
export async function lookAtWorking(
  parts: LookParts,
  { clientOrderId, orderId, cancelingSinceMs, cancelTries }: PlanOrder,
  { nowMs, isCertain }: { nowMs: number; isCertain: boolean },
): Promise<Look> {
  if (orderId === null) return { kind: 'later' }
  const order = await asked(parts, orderId, clientOrderId)
  if ('kind' in order) return order
  if (!isWorking(order) || cancelingSinceMs === null) return { kind: 'report', order, quantity: null }
  // What settles one cancel says nothing of another that was sent after it.
  const isOver = (isCertain && cancelTries <= 1) || nowMs - cancelingSinceMs >= cancelMayArriveMs
  return isOver ? { kind: 'rests', order } : { kind: 'later' }
}
