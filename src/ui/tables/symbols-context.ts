import { memoizeLast } from '../../base/memoize.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { exactText } from '../text/amounts.ts'
import { nameText } from '../text/cells.ts'

/** Longer names are cut, to keep what is beside them on screen. */
const shortMax = 10

/**
 * Short symbol names for narrow places: only the base if the counter is the most common one, otherwise the whole
 * symbol, so that no two symbols share a name. `BTC`, and `ETH-BTC` beside `ETH`.
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

/** Inputs of cells that show symbols: the symbols' rules and short names. */
export type SymbolsContext = {
  instruments: ReadonlyMap<string, Instrument>
  shortName: (symbol: string) => string
}

/** Formats with the symbol's decimals; for an unknown symbol keeps the digits as received. */
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
 * A readable price or quantity: with its symbol's decimals, or all its digits if there are more; empty without a value.
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

/** Returns the same object for the same rules, so that list caches stay valid. */
export const symbolsContext: (instruments: ReadonlyMap<string, Instrument> | null) => SymbolsContext = memoizeLast(
  (instruments: ReadonlyMap<string, Instrument> | null): SymbolsContext => ({
    instruments: instruments ?? none,
    shortName: shortNames(instruments),
  }),
)
