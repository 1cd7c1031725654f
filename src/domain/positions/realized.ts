import { type Decimal, exactPlus, exactProduct, exactSum } from '../money.ts'
import { fromUnits, powerOfTen } from '../scaled.ts'
import type { Period } from '../statement/movement.ts'
import type { BookedFee, BookedMatch, BookedTransfer } from './booked.ts'
import type { Position, Realized } from './position.ts'

/** Counts of known and unknown parts of a sum; unknown parts are not in its amounts. */
export type KnownCounts = {
  /** Matches with a known gain. */
  knownCount: number
  /** Matches of units of unknown cost, at a known value. */
  unknownCostCount: number
  /** Matches at an unknown value. */
  unknownCount: number
  /** Fees of known value. */
  knownFeeCount: number
  unknownFeeCount: number
}

export const nothingCounted: KnownCounts = {
  knownCount: 0,
  unknownCostCount: 0,
  unknownCount: 0,
  knownFeeCount: 0,
  unknownFeeCount: 0,
}

const counted = ['knownCount', 'unknownCostCount', 'unknownCount', 'knownFeeCount', 'unknownFeeCount'] as const

/** True when a part of what was realized is unknown. */
export const isRealizedPartial = ({ unknownCostCount, unknownCount }: KnownCounts): boolean =>
  unknownCostCount + unknownCount > 0

/** The known realized result; null when there is one and nothing of it is known: it is not 0. */
export const knownGain = (sum: Pick<Realized, 'realizedUsd'> & KnownCounts): Decimal | null =>
  sum.knownCount === 0 && isRealizedPartial(sum) ? null : sum.realizedUsd

/** The known fees; null when nothing of them is known. */
export const knownFees = (sum: Pick<Realized, 'feesUsd'> & KnownCounts): Decimal | null =>
  sum.knownFeeCount === 0 && sum.unknownFeeCount > 0 ? null : sum.feesUsd

/** Realized sums of several currencies; units of unknown value cannot be summed and are only counted. */
export type RealizedSum = Omit<Realized, 'quantityOfUnknownValue'> & KnownCounts

/** Whether two sums are the same to the last digit. */
export const isSameSum = (left: RealizedSum, right: RealizedSum): boolean =>
  left.realizedUsd.eq(right.realizedUsd) &&
  left.feesUsd.eq(right.feesUsd) &&
  left.proceedsOfUnknownCostUsd.eq(right.proceedsOfUnknownCostUsd) &&
  counted.every((name) => left[name] === right[name])

/** Sums added up, and how much of them is known. */
export function addedUp(sums: readonly (Pick<Realized, 'realizedUsd' | 'feesUsd'> & KnownCounts)[]) {
  const count = (of: (counts: KnownCounts) => number) => sums.reduce((sum, each) => sum + of(each), 0)
  return {
    realizedUsd: exactSum(sums.map(({ realizedUsd }) => realizedUsd)),
    feesUsd: exactSum(sums.map(({ feesUsd }) => feesUsd)),
    knownCount: count(({ knownCount }) => knownCount),
    unknownCostCount: count(({ unknownCostCount }) => unknownCostCount),
    unknownCount: count(({ unknownCount }) => unknownCount),
    knownFeeCount: count(({ knownFeeCount }) => knownFeeCount),
    unknownFeeCount: count(({ unknownFeeCount }) => unknownFeeCount),
  }
}

export type RealizedParts = {
  total: RealizedSum
  /** A fee counts in the currency it was paid in. */
  byCurrency: ReadonlyMap<string, Realized & KnownCounts>
  /** Null for withdrawal fees. */
  bySymbol: ReadonlyMap<string | null, RealizedSum>
}

type Sums = KnownCounts & { realized: bigint; fees: bigint; ofUnknownCost: bigint }
type OfCurrency = Sums & { unknown: Decimal | null }

const noSums = (): Sums => ({ realized: 0n, fees: 0n, ofUnknownCost: 0n, ...nothingCounted })

/** Sums matches and fees one by one. A withdrawal realizes nothing. */
export class RealizedSums {
  readonly #currencies = new Map<string, OfCurrency>()
  readonly #symbols = new Map<string | null, Sums>()
  readonly #total = noSums()
  /** Decimals of the sums. */
  #usdScale = 0

