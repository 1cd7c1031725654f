import { Decimal } from '../money.ts'
import type { Withdrawal, WithdrawalRequest } from '../transfers/transfer.ts'
import { isStopType, type Order, type OrderDraft, type OrderStatus, orderQuantity } from './order.ts'

/**
 * Why the outcome of a write is unknown: no answer came; the answer is about another write; or what the exchange
 * reports does not confirm the answer.
 */
export type UnknownCause = 'noAnswer' | 'otherAnswer' | 'unconfirmed'
/** A cancel is answered by a status alone: there is nothing in it that could be about another one. */
export type UnknownCancelCause = Exclude<UnknownCause, 'otherAnswer'>

/**
 * What became of a write. There is no fourth case: no answer, or one that is not ours, is `unknown`, never "failed".
 */
export type OrderOutcome =
  | { kind: 'accepted'; order: Order }
  | { kind: 'rejected'; clientOrderId: string; reason: string }
  /** The order may be live. Look it up by client order id before offering a retry. */
  | { kind: 'unknown'; clientOrderId: string; reason: string; cause: UnknownCause }

export type CancelOutcome =
  /** Seen as CANCELED; `isOwn`: the exchange accepted this cancel, so that it was this one. */
  | { kind: 'canceled'; orderId: string; order: Order; isOwn: boolean }
  /** Seen to have ended in another way, before the cancel or instead of it. */
  | { kind: 'ended'; orderId: string; order: Order }
  /** The service answered that there is nothing to cancel, or that it does not cancel now. */
  | { kind: 'refused'; orderId: string; reason: string }
  | { kind: 'unknown'; orderId: string; reason: string; cause: UnknownCancelCause }

/** What was seen of the orders that worked before all were canceled. */
export type CancelTally = {
  /** How many worked before, as far as was known; null when it was not. */
  before: number | null
  canceled: number
  /** Those that ended in other ways. */
  otherwise: readonly { status: OrderStatus; count: number }[]
  /** Those that work no longer, and nobody saw how they ended; none unless given. */
  unseen?: number
}

/** `ended`: the orders of before as they ended, as far as was seen. */
export type CancelAllOutcome =
  /** No order of the scope was listed as working afterwards. */
  | { kind: 'canceled'; symbol: string | null; tally: CancelTally; ended?: readonly Order[] }
  /** The exchange accepted the cancel and still lists these as working: they are checked until that is resolved. */
  | { kind: 'left'; symbol: string | null; left: readonly Order[]; tally: CancelTally; ended?: readonly Order[] }
  /** `left` are those seen to be working all the same, after that; null where that could not be learned. */
  | { kind: 'refused'; symbol: string | null; reason: string; left: readonly Order[] | null }
  | { kind: 'unknown'; symbol: string | null; reason: string; cause: UnknownCancelCause }

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

export const notSent = (reason: string): NotSent => ({ kind: 'notSent', reason })

/** What became of the cancel of one among several. */
export type CancelEnd = { orderId: string; outcome: CancelOutcome | NotSent }

