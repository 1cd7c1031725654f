import type { Instrument } from '../../domain/market/instrument.ts'
import { nameText } from '../text/cells.ts'
import { memoizeLast } from './memoize.ts'

/** Longer names are cut: what stands beside them must stay on screen. */
const shortMost = 10

/**
 * Short names of symbols for where there is little room: the base alone where the counter is the one most symbols have,
 * else the whole symbol, so that two symbols never share a name. `BTC` and `ETH-BTC` beside `ETH`.
 */
export function shortNames(instruments: ReadonlyMap<string, Instrument> | null): (symbol: string) => string {
  const counts = new Map<string, number>()
  for (const { counter } of instruments?.values() ?? []) counts.set(counter, (counts.get(counter) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  const usual = [...counts].find(([, count]) => count === most)?.[0]
  return (symbol) => {
    const instrument = instruments?.get(symbol)
    return nameText(instrument !== undefined && instrument.counter === usual ? instrument.base : symbol, shortMost)
  }
}

/** What the cells of lists of symbols depend on: the symbols' rules, and their short names. */
export type SymbolsContext = {
  instruments: ReadonlyMap<string, Instrument>
  shortName: (symbol: string) => string
}

const none: ReadonlyMap<string, Instrument> = new Map()

/** The same object for the same rules, so that what lists remember of it holds. */
export const symbolsContext: (instruments: ReadonlyMap<string, Instrument> | null) => SymbolsContext = memoizeLast(
  (instruments: ReadonlyMap<string, Instrument> | null): SymbolsContext => ({
    instruments: instruments ?? none,
    shortName: shortNames(instruments),
  }),
)
