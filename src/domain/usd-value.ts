import type { Balance, Ticker } from './balance.ts'
import { type Book, sweep } from './market/book.ts'
import type { Instrument } from './market/instrument.ts'
import { Decimal, formatGrouped, zero } from './money.ts'
import type { OrderDraft } from './orders/order.ts'

const one = new Decimal(1)

/** `64,209.50 USD` */
export const usdText = (usd: Decimal): string => `${formatGrouped(usd, 2)} USD`

/** A symbol is BASE-COUNTER: what its quantities are in. */
export const baseOf = (symbol: string): string => symbol.slice(0, symbol.indexOf('-'))

/** A symbol is BASE-COUNTER: what its prices are in. */
export const counterOf = (symbol: string): string => symbol.slice(symbol.indexOf('-') + 1)

/**
 * USD for one unit of a currency, by the rates the service gives with the balances. They are in the account's local
 * currency, whichever that is, and the rate of USD itself turns them into USD: null where either is not given.
 */
export function usdRate(currency: string, balances: readonly Balance[]): Decimal | null {
  if (currency === 'USD') return one
  const rateOf = (name: string) => balances.find((balance) => balance.currency === name)?.rate ?? zero
  const rate = rateOf(currency)
  const usd = rateOf('USD')
  return rate.gt(0) && usd.gt(0) ? rate.div(usd) : null
}

/**
 * What limits hold against a bound. `whole`: the order's value is known. A market order larger than the book that is
 * seen counts as a whole too, the rest at the last price seen: a buy then moves `atLeast` that, a sell `atMost`.
 */
export type JudgedNotional = { notional: Decimal; is: 'whole' | 'atLeast' | 'atMost' }

/** The value of an order for its limits, in the counter currency; null without a price. */
export function judgedNotional(draft: OrderDraft, book: Book): JudgedNotional | null {
  const notional = draftNotional(draft, book)
  if (notional === null || draft.limitPrice !== null || draft.stopPrice !== null)
    return notional === null ? null : { notional, is: 'whole' }
  const { quantity, worstPrice } = sweep(book, draft.side, draft.orderQuantity, null)
  const unseen = draft.orderQuantity.minus(quantity)
  if (worstPrice === null || unseen.lte(0)) return { notional, is: 'whole' }
  return { notional: notional.plus(unseen.times(worstPrice)), is: draft.side === 'BUY' ? 'atLeast' : 'atMost' }
}

/**
 * The most an order can move, in the counter currency: a buy its limit, a sell what the book pays for it now and its
 * limit for what rests. Null without a price.
 */
export function draftNotional(draft: OrderDraft, book: Book | null): Decimal | null {
  const { orderQuantity, side } = draft
  const price = draft.limitPrice ?? draft.stopPrice
  if (price === null) {
    const now = book === null ? null : sweep(book, side, orderQuantity, null)
    return now === null || now.quantity.isZero() ? null : now.notional
  }
  if (side === 'BUY' || book === null || draft.stopPrice !== null) return price.times(orderQuantity)
  const now = sweep(book, 'SELL', orderQuantity, price)
  return now.notional.plus(orderQuantity.minus(now.quantity).times(price))
}

/**
 * The currency that most symbols are priced in; USD where nothing is known, or as many are priced in it as in another.
 */
export function usualCounter(instruments: ReadonlyMap<string, Instrument>): string {
  const counts = new Map<string, number>([['USD', 0]])
  for (const { counter } of instruments.values()) counts.set(counter, (counts.get(counter) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0] ?? 'USD'
}

/**
 * What one unit of a currency is worth in `counter`: the last price of the symbol that has it as its base. Null without
 * such a symbol, or before its first trade: nothing is computed over a third currency.
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
