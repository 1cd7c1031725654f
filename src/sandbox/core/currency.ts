import { ledgerScale, unitsFromText } from '../ledger/units.ts'
import type { CurrencySpec } from './commands.ts'
import { invalid, type Refused } from './done.ts'

export const dollar = 'USD'

/** A currency with its amounts in minor units. The sums only grow: what came in and what left for good. */
export class Currency {
  readonly index: number
  readonly spec: CurrencySpec
  /** The smallest amount of it that can be sent. */
  readonly stepUnits: bigint
  readonly withdrawalFeeUnits: bigint
  /** What the exchange was told one unit is worth in USD; null when it was not. */
  readonly usdRateUnits: bigint | null
  depositedUnits = 0n
  /** Without the fees, which stay in the house. */
  withdrawnUnits = 0n

  constructor(index: number, spec: CurrencySpec, withdrawalFeeUnits: bigint, usdRateUnits: bigint | null) {
    this.index = index
    this.spec = spec
    this.stepUnits = 10n ** BigInt(ledgerScale - spec.scale)
    this.withdrawalFeeUnits = withdrawalFeeUnits
    this.usdRateUnits = usdRateUnits
  }
}

/** Reads a currency's amounts; refuses what the ledger cannot hold. */
export function compileCurrency(index: number, spec: CurrencySpec): Currency | Refused {
  if (!/^[A-Z0-9]{1,10}$/.test(spec.code))
    return invalid('code', 'A currency code is 1 to 10 capital letters and digits')
  if (!Number.isInteger(spec.scale) || spec.scale < 0 || spec.scale > 18)
    return invalid('scale', 'A currency scale is a whole number from 0 to 18')
  const feeUnits = unitsFromText(spec.withdrawalFee)
  if (typeof feeUnits === 'string' || feeUnits < 0n)
    return invalid('withdrawalFee', 'The withdrawal fee is not an amount of 0 or more')
  const rateUnits = spec.usdRate === undefined ? null : unitsFromText(spec.usdRate)
  if (typeof rateUnits === 'string' || (rateUnits !== null && rateUnits < 0n))
    return invalid('usdRate', 'The USD rate is not an amount of 0 or more')
  return new Currency(index, spec, feeUnits, rateUnits)
}
