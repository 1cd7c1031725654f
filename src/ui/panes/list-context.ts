import type { Instrument } from '../../domain/market/instrument.ts'
import { rememberLast } from '../tables/remember.ts'
import { shortNames } from '../text/short-symbols.ts'

/** What the cells of lists of symbols depend on: the symbols' rules, and their short names. */
export type SymbolsContext = {
  instruments: ReadonlyMap<string, Instrument>
  shortName: (symbol: string) => string
}

const none: ReadonlyMap<string, Instrument> = new Map()

/** The same object for the same rules, so that what lists remember of it holds. */
export const symbolsContext: (instruments: ReadonlyMap<string, Instrument> | null) => SymbolsContext = rememberLast(
  (instruments: ReadonlyMap<string, Instrument> | null): SymbolsContext => ({
    instruments: instruments ?? none,
    shortName: shortNames(instruments),
  }),
)
