import { type Book, midPrice } from './book.ts'
import { type Check, pass, warn } from './check.ts'
import { formatPrice, type Instrument } from './instrument.ts'
import type { OrderDraft } from './order.ts'

/** True when a price sets the stop off: a buy at or above its stop price, a sell at or below. */
export const isStopReached = ({ side, stopPrice }: OrderDraft, price: OrderDraft['stopPrice']): boolean =>
  stopPrice !== null && price !== null && (side === 'BUY' ? price.gte(stopPrice) : price.lte(stopPrice))

/**
 * What a stop is usually not meant to do: act at once because the market is past it, or rest unfilled because its limit
 * is on the wrong side of it. Neither is against a rule, so both only warn. No check for an order without a stop price.
 */
export function stopChecks(draft: OrderDraft, instrument: Instrument, book: Book): Check[] {
  const { side, stopPrice, limitPrice } = draft
  if (stopPrice === null) return []
  const isBuy = side === 'BUY'
  const mid = midPrice(book)
  if (mid !== null && isStopReached(draft, mid)) {
    const bound = isBuy ? 'above' : 'below'
    const market = formatPrice(mid, instrument)
    return [warn('stop', `stop acts at once; ${bound} ${market} it waits`)]
  }
  const isOutOfReach = limitPrice !== null && (isBuy ? limitPrice.lt(stopPrice) : limitPrice.gt(stopPrice))
  if (!isOutOfReach) return [pass('stop')]
  const bound = isBuy ? 'or more' : 'or less'
  return [warn('stop', `once triggered the limit may not fill: ${formatPrice(stopPrice, instrument)} ${bound} would`)]
}
