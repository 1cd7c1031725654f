import { memoizeLast } from '../../base/memoize.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { exactText } from '../text/amounts.ts'
import { nameText } from '../text/cells.ts'

/** Longer names are cut: what stands beside them must stay on screen. */
const shortMax = 10

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
    return nameText(instrument !== undefined && instrument.counter === usual ? instrument.base : symbol, shortMax)
  }
}

/** What the cells of lists of symbols depend on: the symbols' rules, and their short names. */
export type SymbolsContext = {
  instruments: ReadonlyMap<string, Instrument>
  shortName: (symbol: string) => string
}

/** Formats with the symbol's own decimals; a symbol that is not known keeps the digits it came with. */
export function inSymbol(
  { instruments }: Pick<SymbolsContext, 'instruments'>,
  symbol: string,
  value: Decimal,
  format: (value: Decimal, instrument: Instrument) => string,
): string {
  const instrument = instruments.get(symbol)
  return instrument === undefined ? value.toFixed() : format(value, instrument)
}

/**
 * A price or quantity for a person to read: with its symbol's own decimals, and with every digit where it is finer;
 * empty where there is none.
 */
export const readableAmount = (
  value: Decimal | null | undefined,
  kind: 'price' | 'quantity',
  instrument: Instrument | undefined,
): string => {
  if (value === null || value === undefined) return ''
  const { priceScale = 0, quantityScale = 0 } = instrument ?? {}
  return exactText(value, kind === 'price' ? priceScale : quantityScale)
}

const none: ReadonlyMap<string, Instrument> = new Map()

/** Returns the same object for the same rules, so that what lists remember of it holds. */
export const symbolsContext: (instruments: ReadonlyMap<string, Instrument> | null) => SymbolsContext = memoizeLast(
  (instruments: ReadonlyMap<string, Instrument> | null): SymbolsContext => ({
    instruments: instruments ?? none,
    shortName: shortNames(instruments),
  }),
)
