import type { Balance } from './balance.ts'
import type { Instrument } from './market/instrument.ts'
import type { Ticker } from './market/ticker.ts'
import { Decimal, formatGrouped, zero } from './money.ts'

const one = new Decimal(1)

/** `64,209.50 USD` */
export const usdText = (usd: Decimal): string => `${formatGrouped(usd, 2)} USD`

/**
 * What a unit of a currency is worth in `counter`, by the rates reported with the balances. They are in the account's
 * local currency, and the rate of `counter` converts them; null when either is missing.
 */
export function reportedRate(currency: string, counter: string, balances: readonly Balance[]): Decimal | null {
  if (currency === counter) return one
  const rateOf = (name: string) => balances.find((balance) => balance.currency === name)?.rate ?? zero
  const rate = rateOf(currency)
  const per = rateOf(counter)
  return rate.gt(0) && per.gt(0) ? rate.div(per) : null
}

/** USD per unit of a currency, by the rates reported with the balances. */
export const usdRate = (currency: string, balances: readonly Balance[]): Decimal | null =>
  reportedRate(currency, 'USD', balances)

/** The most common counter currency; USD when unknown or tied. */
export function commonestCounter(instruments: ReadonlyMap<string, Instrument>): string {
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
