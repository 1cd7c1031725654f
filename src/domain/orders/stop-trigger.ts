import { type Book, midPrice } from '../market/book.ts'
import type { Ticker } from '../market/ticker.ts'
import type { Decimal } from '../money.ts'
import type { Known } from './checks/check.ts'
import type { OrderDraft } from './order.ts'

/** True when a price triggers the stop: at or above its stop price for a buy, at or below for a sell. */
export const isStopReached = (
  { side, stopPrice }: Pick<OrderDraft, 'side' | 'stopPrice'>,
  price: OrderDraft['stopPrice'],
): boolean => stopPrice !== null && price !== null && (side === 'BUY' ? price.gte(stopPrice) : price.lte(stopPrice))

/**
 * Whether a stop triggers as soon as it is placed. `unknown`: without a last trade, which triggers it, or when that and
 * the mid differ, because either may be older.
 */
export type TriggerState = 'pending' | 'reached' | 'unknown'

/** The state of a stop by the symbol's last trade and its book; null for either where it is not known. */
export function triggerState(
  draft: Pick<OrderDraft, 'side' | 'stopPrice'>,
  lastPrice: Decimal | null,
  book: Book | null,
): TriggerState {
  const mid = book === null ? null : midPrice(book)
  if (lastPrice === null || lastPrice.lte(0)) return 'unknown'
  const isReached = isStopReached(draft, lastPrice)
  if (mid !== null && isStopReached(draft, mid) !== isReached) return 'unknown'
  return isReached ? 'reached' : 'pending'
}

/** The order that a stop becomes when it triggers: a market order, or a limit order at its limit. */
export const triggered = (draft: OrderDraft): OrderDraft =>
  draft.limitPrice === null
    ? { ...draft, type: 'MARKET', stopPrice: null, timeInForce: null, expireDate: null }
    : { ...draft, type: 'LIMIT', stopPrice: null }

/** True for a stop without a limit that triggers as soon as it is placed: it is a market order. */
export const isMarketAtOnce = (draft: OrderDraft, lastPrice: Decimal | null, book: Book): boolean =>
  draft.stopPrice !== null && draft.limitPrice === null && triggerState(draft, lastPrice, book) === 'reached'

/** The last price of a symbol; null before its first trade, and when it is not known reliably. */
export const lastPriceIn = (tickers: Known<ReadonlyMap<string, Ticker>>, symbol: string): Decimal | null =>
  tickers.kind === 'fresh' ? (tickers.value.get(symbol)?.lastPrice ?? null) : null
