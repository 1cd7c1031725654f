import type { UnreadableEntry } from '../listing.ts'
import { Decimal, zero } from '../money.ts'
import type { Side } from '../orders/order.ts'

/** `orderCount` is null where the service does not say it; an int64, for a service may write anything there. */
export type Level = { price: Decimal; quantity: Decimal; orderCount: bigint | null }
/** Level 2: one entry a price, best first on both sides. */
export type Book = {
  symbol: string
  bids: readonly Level[]
  asks: readonly Level[]
  /** Entries of either side that cannot be read, where there are any: the book is not whole without them. */
  unreadable?: readonly UnreadableEntry[]
}

/** `orderId` is null where the service does not say it. */
export type QueueOrder = { price: Decimal; quantity: Decimal; orderId: string | null }
/** Level 3: one entry an order, best first, and within a price in time priority. */
export type OrderByOrderBook = {
  symbol: string
  bids: readonly QueueOrder[]
  asks: readonly QueueOrder[]
  unreadable?: readonly UnreadableEntry[]
}

export const bestBid = (book: Book): Decimal | null => book.bids[0]?.price ?? null
export const bestAsk = (book: Book): Decimal | null => book.asks[0]?.price ?? null

/** The price that an order of this side meets first when it takes; null when nobody is there. */
export const bestOpposite = (book: Book, side: Side): Decimal | null => (side === 'BUY' ? bestAsk(book) : bestBid(book))

/** Whether an order would meet the other side at once; a `limitPrice` of null is any price. */
export function takesNow(book: Book, side: Side, limitPrice: Decimal | null): boolean {
  const touch = bestOpposite(book, side)
  if (touch === null) return false
  return limitPrice === null || (side === 'BUY' ? limitPrice.gte(touch) : limitPrice.lte(touch))
}

/** Best ask − best bid, or null when a side is empty. Negative only while an auction book builds. */
export function spread(book: Book): Decimal | null {
  const bid = bestBid(book)
  const ask = bestAsk(book)
  return bid === null || ask === null ? null : ask.minus(bid)
}

/** Buyers bid more than sellers ask: only the book of an auction stands so, for nothing trades in it until it opens. */
export const isCrossed = (book: Book): boolean => spread(book)?.lt(0) ?? false

/** Half-way between the best prices, or null when a side is empty. */
export function midPrice(book: Book): Decimal | null {
  const bid = bestBid(book)
  const ask = bestAsk(book)
  return bid === null || ask === null ? null : bid.plus(ask).div(2)
}

/**
 * Whether a price is more than a tick beyond the touch, so that nothing would trade there now. A last price is polled
 * more slowly than the book and may be old; in an auction, or with an empty side, this is false.
 */
export function isLeftBehind(price: Decimal, book: Book, tickSize: Decimal): boolean {
  const bid = bestBid(book)
  const ask = bestAsk(book)
  if (bid === null || ask === null || ask.lt(bid)) return false
  return price.lt(bid.minus(tickSize)) || price.gt(ask.plus(tickSize))
}

/** Level 3 summed by price: what level 2 must show for the same book. */
export function aggregate(queue: readonly QueueOrder[]): Level[] {
  const levels: Level[] = []
  for (const { price, quantity } of queue) {
    const last = levels.at(-1)
    if (last?.price.eq(price)) {
      levels[levels.length - 1] = {
        price,
        quantity: last.quantity.plus(quantity),
        orderCount: (last.orderCount ?? 0n) + 1n,
      }
    } else levels.push({ price, quantity, orderCount: 1n })
  }
  return levels
}

/** What a new order would meet in the book this instant. `notional` is in the counter currency. */
type Sweep = {
  quantity: Decimal
  notional: Decimal
  averagePrice: Decimal | null
  worstPrice: Decimal | null
  /** Price levels it would take from. */
  levelCount: number
}

/** Walks the opposite side: how much of `quantity` would fill at once, no worse than `limitPrice` (null: any price). */
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
