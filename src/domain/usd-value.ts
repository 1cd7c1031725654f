import type { Balance } from './balance.ts'
import { type Book, sweep } from './market/book.ts'
import type { Instrument } from './market/instrument.ts'
import type { Ticker } from './market/ticker.ts'
import { Decimal, formatGrouped, zero } from './money.ts'
import type { OrderDraft } from './orders/order.ts'
import { triggered, triggerState } from './orders/stop-trigger.ts'

const one = new Decimal(1)

/** `64,209.50 USD` */
export const usdText = (usd: Decimal): string => `${formatGrouped(usd, 2)} USD`

/** The base currency of a symbol BASE-COUNTER, the currency of its quantities. */
export const baseOf = (symbol: string): string => symbol.slice(0, symbol.indexOf('-'))

/** The counter currency of a symbol BASE-COUNTER, the currency of its prices. */
export const counterOf = (symbol: string): string => symbol.slice(symbol.indexOf('-') + 1)

/**
 * USD per unit of a currency, by the rates reported with the balances. They are in the account's local currency, and
 * the rate of USD converts them; null when either is missing.
 */
export function usdRate(currency: string, balances: readonly Balance[]): Decimal | null {
  if (currency === 'USD') return one
  const rateOf = (name: string) => balances.find((balance) => balance.currency === name)?.rate ?? zero
  const rate = rateOf(currency)
  const usd = rateOf('USD')
  return rate.gt(0) && usd.gt(0) ? rate.div(usd) : null
}

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

/** The most common counter currency; USD when unknown or tied. */
export function usualCounter(instruments: ReadonlyMap<string, Instrument>): string {
  const counts = new Map<string, number>([['USD', 0]])
  for (const { counter } of instruments.values()) counts.set(counter, (counts.get(counter) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0] ?? 'USD'
}

/**
 * The price of a currency in `counter`, from the symbol of both. Null without that symbol, or before its first trade;
 * no conversion over a third currency.
 */
export function counterRate(
  currency: string,
  counter: string,
  instruments: ReadonlyMap<string, Instrument>,
  tickers: ReadonlyMap<string, Ticker>,
): Decimal | null {
  if (currency === counter) return one
  for (const { symbol, base, counter: priced } of instruments.values()) {
    if (base === currency && priced === counter) return tickers.get(symbol)?.lastPrice ?? null
  }
  return null
}