  addMatch(match: BookedMatch): void {
    const { closedBy, cost, proceeds } = match
    if (closedBy === 'withdrawal') return
    this.#widen(match.usdScale)
    const sums = this.#sumsOf(match.currency, match.symbol)
    if (proceeds === null) {
      const [ofCurrency] = sums
      ofCurrency.unknown = ofCurrency.unknown === null ? match.quantity : exactPlus(ofCurrency.unknown, match.quantity)
    }
    for (const sum of sums) {
      if (proceeds === null) sum.unknownCount += 1
      else if (cost === null) {
        sum.ofUnknownCost += proceeds
        sum.unknownCostCount += 1
      } else {
        sum.realized += proceeds - cost
        sum.knownCount += 1
      }
    }
  }

  addFee({ usd, usdScale, currency, symbol }: BookedFee): void {
    this.#widen(usdScale)
    for (const sum of this.#sumsOf(currency, symbol)) {
      if (usd === null) sum.unknownFeeCount += 1
      else {
        sum.fees += usd
        sum.knownFeeCount += 1
      }
    }
  }

  parts(): RealizedParts {
    const scale = this.#usdScale
    return {
      total: sumOf(this.#total, scale),
      byCurrency: new Map([...this.#currencies].map(([currency, sums]) => [currency, ofCurrency(sums, scale)])),
      bySymbol: new Map([...this.#symbols].map(([symbol, sums]) => [symbol, sumOf(sums, scale)])),
    }
  }

  /** Copies the sums, to continue separately. */
  copy(): RealizedSums {
    const made = new RealizedSums()
    for (const [currency, sums] of this.#currencies) made.#currencies.set(currency, { ...sums })
    for (const [symbol, sums] of this.#symbols) made.#symbols.set(symbol, { ...sums })
    Object.assign(made.#total, this.#total)
    made.#usdScale = this.#usdScale
    return made
  }

  #sumsOf(currency: string, symbol: string | null): readonly [OfCurrency, Sums, Sums] {
    const ofCurrency = this.#currencies.get(currency) ?? { ...noSums(), unknown: null }
    const ofSymbol = this.#symbols.get(symbol) ?? noSums()
    this.#currencies.set(currency, ofCurrency)
    this.#symbols.set(symbol, ofSymbol)
    return [ofCurrency, ofSymbol, this.#total]
  }

  /** The scale of a ledger only increases. */
  #widen(usdScale: number): void {
    if (usdScale <= this.#usdScale) return
    const factor = powerOfTen(usdScale - this.#usdScale)
    for (const sums of [...this.#currencies.values(), ...this.#symbols.values(), this.#total])
      for (const name of ['realized', 'fees', 'ofUnknownCost'] as const) sums[name] *= factor
    this.#usdScale = usdScale
  }
}

/**
 * The realized results and fees of a period, by currency, by symbol, and in total, which all sum to the same. A match
 * without a time counts as the oldest.
 */
export function realizedIn(
  matches: readonly BookedMatch[],
  fees: readonly BookedFee[],
  { fromMs, toMs }: Period,
): RealizedParts {
  const sums = new RealizedSums()
  const isWithin = (atMs: number | null) => (atMs ?? 0) >= fromMs && (atMs ?? 0) <= toMs
  for (const match of matches) if (isWithin(match.closedAtMs)) sums.addMatch(match)
  for (const fee of fees) if (isWithin(fee.atMs)) sums.addFee(fee)
  return sums.parts()
}

const sumOf = ({ realized, fees, ofUnknownCost, ...sums }: Sums, usdScale: number): RealizedSum => ({
  realizedUsd: fromUnits(realized, usdScale),
  feesUsd: fromUnits(fees, usdScale),
  proceedsOfUnknownCostUsd: fromUnits(ofUnknownCost, usdScale),
  knownCount: sums.knownCount,
  unknownCostCount: sums.unknownCostCount,
  unknownCount: sums.unknownCount,
  knownFeeCount: sums.knownFeeCount,
  unknownFeeCount: sums.unknownFeeCount,
})

const ofCurrency = (sums: OfCurrency, usdScale: number): Realized & KnownCounts => ({
  ...sumOf(sums, usdScale),
  quantityOfUnknownValue: sums.unknown ?? fromUnits(0n, 0),
})

/** The gain of units of known cost at `usdEach` per unit, exactly. */
export const unrealizedUsd = ({ quantityOfKnownCost, costUsd }: Position, usdEach: Decimal): Decimal =>
  exactPlus(exactProduct(quantityOfKnownCost, usdEach), costUsd.neg())

/** Transfers of a period, at cost. */
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

/** Sums of transfers in a period, by currency. */
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
