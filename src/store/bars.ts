import type { Ticker } from '../domain/balance.ts'
import type { Bar } from '../domain/market/bar.ts'
import { mergedBars, withLookAtEnd } from '../domain/market/bars.ts'
import type { Decimal } from '../domain/money.ts'

/** Symbol → minute bars of last prices, the oldest first, the running minute last; older than two days: hours. */
export type Bars = ReadonlyMap<string, readonly Bar[]>

export type BarsSlice = { bars: Bars }

/** Bars of earlier runs, in any order: they are put beside what this desk has seen since. */
export type BarsEvent = { type: 'barsLoaded'; symbol: string; bars: readonly Bar[] }

const none: readonly Bar[] = []

export const reduceBars = (bars: Bars, { symbol, bars: recorded }: BarsEvent): Bars =>
  recorded.length === 0 ? bars : new Map(bars).set(symbol, mergedBars(recorded, bars.get(symbol) ?? none))

/** Takes the last prices of an answer in that came at `atMs`, UTC; what tells nothing new gives the same bars back. */
export function withTickers(
  bars: Bars,
  tickers: ReadonlyMap<string, Ticker>,
  spreadOf: (symbol: string) => Decimal | null,
  atMs: number,
): Bars {
  let next: Map<string, readonly Bar[]> | null = null
  for (const { symbol, lastPrice } of tickers.values()) {
    if (lastPrice === null) continue
    const before = bars.get(symbol) ?? none
    const after = withLookAtEnd(before, { atMs, price: lastPrice, spread: spreadOf(symbol) })
    if (after === before) continue
    next ??= new Map(bars)
    next.set(symbol, after)
  }
  return next ?? bars
}
