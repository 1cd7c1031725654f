import type { Instrument } from '../../../domain/market/instrument.ts'
import { type Decimal, formatGrouped } from '../../../domain/money.ts'

/** Decimals each currency can be split in, as the symbols tell. */
export function currencyScales(instruments: ReadonlyMap<string, Instrument> | null): ReadonlyMap<string, number> {
  const scales = new Map<string, number>()
  for (const { base, counter, baseScale, counterScale } of instruments?.values() ?? []) {
    scales.set(base, baseScale)
    scales.set(counter, counterScale)
  }
  return scales
}

/** An amount with its currency's decimals. */
export const currencyText = (value: Decimal, currency: string, scales: ReadonlyMap<string, number>): string =>
  formatGrouped(value, scales.get(currency) ?? value.decimalPlaces())
