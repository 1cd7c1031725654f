import { averageScale, type Instrument } from './instrument.ts'
import { type Decimal, formatFixed, formatGrouped } from './money.ts'

/** The rules of the symbols as far as they are known. */
export type Instruments = ReadonlyMap<string, Instrument> | null

/** Decimals of an average price of a symbol whose rules are not known, at most. */
export const averageScaleUnknown = 8

/**
 * Writes amounts in sentences with the symbol's own decimals, prices with commas: `64,209.50`. What is finer keeps every digit, and
 * so does everything of a symbol whose rules are not known.
 */
export function amountsOf(symbol: string, instruments: Instruments) {
  const rules = instruments?.get(symbol)
  const { priceScale = 0, quantityScale = 0, counterScale = 0 } = rules ?? {}
  const averageDecimals = rules === undefined ? averageScaleUnknown : averageScale(rules)
  const finer = (amount: Decimal, decimals: number) => Math.max(decimals, amount.decimalPlaces())
  return {
    price: (price: Decimal) => formatGrouped(price, finer(price, priceScale)),
    /** An average may have digits without end: it is rounded where it has more than averages are shown with. */
    average: (price: Decimal) => formatGrouped(price, Math.min(averageDecimals, finer(price, priceScale))),
    quantity: (quantity: Decimal) => formatFixed(quantity, finer(quantity, quantityScale)),
    /** What is paid or received, in the currency that prices are in. */
    counter: (amount: Decimal) => formatGrouped(amount, finer(amount, counterScale)),
  }
}
