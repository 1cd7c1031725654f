import type { Decimal } from '../../domain/money.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import type { JournalEntry, WriteIntent, WriteJournal } from '../../journal/entry.ts'
import { describeIntent } from './describe-intent.ts'

const sameAmount = (left: Decimal | null, right: Decimal | null): boolean =>
  left === null || right === null ? left === right : left.eq(right)

const isDuplicateOrder = (left: OrderDraft, right: OrderDraft): boolean =>
  left.symbol === right.symbol &&
  left.side === right.side &&
  left.orderQuantity.eq(right.orderQuantity) &&
  sameAmount(left.limitPrice, right.limitPrice) &&
  sameAmount(left.stopPrice, right.stopPrice)

/** All that is available may well be the very amount that was typed. */
function isDuplicateWithdrawal(left: WithdrawalRequest, right: WithdrawalRequest): boolean {
  if (left.currency !== right.currency || left.beneficiary !== right.beneficiary) return false
  return left.amount === 'max' || right.amount === 'max' || left.amount.eq(right.amount)
}

const draftOf = (intent: WriteIntent): OrderDraft | null =>
  intent.kind === 'order' || intent.kind === 'move' ? intent.draft : null

/** Whether the two, both taking effect, would be one thing done twice. Cancels can be repeated without harm. */
export function isDuplicate(left: WriteIntent, right: WriteIntent): boolean {
  if (left.kind === 'withdrawal' && right.kind === 'withdrawal')
    return isDuplicateWithdrawal(left.request, right.request)
  const [leftDraft, rightDraft] = [draftOf(left), draftOf(right)]
  return leftDraft !== null && rightDraft !== null && isDuplicateOrder(leftDraft, rightDraft)
}

/**
 * Why `intent` must wait: a like write, of this desk or of another one on this account, whose outcome is not known.
 * Null when there is none. Nothing may be awaited between this and the journal's `begin`.
 */
export function blockingDuplicate(
  intent: WriteIntent,
  journal: WriteJournal,
  elsewhere: readonly JournalEntry[],
  nowMs: number,
): string | null {
  const own = journal.open().find((entry) => isDuplicate(entry.intent, intent))
  if (own !== undefined) return reason(own, nowMs, 'wait until it is settled')
  const other = elsewhere.find((entry) => isDuplicate(entry.intent, intent))
  return other === undefined ? null : reason(other, nowMs, 'another desk of this account has yet to settle it')
}

function reason({ intent, atMs }: JournalEntry, nowMs: number, next: string): string {
  const seconds = Math.max(0, Math.round((nowMs - atMs) / 1000))
  return `the outcome of a like one is not known (${describeIntent(intent)}, ${seconds} s ago): ${next}`
}
