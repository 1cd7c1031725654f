import { Decimal } from '../money.ts'
import {
  amountDiffers,
  answeredAs,
  differs,
  type Mismatch,
  type NotSent,
  type Refusal,
  type UnknownCause,
} from '../write-outcome.ts'
import { isStopType, type Order, type OrderDraft, type OrderStatus, orderName, orderQuantity } from './order.ts'

/** A cancel is answered by a status only, which cannot be about another order. */
export type UnknownCancelCause = Exclude<UnknownCause, 'otherAnswer' | 'unseen'>

/**
 * The outcome of an order. There is no fourth case: no answer, or one that is not ours, is `unknown`, never "failed".
 */
export type OrderOutcome =
  /** `refusal`: what the answer said, where it refused an order that the exchange has all the same. */
  | { kind: 'accepted'; order: Order; refusal?: string }
  /** `orderId` is the exchange's id that the refusal named; missing where it named none. */
  | ({ kind: 'rejected'; clientOrderId: string; orderId?: string } & Refusal)
  /** The order may be live. Look it up by client order id before offering a retry. */
  | { kind: 'unknown'; clientOrderId: string; reason: string; cause: UnknownCause }

export type CancelOutcome =
  /** Reported CANCELED; `isOwn` when the exchange accepted this cancel, so this one caused it. */
  | { kind: 'canceled'; orderId: string; order: Order; isOwn: boolean }
  /** Reported finished in another way, before or instead of the cancel. */
  | { kind: 'ended'; orderId: string; order: Order }
  /** The service answered that there is nothing to cancel, or that it does not cancel now. */
  | ({ kind: 'refused'; orderId: string } & Refusal)
  | ({ kind: 'unknown'; orderId: string; cause: UnknownCancelCause } & Refusal)

/** What was observed of the orders working before a cancel of all. */
export type CancelTally = {
  /** Number of orders working before; null when unknown. */
  before: number | null
  canceled: number
  /** Orders that ended in other ways. */
  otherwise: readonly { status: OrderStatus; count: number }[]
  /** Orders no longer working whose end was not observed; 0 by default. */
  unseen?: number
}

/** `ended`: the earlier orders with their end, as far as observed. */
export type CancelAllOutcome =
  /** No order of the scope was listed as working afterwards. */
  | { kind: 'canceled'; symbol: string | null; tally: CancelTally; ended?: readonly Order[] }
  /** The exchange accepted the cancel but still lists these as working; they are checked until resolved. */
  | { kind: 'left'; symbol: string | null; left: readonly Order[]; tally: CancelTally; ended?: readonly Order[] }
  /** `left` are those still working afterwards; null when unknown. */
  | ({ kind: 'refused'; symbol: string | null; left: readonly Order[] | null } & Refusal)
  | ({ kind: 'unknown'; symbol: string | null; cause: UnknownCancelCause } & Refusal)

type Untaken<O> = Extract<O, { kind: 'notSent' | 'refused' | 'unknown' }>

/**
 * True for a cancel to be tried again: it was not sent, or was refused before anybody looked at what is to be canceled.
 * Whether that is there may be unknown.
 */
export const isUntaken = <O extends CancelOutcome | CancelAllOutcome | NotSent>(outcome: O): outcome is Untaken<O> =>
  outcome.kind === 'notSent' || ('refusedFor' in outcome && outcome.refusedFor === 'tooManyCalls')

/** The outcome of one cancel among several. */
export type CancelEnd = { orderId: string; outcome: CancelOutcome | NotSent }

/**
 * The sentence about an order with an unknown outcome. The risk comes first: the line of notices is cut on the right,
 * at 80 columns behind the id.
 */
export const unknownOrderSentence = ({
  clientOrderId,
  reason,
  cause,
}: Extract<OrderOutcome, { kind: 'unknown' }>): string =>
  cause === 'noAnswer'
    ? `May be live: no answer for order ${clientOrderId}. Checking. Do not resubmit.`
    : `May be live: order ${clientOrderId} ${answeredAs(cause, reason)}. Checking. Do not resubmit.`

/** The sentence about an order that is there although its answer refused it. */
export const refusedButThereSentence = (order: Order, refusal: string): string =>
  `Order ${order.clientOrderId} was answered as rejected (${refusal}), but order ${orderName(order)} is ` +
  `${order.status}: it counts as sent. Do not resubmit.`

