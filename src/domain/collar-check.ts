import { type Book, midPrice, sweep } from './book.ts'
import { ask, block, type Check, pass } from './check.ts'
import { averageScale, type Instrument } from './instrument.ts'
import { type Bounds, hasBound } from './limits.ts'
import { Decimal, formatGrouped } from './money.ts'
import type { OrderDraft } from './order.ts'

/** A price the order may trade at, and what it is held against. */
type Held = { price: Decimal; against: Decimal; name: string }

/** A stop that the market has already reached acts at once. */
const isReached = ({ side, stopPrice }: OrderDraft, mid: Decimal): boolean =>
  stopPrice === null || (side === 'BUY' ? stopPrice.lte(mid) : stopPrice.gte(mid))

/**
 * The order's worst price: its limit, else the last level it would take from the book. A stop that waits trades when
 * the market is at its stop price, so its limit is held against that; a stop without a limit has nothing to be held.
 * Null: nothing to judge.
 */
function heldPrice(draft: OrderDraft, book: Book, mid: Decimal): Held | null {
  const { limitPrice, stopPrice } = draft
  if (stopPrice !== null && !isReached(draft, mid))
    return limitPrice === null ? null : { price: limitPrice, against: stopPrice, name: 'stop price' }
  const price = limitPrice ?? sweep(book, draft.side, draft.orderQuantity, null).worstPrice
  return price === null ? null : { price, against: mid, name: 'mid' }
}

/**
 * Distance of the price from the mid in percent, on either side. While a symbol is halted and a side of its book is
 * empty, the auction's price stands in for the mid; without either the order is blocked.
 */
export function collarCheck(draft: OrderDraft, instrument: Instrument, book: Book, limit: Bounds<Decimal>): Check {
  if (!hasBound(limit)) return pass('collar')
  const mid = midPrice(book) ?? instrument.auction.price
  // An empty side fills nothing of a market order, which has a rule of its own.
  if (mid === null || mid.lte(0)) {
    if (draft.type === 'MARKET') return pass('collar')
    return block('collar', 'a side of the book is empty: without a mid the price cannot be judged')
  }
  const held = heldPrice(draft, book, mid)
  // A price that is not above zero has a rule of its own.
  if (held === null || held.against.lte(0) || held.price.lte(0)) return pass('collar')
  const percent = held.price.minus(held.against).abs().div(held.against).times(100)
  const sentence = (kind: string, bound: Decimal) => {
    const decimals = Math.max(instrument.priceScale, held.against.decimalPlaces())
    const against = formatGrouped(held.against, Math.min(decimals, averageScale(instrument)))
    // Rounded up, so that what is over never reads as the bound itself.
    const distance = percent.toDecimalPlaces(2, Decimal.ROUND_CEIL).toFixed(2)
    const price = formatGrouped(held.price, instrument.priceScale)
    return `price ${price} is ${distance}% from the ${held.name} ${against}: over the ${kind} limit ${bound}%`
  }
  if (limit.hard !== null && percent.gt(limit.hard)) return block('collar', sentence('hard', limit.hard))
  if (limit.soft !== null && percent.gt(limit.soft)) return ask('collar', sentence('soft', limit.soft))
  return pass('collar')
}
