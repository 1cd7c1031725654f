import { type Decimal, exactPlus, exactProduct } from '../money.ts'
import type { Period } from '../statement/movement.ts'
import type { BookedFee, BookedMatch, BookedTransfer } from './booked.ts'
import type { Position, Realized } from './position.ts'
import { fromUnits } from './scaled.ts'

/** The same of several currencies together: units of unknown value cannot be added up, and are only counted. */
export type RealizedSum = Omit<Realized, 'quantityOfUnknownValue'> & {
  /** Matches that went out at a value that nobody knows. */
  unknownCount: number
}

export type RealizedParts = {
  total: RealizedSum
  /** A fee stands in the currency that it was paid in. */
  byCurrency: ReadonlyMap<string, Realized>
  /** Null: fees of withdrawals. */
  bySymbol: ReadonlyMap<string | null, RealizedSum>
}

type Sums = { realized: bigint; fees: bigint; ofUnknownCost: bigint; unknownCount: number; usdScale: number }
type OfCurrency = Sums & { unknown: Decimal | null }

/**
 * What came of everything that went out in some time, and the fees of that time: by currency, by symbol, and all of it.
 * Each of the three adds up to the same. A match without a time counts as the oldest.
 */
export function realizedIn(
  matches: readonly BookedMatch[],
  fees: readonly BookedFee[],
  { fromMs, toMs }: Period,
): RealizedParts {
  const currencies = new Map<string, OfCurrency>()
  const symbols = new Map<string | null, Sums>()
  const usdScale = matches[0]?.usdScale ?? fees[0]?.usdScale ?? 0
  const nothing = () => ({ realized: 0n, fees: 0n, ofUnknownCost: 0n, unknownCount: 0, usdScale })
  const total: Sums = nothing()
  const sumsOf = (currency: string, symbol: string | null): readonly [OfCurrency, Sums, Sums] => {
    const ofCurrency = currencies.get(currency) ?? { ...nothing(), unknown: null }
    const ofSymbol = symbols.get(symbol) ?? nothing()
    currencies.set(currency, ofCurrency)
    symbols.set(symbol, ofSymbol)
    return [ofCurrency, ofSymbol, total]
  }
  const isWithin = (atMs: number | null) => (atMs ?? 0) >= fromMs && (atMs ?? 0) <= toMs
  for (const match of matches) {
    // A withdrawal realizes nothing.
    if (match.closedBy === 'withdrawal' || !isWithin(match.closedAtMs)) continue
    const { cost, proceeds } = match
    const sums = sumsOf(match.currency, match.symbol)
    if (proceeds === null) {
      const [ofCurrency] = sums
      ofCurrency.unknown = ofCurrency.unknown === null ? match.quantity : exactPlus(ofCurrency.unknown, match.quantity)
    }
    for (const sum of sums) {
      if (proceeds === null) sum.unknownCount += 1
      else if (cost === null) sum.ofUnknownCost += proceeds
      else sum.realized += proceeds - cost
    }
  }
  for (const fee of fees) {
    if (fee.usd === null || !isWithin(fee.atMs)) continue
    for (const sum of sumsOf(fee.currency, fee.symbol)) sum.fees += fee.usd
  }
  return {
    total: sumOf(total),
    byCurrency: new Map([...currencies].map(([currency, sums]) => [currency, ofCurrency(sums)])),
    bySymbol: new Map([...symbols].map(([symbol, sums]) => [symbol, sumOf(sums)])),
  }
}

const sumOf = ({ realized, fees, ofUnknownCost, unknownCount, usdScale }: Sums): RealizedSum => ({
  realizedUsd: fromUnits(realized, usdScale),
  feesUsd: fromUnits(fees, usdScale),
  proceedsOfUnknownCostUsd: fromUnits(ofUnknownCost, usdScale),
  unknownCount,
})

function ofCurrency(sums: OfCurrency): Realized {
  const { unknownCount: _, ...rest } = sumOf(sums)
  return { ...rest, quantityOfUnknownValue: sums.unknown ?? fromUnits(0n, 0) }
}

/** What the units of known cost would bring beyond it, each worth `usdEach`, to the last digit. */
export const unrealizedUsd = ({ quantityOfKnownCost, costUsd }: Position, usdEach: Decimal): Decimal =>
  exactPlus(exactProduct(quantityOfKnownCost, usdEach), costUsd.neg())

/** What transfers moved in some time, at cost. */
export type TransferSum = {
  depositsUsd: Decimal
  withdrawalsUsd: Decimal
  depositedOfUnknownCost: Decimal
  withdrawnOfUnknownCost: Decimal
}

const noTransfers: TransferSum = {
  depositsUsd: fromUnits(0n, 0),
  withdrawalsUsd: fromUnits(0n, 0),
  depositedOfUnknownCost: fromUnits(0n, 0),
  withdrawnOfUnknownCost: fromUnits(0n, 0),
}

/** The same by currency. */
export function transfersIn(
  transfers: readonly BookedTransfer[],
  { fromMs, toMs }: Period,
): ReadonlyMap<string, TransferSum> {
  const sums = new Map<string, TransferSum>()
  for (const { atMs, way, currency, costUsd, quantityOfUnknownCost } of transfers) {
    if ((atMs ?? 0) < fromMs || (atMs ?? 0) > toMs) continue
    const before = sums.get(currency) ?? noTransfers
    const [known, unknown] =
      way === 'deposit'
        ? (['depositsUsd', 'depositedOfUnknownCost'] as const)
        : (['withdrawalsUsd', 'withdrawnOfUnknownCost'] as const)
    sums.set(currency, {
      ...before,
      [known]: costUsd === null ? before[known] : exactPlus(before[known], costUsd),
      [unknown]: exactPlus(before[unknown], quantityOfUnknownCost),
    })
  }
  return sums
}