/** How the orders of a cancel of all ended, as far as observed: `4 of 4 canceled`, `3 of 4 canceled, 1 FILLED`. */
export function tallyText({ before, canceled, otherwise, unseen = 0 }: CancelTally): string {
  if (before === null) return ''
  const others = otherwise.map(({ status, count }) => `, ${count} ${status}`).join('')
  return `${canceled} of ${before} canceled${others}${unseen === 0 ? '' : `, ${unseen} ended unseen`}`
}

const belowZero = (field: string, answered: Decimal | null): Mismatch[] =>
  answered?.lt(0) === true ? [{ field, sent: 'none below 0', answered: answered.toFixed() }] : []

/** What we know of one of our orders, for comparison with reports of it; `orderQuantity` is null when unknown. */
export type KnownOrder = Pick<OrderDraft, 'symbol' | 'side' | 'limitPrice'> & {
  clientOrderId: string
  orderQuantity: Decimal | null
}

/** A listed order as a `KnownOrder`; `asked` is its quantity when the list omits it. */
export const asKnown = (listed: Order, asked: Decimal | null = null): KnownOrder => ({
  clientOrderId: listed.clientOrderId,
  symbol: listed.symbol,
  side: listed.side,
  limitPrice: listed.limitPrice,
  orderQuantity: toldQuantity(listed) ?? asked,
})

/**
 * The order quantity that a report adds up to; null when it tells none: a stop that ended before it triggered may
 * report zeros.
 */
function toldQuantity(answered: Order): Decimal | null {
  const quantity = orderQuantity(answered)
  const mayBeZeros = isStopType(answered.type) && (answered.status === 'CANCELED' || answered.status === 'EXPIRED')
  return mayBeZeros && quantity?.isZero() === true ? null : quantity
}

/**
 * How a reported order differs from the one sent; empty when it does not. We decide whether an answer belongs to our
 * write: id, symbol, side, quantity and limit price must agree, as far as reported.
 */
export function orderMismatches(sent: KnownOrder, answered: Order): Mismatch[] {
  const quantity = toldQuantity(answered)
  const { orderQuantity: sentQuantity } = sent
  return [
    ...differs('clOrdId', sent.clientOrderId, answered.clientOrderId),
    ...differs('symbol', sent.symbol, answered.symbol),
    ...differs('side', sent.side, answered.side),
    ...amountDiffers('orderQty', sent.orderQuantity, quantity),
    ...belowZero('cumQty', answered.cumQuantity),
    ...belowZero('leavesQty', answered.leavesQuantity),
    ...(quantity === null && sentQuantity !== null && answered.cumQuantity?.gt(sentQuantity) === true
      ? [{ field: 'cumQty', sent: `at most ${sentQuantity.toFixed()}`, answered: answered.cumQuantity.toFixed() }]
      : []),
    ...amountDiffers('price', sent.limitPrice, answered.limitPrice),
    ...beyondLimit(sent, answered.averagePrice),
  ]
}

/** Maximum relative rounding error of an average price. */
const roundedShareMax = 0.001

/** No order fills beyond its limit; an average may be rounded by up to one unit of its last digit. */
function beyondLimit({ side, limitPrice }: KnownOrder, averagePrice: Decimal | null): Mismatch[] {
  if (limitPrice === null || averagePrice === null) return []
  const beyond = side === 'BUY' ? averagePrice.minus(limitPrice) : limitPrice.minus(averagePrice)
  const unit = new Decimal(10).pow(-averagePrice.decimalPlaces())
  if (beyond.lte(Decimal.min(unit, limitPrice.times(roundedShareMax)))) return []
  const bound = `${side === 'BUY' ? 'at most' : 'at least'} ${limitPrice.toFixed()}`
  return [{ field: 'avgPx', sent: bound, answered: averagePrice.toFixed() }]
}

/**
 * The result of several moves: how many were moved, and the order and reason where they stopped; null when all had
 * their turn.
 */
export type MovesEnd = {
  moved: number
  /** Orders that ended before their turn. */
  gone: readonly string[]
  stop: { orderId: string; reason: string; left: readonly string[] } | null
}
