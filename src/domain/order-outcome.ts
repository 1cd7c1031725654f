import type { Order, OrderStatus } from './order.ts'
import type { Withdrawal } from './transfer.ts'

/**
 * Why the outcome of a write is not known: no answer came; the answer is about another write; or a no that what the
 * exchange lists does not bear out.
 */
export type UnknownCause = 'noAnswer' | 'otherAnswer' | 'unconfirmed'

/**
 * What became of a write. There is no fourth case: no answer, or one that is not ours, is `unknown`, never "failed".
 */
export type OrderOutcome =
  | { kind: 'accepted'; order: Order }
  | { kind: 'rejected'; clientOrderId: string; reason: string }
  /** The order may be live. Look it up by client order id before offering a retry. */
  | { kind: 'unknown'; clientOrderId: string; reason: string; cause: UnknownCause }

export type CancelOutcome =
  /** Seen as CANCELED; `isOwn`: and the cancel was answered with a yes, so that it was this one. */
  | { kind: 'canceled'; orderId: string; order: Order; isOwn: boolean }
  /** Seen to have ended in another way, before the cancel or instead of it. */
  | { kind: 'ended'; orderId: string; order: Order }
  /** The service answered that there is nothing to cancel, or that it does not cancel now. */
  | { kind: 'refused'; orderId: string; reason: string }
  | { kind: 'unknown'; orderId: string; reason: string }

/** What was seen of the orders that worked before all were canceled. */
export type CancelTally = {
  /** How many worked before, as far as was known; null when it was not. */
  before: number | null
  canceled: number
  /** Those that ended in other ways. */
  otherwise: readonly { status: OrderStatus; count: number }[]
}

export type CancelAllOutcome =
  /** No order of the scope was listed as working afterwards. */
  | { kind: 'canceled'; symbol: string | null; tally: CancelTally }
  /**
   * The service answered yes, and these are listed as working all the same: they are looked at until that is settled.
   */
  | { kind: 'left'; symbol: string | null; left: readonly Order[]; tally: CancelTally }
  /** `left` are those seen to be working all the same, after that; null where that could not be learned. */
  | { kind: 'refused'; symbol: string | null; reason: string; left: readonly Order[] | null }
  | { kind: 'unknown'; symbol: string | null; reason: string }

export type WithdrawalOutcome =
  | { kind: 'accepted'; withdrawal: Withdrawal }
  /** `noTwoFactor`: the account has no two-factor authentication, without which no money leaves it. */
  | { kind: 'rejected'; reason: string; cause?: 'noTwoFactor' }
  /** The money may be on its way. It is looked for among the withdrawals; `key` names it until then. */
  | { kind: 'unknown'; key: string; reason: string; cause: UnknownCause }

/**
 * Not a byte has left, so that nothing can have happened. `missedTurn`: somebody else of the account may be sending
 * just now.
 */
export type NotSent = { kind: 'notSent'; reason: string; missedTurn?: true }

const happened = (cause: UnknownCause, reason: string): string =>
  ({
    noAnswer: 'no answer',
    otherAnswer: `answered with another one's data (${reason})`,
    unconfirmed: `refused, but not confirmed (${reason})`,
  })[cause]

/** What a person is told of an order without a known outcome: what happened, the risk, what to do. */
export const unknownOrderSentence = ({
  clientOrderId,
  reason,
  cause,
}: Extract<OrderOutcome, { kind: 'unknown' }>): string =>
  cause === 'noAnswer'
    ? `No answer for order ${clientOrderId}. It may be live: checking. Do not resubmit.`
    : `Order ${clientOrderId}: ${happened(cause, reason)}. It may be live: checking. Do not resubmit.`

/** The same of a withdrawal; `what` says which. */
export const unknownWithdrawalSentence = (
  what: string,
  { reason, cause }: Extract<WithdrawalOutcome, { kind: 'unknown' }>,
): string =>
  cause === 'noAnswer'
    ? `No answer for the withdrawal of ${what}. Money may be on its way: checking. Do not resubmit.`
    : `Withdrawal of ${what}: ${happened(cause, reason)}. Money may be on its way: checking. Do not resubmit.`

/** How the orders of a cancel of all ended, as far as was seen: `4 of 4 canceled`, `3 of 4 canceled, 1 FILLED`. */
export function tallyText({ before, canceled, otherwise }: CancelTally): string {
  if (before === null) return ''
  const others = otherwise.map(({ status, count }) => `, ${count} ${status}`).join('')
  return `${canceled} of ${before} canceled${others}`
}
