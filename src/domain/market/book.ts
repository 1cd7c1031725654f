import { memoizeByObject } from '../../base/memoize.ts'
import type { UnreadableEntry } from '../listing.ts'
import { compareAmounts, Decimal, zero } from '../money.ts'
import type { Side } from '../side.ts'

/** `orderCount` is null when not reported, and an int64 because the service may send anything. */
export type Level = { price: Decimal; quantity: Decimal; orderCount: bigint | null }
/** Level 2: one entry per price, best first on both sides. */
export type Book = {
  symbol: string
  bids: readonly Level[]
  asks: readonly Level[]
  /** Unreadable entries of either side, if any, without which the book is incomplete. */
  unreadable?: readonly UnreadableEntry[]
}

/** `orderId` is null when not reported. */
export type QueueOrder = { price: Decimal; quantity: Decimal; orderId: string | null }
/** Level 3: one entry per order, best first, and by time priority within a price. */
export type OrderByOrderBook = {
  symbol: string
  bids: readonly QueueOrder[]
  asks: readonly QueueOrder[]
  unreadable?: readonly UnreadableEntry[]
}

export const bestBid = (book: Book): Decimal | null => book.bids[0]?.price ?? null
export const bestAsk = (book: Book): Decimal | null => book.asks[0]?.price ?? null

/** The first price that an order of this side would take; null when the opposite side is empty. */
export const bestOpposite = (book: Book, side: Side): Decimal | null => (side === 'BUY' ? bestAsk(book) : bestBid(book))

/** True when an order would trade at once; a `limitPrice` of null is any price. */
export function takesNow(book: Book, side: Side, limitPrice: Decimal | null): boolean {
  const touch = bestOpposite(book, side)
  if (touch === null) return false
  return limitPrice === null || (side === 'BUY' ? limitPrice.gte(touch) : limitPrice.lte(touch))
}

/** Best ask − best bid; null when a side is empty. Negative only in an auction. */
export const spread = memoizeByObject((book: Book): Decimal | null => {
  const bid = bestBid(book)
  const ask = bestAsk(book)
  return bid === null || ask === null ? null : ask.minus(bid)
})

/** True when bids exceed asks, as only the book of an auction can, where nothing trades until it opens. */
export function isCrossed(book: Book): boolean {
  const bid = bestBid(book)
  const ask = bestAsk(book)
  return bid !== null && ask !== null && compareAmounts(ask, bid) < 0
}

/** The mid of the best prices; null when a side is empty. Half a dozen panes and checks ask for it at every update. */
export const midPrice = memoizeByObject((book: Book): Decimal | null => {
  const bid = bestBid(book)
  const ask = bestAsk(book)
  return bid === null || ask === null ? null : bid.plus(ask).div(2)
})

/**
 * True when a price is more than a tick outside the best prices, so that nothing would trade there now. A last price is
 * polled more slowly than the book and may be outdated; false in an auction or with an empty side.
 */
export function isLeftBehind(price: Decimal, book: Book, tickSize: Decimal): boolean {
  const bid = bestBid(book)
  const ask = bestAsk(book)
  if (bid === null || ask === null || ask.lt(bid)) return false
  return price.lt(bid.minus(tickSize)) || price.gt(ask.plus(tickSize))
}

/** The fills of a new order in the present book. `notional` is in the counter currency. */
type Sweep = {
  quantity: Decimal
  notional: Decimal
  averagePrice: Decimal | null
  worstPrice: Decimal | null
  /** Number of price levels it takes from. */
  levelCount: number
}

/** Computes the fills of `quantity` against the opposite side, no worse than `limitPrice` (null: any price). */
export function sweep(book: Book, side: Side, quantity: Decimal, limitPrice: Decimal | null): Sweep {
  let left = quantity
  let notional = zero
  let worstPrice: Decimal | null = null
  let levelCount = 0
  for (const level of side === 'BUY' ? book.asks : book.bids) {
    if (left.lte(0)) break
    const isBeyondLimit =
      limitPrice !== null && (side === 'BUY' ? level.price.gt(limitPrice) : level.price.lt(limitPrice))
    if (isBeyondLimit) break
    const taken = Decimal.min(left, level.quantity)
    left = left.minus(taken)
    notional = notional.plus(taken.times(level.price))
    worstPrice = level.price
    levelCount += 1
  }
  const filled = quantity.minus(left)
  return {
    quantity: filled,
    notional,
    averagePrice: filled.gt(0) ? notional.div(filled) : null,
    worstPrice,
    levelCount,
  }
}