const answeredAs = (cause: Exclude<UnknownCause, 'noAnswer'>, reason: string): string =>
  ({
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
    : `Order ${clientOrderId}: ${answeredAs(cause, reason)}. It may be live: checking. Do not resubmit.`

/** What a user is told of a withdrawal without a known outcome; `what` says which. */
export const unknownWithdrawalSentence = (
  what: string,
  { reason, cause }: Extract<WithdrawalOutcome, { kind: 'unknown' }>,
): string =>
  cause === 'noAnswer'
    ? `No answer for the withdrawal of ${what}. Money may be on its way: checking. Do not resubmit.`
    : `Withdrawal of ${what}: ${answeredAs(cause, reason)}. Money may be on its way: checking. Do not resubmit.`

/** How the orders of a cancel of all ended, as far as was seen: `4 of 4 canceled`, `3 of 4 canceled, 1 FILLED`. */
export function tallyText({ before, canceled, otherwise, unseen = 0 }: CancelTally): string {
  if (before === null) return ''
  const others = otherwise.map(({ status, count }) => `, ${count} ${status}`).join('')
  return `${canceled} of ${before} canceled${others}${unseen === 0 ? '' : `, ${unseen} ended unseen`}`
}

/** A field of an answer that is not what was sent: by the wire's name, with both values as text. */
type Mismatch = { field: string; sent: string; answered: string }

const differs = (field: string, sent: string, answered: string): Mismatch[] =>
  sent === answered ? [] : [{ field, sent, answered }]

/** What an answer leaves out says nothing. */
const amountDiffers = (field: string, sent: Decimal | null, answered: Decimal | null): Mismatch[] =>
  sent === null || answered === null || sent.eq(answered)
    ? []
    : [{ field, sent: sent.toFixed(), answered: answered.toFixed() }]

/** What of an order of ours is known, to hold reports of it against; a quantity that is not known is null. */
export type KnownOrder = Pick<OrderDraft, 'symbol' | 'side' | 'limitPrice'> & {
  clientOrderId: string
  orderQuantity: Decimal | null
}

/** A listed order as what is known of it; `asked` is its quantity where the list leaves that out. */
export const asKnown = (listed: Order, asked: Decimal | null = null): KnownOrder => ({
  clientOrderId: listed.clientOrderId,
  symbol: listed.symbol,
  side: listed.side,
  limitPrice: listed.limitPrice,
  orderQuantity: toldQuantity(listed) ?? asked,
})

/** The quantity that a report adds up to; null where it tells none: a stop that never triggered may report zeros. */
function toldQuantity(answered: Order): Decimal | null {
  const quantity = orderQuantity(answered)
  return isStopType(answered.type) && quantity?.isZero() === true ? null : quantity
}

/**
 * Where an order that the service reports is not the one that was sent; empty when it is. Which of our writes an answer
 * belongs to is not the service's to decide: id, symbol, side, quantity and limit price have to agree, as far as the
 * report tells them.
 */
export function orderMismatches(sent: KnownOrder, answered: Order): Mismatch[] {
  const quantity = toldQuantity(answered)
  const most = sent.orderQuantity
  return [
    ...differs('clOrdId', sent.clientOrderId, answered.clientOrderId),
    ...differs('symbol', sent.symbol, answered.symbol),
    ...differs('side', sent.side, answered.side),
    ...amountDiffers('orderQty', sent.orderQuantity, quantity),
    ...(quantity === null && most !== null && answered.cumQuantity?.gt(most) === true
      ? [{ field: 'cumQty', sent: `at most ${most.toFixed()}`, answered: answered.cumQuantity.toFixed() }]
      : []),
    ...amountDiffers('price', sent.limitPrice, answered.limitPrice),
    ...beyondLimit(sent, answered.averagePrice),
  ]
}

/** A thousandth: no rounding of an average is coarser. */
const roundedShareMost = 0.001

/** No order fills beyond its limit. An average may be rounded by up to a unit of its last digit. */
function beyondLimit({ side, limitPrice }: KnownOrder, averagePrice: Decimal | null): Mismatch[] {
  if (limitPrice === null || averagePrice === null) return []
  const beyond = side === 'BUY' ? averagePrice.minus(limitPrice) : limitPrice.minus(averagePrice)
  const unit = new Decimal(10).pow(-averagePrice.decimalPlaces())
  if (beyond.lte(Decimal.min(unit, limitPrice.times(roundedShareMost)))) return []
  const bound = `${side === 'BUY' ? 'at most' : 'at least'} ${limitPrice.toFixed()}`
  return [{ field: 'avgPx', sent: bound, answered: averagePrice.toFixed() }]
}

/**
 * Where a withdrawal that the service reports is not the one that was sent; empty when it is. Of "everything" any
 * amount may have come.
 */
export function withdrawalMismatches(sent: WithdrawalRequest, answered: Withdrawal): Mismatch[] {
  return [
    ...differs('currency', sent.currency, answered.currency),
    ...differs('beneficiary', sent.beneficiary, answered.beneficiary),
    ...(sent.amount === 'max' ? [] : amountDiffers('amount', sent.amount, answered.amount)),
    ...(answered.amount?.lte(0) === true ? differs('amount', 'above 0', answered.amount.toFixed()) : []),
    ...(answered.fee?.lt(0) === true ? differs('fee', 'none below 0', answered.fee.toFixed()) : []),
  ]
}

/** Both sides of what does not agree, as a clause: `sent side BUY, answered SELL; sent orderQty 0.05, answered 1`. */
export const mismatchText = (mismatches: readonly Mismatch[]): string =>
  mismatches.map(({ field, sent, answered }) => `sent ${field} ${sent}, answered ${answered}`).join('; ')

/** How several moves went: how many, and at which order they stopped, and why; null where all had their turn. */
export type MovesEnd = {
  moved: number
  /** Orders that had ended before their turn. */
  gone: readonly string[]
  stop: { orderId: string; reason: string; left: readonly string[] } | null
}
