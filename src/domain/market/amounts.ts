import { type Decimal, formatFixed, formatGrouped } from '../money.ts'
import { averageScale, type Instrument } from './instrument.ts'

/** The known rules of symbols. */
export type Instruments = ReadonlyMap<string, Instrument> | null

/** Maximum decimals of an average price for a symbol with unknown rules. */
export const averageScaleUnknown = 8

/** Decimals of a symbol's displayed prices and quantities. */
export type AmountScales = Pick<Instrument, 'priceScale' | 'quantityScale'>

/** Formats an amount with a number of decimals, with or without thousands separators. */
export type WriteAmount = (amount: Decimal, decimals: number) => string

/** Only the decimals of a symbol, for storing; undefined when its rules are unknown. */
export const scalesOf = (rules: AmountScales | undefined): AmountScales | undefined =>
  rules === undefined ? undefined : { priceScale: rules.priceScale, quantityScale: rules.quantityScale }

/**
 * Formats amounts for sentences with the symbol's decimals, prices with commas: `64,209.50`. Finer amounts, and those
 * of a symbol with unknown rules, keep all digits.
 */
export function amountsOf(symbol: string, instruments: Instruments) {
  const rules = instruments?.get(symbol)
  const counterScale = rules?.counterScale ?? 0
  return {
    ...amountsIn(rules),
    /** An amount paid or received, in the counter currency. */
    counter: (amount: Decimal) => formatGrouped(amount, finer(amount, counterScale)),
  }
}

/** `amountsOf` for known decimals only, or none; `write` formats prices. */
export function amountsIn(scales: AmountScales | undefined, write: WriteAmount = formatGrouped) {
  const { priceScale = 0, quantityScale = 0 } = scales ?? {}
  const averageDecimals = scales === undefined ? averageScaleUnknown : averageScale(scales)
  return {
    price: (price: Decimal) => write(price, finer(price, priceScale)),
    /** An average may have endless digits, so it is rounded to the decimals of displayed averages. */
    average: (price: Decimal) => write(price, Math.min(averageDecimals, finer(price, priceScale))),
    quantity: (quantity: Decimal) => formatFixed(quantity, finer(quantity, quantityScale)),
  }
}

const finer = (amount: Decimal, decimals: number): number => Math.max(decimals, amount.decimalPlaces())
