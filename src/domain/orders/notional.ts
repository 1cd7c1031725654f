import { type Book, sweep } from '../market/book.ts'
import { Decimal } from '../money.ts'
import type { OrderDraft } from './order.ts'
import { triggered, triggerState } from './stop-trigger.ts'

/**
 * The notional that limits compare. `whole`: the order's exact notional. A market order larger than the visible book
 * counts as a whole at the last visible price; a buy then trades for `atLeast` that, a sell for `atMost`.
 */
export type JudgedNotional = { notional: Decimal; is: 'whole' | 'atLeast' | 'atMost' }

/**
 * The notional of an order for its limits, in the counter currency; null without a price. A stop whose trigger is
 * reached counts as the order it becomes, one that waits at its trigger or limit; while it is not known which, the
 * higher counts, and null when it may be a market order without a book.
 */
export function judgedNotional(draft: OrderDraft, book: Book, lastPrice: Decimal | null): JudgedNotional | null {
  const waits = waitingNotional(draft)
  if (waits === null) return judgedNow(draft, book)
  const now = judgedNow(triggered(draft), book)
  const state = triggerState(draft, lastPrice, book)
  if (state === 'reached') return now
  // A buy just above the market fills through the same book a moment later; a sell only below its trigger.
  if (now === null || (state === 'pending' && draft.side === 'SELL'))
    return state === 'pending' ? { notional: waits, is: 'whole' } : null
  return now.notional.gt(waits) ? now : { notional: waits, is: 'whole' }
}

/** The notional of an order that is no stop. */
function judgedNow(draft: OrderDraft, book: Book): JudgedNotional | null {
  const notional = draftNotional(draft, book)
  if (notional === null || draft.limitPrice !== null) return notional === null ? null : { notional, is: 'whole' }
  const { quantity, worstPrice } = sweep(book, draft.side, draft.orderQuantity, null)
  const unseen = draft.orderQuantity.minus(quantity)
  if (worstPrice === null || unseen.lte(0)) return { notional, is: 'whole' }
  return { notional: notional.plus(unseen.times(worstPrice)), is: draft.side === 'BUY' ? 'atLeast' : 'atMost' }
}

/**
 * The maximum notional of a stop that waits: a buy at its limit, a sell at its trigger however low its limit is. Null
 * for an order that is no stop.
 */
export function waitingNotional({ side, orderQuantity, limitPrice, stopPrice }: OrderDraft): Decimal | null {
  if (stopPrice === null) return null
  const price =
    side === 'BUY' ? (limitPrice ?? stopPrice) : limitPrice === null ? stopPrice : Decimal.max(stopPrice, limitPrice)
  return price.times(orderQuantity)
}

/**
 * The maximum notional of an order in the counter currency: a buy at its limit, a sell at the book's present price and
 * at its limit for the resting part, a stop as one that waits. Null without a price.
 */
export function draftNotional(draft: OrderDraft, book: Book | null): Decimal | null {
  const { orderQuantity, side, limitPrice: price } = draft
  const waits = waitingNotional(draft)
  if (waits !== null) return waits
  if (price === null) {
    const now = book === null ? null : sweep(book, side, orderQuantity, null)
    return now === null || now.quantity.isZero() ? null : now.notional
  }
  if (side === 'BUY' || book === null) return price.times(orderQuantity)
  const now = sweep(book, 'SELL', orderQuantity, price)
  return now.notional.plus(orderQuantity.minus(now.quantity).times(price))
}
