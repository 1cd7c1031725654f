import type { Ticker } from './balance.ts'
import type { Instrument } from './instrument.ts'
import { Decimal } from './money.ts'

const one = new Decimal(1)

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
 * such a symbol, or before its first trade: nothing is reckoned over a third currency.
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
