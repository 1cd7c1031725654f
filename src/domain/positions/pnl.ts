import { type Decimal, exactPlus, exactSum, formatGrouped, zero } from '../money.ts'
import type { Period } from '../statement/movement.ts'
import type { FillsUsed } from '../statement/statement.ts'
import type { BookedTransfer } from './booked.ts'
import { namesOf } from './equity.ts'
import type { Books } from './lots.ts'
import type { CostMethod, CountedCost, MarkPrice, Position, Realized } from './position.ts'
import {
  isRealizedPartial,
  type KnownCounts,
  knownFees,
  knownGain,
  nothingCounted,
  type RealizedParts,
  type RealizedSum,
  realizedIn,
  type TransferSum,
  transfersIn,
  unrealizedUsd,
} from './realized.ts'
import {
  changeBetween,
  changeOf,
  type Standing,
  type Standpoint,
  standpointOf,
  sumOfKnown,
  valuedAtOneEnd,
} from './standpoint.ts'
import type { UsdValue } from './usd-at.ts'

/** A currency: its holdings at the end, and its results in the period. */
export type PnlCurrency = Standing & {
  realized: Realized & KnownCounts
  transfers: TransferSum
  /** At the start; null when it was not held. */
  start: Standing | null
}

/** A symbol; null for withdrawal fees, and for holdings of lots that no symbol's fills brought in. */
export type PnlSymbol = {
  symbol: string | null
  realized: RealizedSum
  /** Holdings at the end of lots that its fills brought in, by currency: see `heldBySymbol`. */
  held: readonly Position[]
  /** For units with a known cost and mark; null without any. */
  unrealizedUsd: Decimal | null
  /** True when the gain of some held units is unknown. */
  isUnclear: boolean
}

export type PnlTotal = {
  realized: RealizedSum
  /** The known cost of holdings; null when something is held and none is known. */
  costUsd: Decimal | null
  /** Null when no cost is known. */
  transfers: Record<'depositsUsd' | 'withdrawalsUsd', Decimal | null>
  /** Number of currencies with transfers of units of unknown cost. */
  unknownTransferCount: number
}

/** The mark of holdings: a present market price, or the last price before a past moment. */
export type MarkedAt = MarkPrice | 'last'

/** The P&L of an account in a period, by one cost method. */
export type Pnl = {
  period: Period
  method: CostMethod
  /** Held or traded currencies, sorted. */
  currencies: readonly PnlCurrency[]
  /** Sorted by name; the entry without a symbol last. */
  symbols: readonly PnlSymbol[]
  total: PnlTotal
  /** Right before the period, and at its end. */
  start: Standpoint
  end: Standpoint
  markedAt: MarkedAt
  /** The user's stated costs, as applied at the end of the period. */
  stated: readonly CountedCost[]
  fills: FillsUsed
  /** Sentences about what is unknown. */
  missing: readonly string[]
  /** Those of them about skipped entries, and about balances that differ from the books. */
  faults: readonly string[]
}

const nothingRealized: Realized & KnownCounts = {
  ...nothingCounted,
  realizedUsd: zero,
  feesUsd: zero,
  proceedsOfUnknownCostUsd: zero,
  quantityOfUnknownValue: zero,
}
const nothingSummed: RealizedSum = {
  realizedUsd: zero,
  feesUsd: zero,
  proceedsOfUnknownCostUsd: zero,
  ...nothingCounted,
}
const nothingMoved: TransferSum = {
  depositsUsd: zero,
  withdrawalsUsd: zero,
  depositedOfUnknownCost: zero,
  withdrawnOfUnknownCost: zero,
}

/** The input of a P&L: books up to the end of the period, and the period's results. */
export type PnlBooks = Pick<Books, 'method' | 'positions' | 'bySymbol' | 'stated'> & {
  realized: RealizedParts
  /** Those of the period, and possibly others. */
  transfers: readonly BookedTransfer[]
}

/** Complete books, for a period that ends with them. */
export const wholeBooksOf = (books: Books, period: Period): PnlBooks => ({
  ...books,
  realized: realizedIn(books.matches, books.fees, period),
})

type PnlLook = Pick<Pnl, 'start' | 'markedAt' | 'fills' | 'missing' | 'faults'> & {
  markOf: (currency: string) => UsdValue | null
}

/** Computes a P&L. `markOf` gives a currency's value at the end of the period, where the books must end. */
export function pnlOf(period: Period, books: PnlBooks, { markOf, ...look }: PnlLook): Pnl {
  const end = standpointOf(books.positions, markOf)
  const { total, byCurrency, bySymbol } = books.realized
  const moved = transfersIn(books.transfers, period)
  const currencies = [...end.byCurrency].flatMap(([currency, standing]): PnlCurrency[] => {
    const [realized = nothingRealized, transfers = nothingMoved] = [byCurrency.get(currency), moved.get(currency)]
    const isUnmoved = !byCurrency.has(currency) && !moved.has(currency)
    if (standing.position.quantity.isZero() && isUnmoved) return []
    return [{ ...standing, realized, transfers, start: look.start.byCurrency.get(currency) ?? null }]
  })
  const held = currencies.filter(({ position }) => !position.quantity.isZero())
  const movedOnes = currencies.filter(({ position: { currency } }) => moved.has(currency))
  return {
    period,
    method: books.method,
    currencies,
    symbols: symbolsOf(books, bySymbol, new Map(currencies.map((each) => [each.position.currency, each.mark]))),
    total: {
      realized: total,
      costUsd: sumOfKnown(held.map(({ position }) => knownCost(position))),
      transfers: {
        depositsUsd: sumOfKnown(movedOnes.map(({ transfers }) => knownTransfers(transfers).depositsUsd)),
        withdrawalsUsd: sumOfKnown(movedOnes.map(({ transfers }) => knownTransfers(transfers).withdrawalsUsd)),
      },
      unknownTransferCount: movedOnes.filter(
        ({ transfers }) => !transfers.depositedOfUnknownCost.isZero() || !transfers.withdrawnOfUnknownCost.isZero(),
      ).length,
    },
    ...look,
    end,
    stated: books.stated,
    missing: [...look.missing, ...currencies.flatMap(unknownOf), ...unvaluedFees(total)],
  }
}

/** The known cost of holdings; null when none is known. */
export const knownCost = ({ costUsd, quantityOfKnownCost, quantityOfUnknownCost }: Position): Decimal | null =>
  quantityOfKnownCost.isZero() && quantityOfUnknownCost.gt(0) ? null : costUsd

/** Transfers at cost; null when units moved and no cost is known. */
export const knownTransfers = (sum: TransferSum): PnlTotal['transfers'] => ({
  depositsUsd: sum.depositsUsd.isZero() && !sum.depositedOfUnknownCost.isZero() ? null : sum.depositsUsd,
  withdrawalsUsd: sum.withdrawalsUsd.isZero() && !sum.withdrawnOfUnknownCost.isZero() ? null : sum.withdrawalsUsd,
})

/** The known realized result; null when nothing is known. */
export const knownRealized = (
  sum: RealizedSum,
): Record<'realizedUsd' | 'feesUsd' | 'proceedsOfUnknownCostUsd', Decimal | null> => ({
  realizedUsd: knownGain(sum),
  feesUsd: knownFees(sum),
  proceedsOfUnknownCostUsd: sum.unknownCostCount === 0 && sum.unknownCount > 0 ? null : sum.proceedsOfUnknownCostUsd,
})

/** All symbols with results or holdings, sorted, the entry without a symbol last. */
function symbolsOf(
  books: PnlBooks,
  bySymbol: RealizedParts['bySymbol'],
  marks: ReadonlyMap<string, UsdValue | null>,
): PnlSymbol[] {
  const names = [...new Set([...bySymbol.keys(), ...books.bySymbol.keys()])]
  const named = names.filter((name) => name !== null).sort((left, right) => (left < right ? -1 : 1))
  return [...named, ...names.filter((name) => name === null)].map((symbol): PnlSymbol => {
    const held = books.bySymbol.get(symbol) ?? []
    const gains = held.flatMap((position) => {
      const mark = marks.get(position.currency) ?? null
      return mark === null || position.quantityOfKnownCost.isZero() ? [] : [unrealizedUsd(position, mark.usd)]
    })
    const unrealized = gains.length > 0 ? exactSum(gains) : held.length === 0 ? zero : null
    const isUnclear = held.some(
      ({ currency, quantityOfUnknownCost }) =>
        !quantityOfUnknownCost.isZero() || (marks.get(currency) ?? null) === null,
    )
    const realized = bySymbol.get(symbol) ?? nothingSummed
    return { symbol, realized, held, unrealizedUsd: unrealized, isUnclear }
  })
}

/** Sentences about what is unknown of a currency. */
function unknownOf({ position, realized, unrealizedUsd: gain }: PnlCurrency): string[] {
  const { currency, quantityOfUnknownCost } = position
  const sentences: string[] = []
  if (quantityOfUnknownCost.gt(0)) {
    const quantity = quantityOfUnknownCost.toFixed()
    const example = `cost ${currency.toLowerCase()} ${quantity} @ PRICE`
    sentences.push(`${quantity} ${currency} held at unknown cost. To state it, say in the desk: ${example}`)
  }
  if (!realized.proceedsOfUnknownCostUsd.isZero())
    sentences.push(
      `${currency} of unknown cost went out for ${realized.proceedsOfUnknownCostUsd.toFixed()} USD: ` +
        'neither a gain nor a loss is counted.',
    )
  if (!realized.quantityOfUnknownValue.isZero())
    sentences.push(
      `${realized.quantityOfUnknownValue.toFixed()} ${currency} went out at an unknown USD price: ` +
        'in none of the sums.',
    )
  if (gain === null && position.quantityOfKnownCost.gt(0))
    sentences.push(`No price of ${currency}: its unrealized P&L is unknown.`)
  return sentences
}

const unvaluedFees = ({ unknownFeeCount: count }: KnownCounts): string[] =>
  count === 0 ? [] : [`Fees at an unknown USD price, not in the total: ${count}.`]

const cents = (usd: Decimal): string => formatGrouped(usd, 2)

/** An amount to the cent, followed by `?` when partly unknown; only `?` when completely unknown. */
export const partly = (usd: Decimal | null, isPartial: boolean): string =>
  usd === null ? '?' : `${cents(usd)}${isPartial ? '?' : ''}`

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** The sums in sentences: of the period, of its start if any, and what is unknown of them. */
export function profitSentences(pnl: Pnl): string[] {
  const { period, total, start, end } = pnl
  const { realized } = total
  const { realizedUsd, feesUsd } = knownRealized(realized)
  const isPartial = isRealizedPartial(realized)
  const isFeesPartial = realized.unknownFeeCount > 0
  const net = changeOf(feesUsd, realizedUsd)
  const fees = feesUsd !== null && isFeesPartial ? `at least ${cents(feesUsd)}` : partly(feesUsd, false)
  const gain = partly(end.unrealizedUsd, end.unclearCount > 0)
  const sums = [
    `Realized ${partly(realizedUsd, isPartial)}, fees ${fees}, ` +
      `net ${partly(net, isPartial || isFeesPartial)}, unrealized ${gain} USD`,
  ]
  const worth = partly(end.worthUsd, end.unvalued.length > 0)
  if (period.fromMs === 0) sums.push(`Worth ${worth} USD`)
  else {
    const [wasUnclear, wasUnvalued] = [start.unclearCount > 0, start.unvalued.length > 0]
    const gained = changeBetween(start, end, 'unrealizedUsd')
    const change = changeBetween(start, end, 'worthUsd')
    sums.push(
      `Unrealized ${partly(start.unrealizedUsd, wasUnclear)} before, ${gain} at the end: ` +
        `change ${partly(gained, wasUnclear || end.unclearCount > 0)} USD`,
      `Worth ${partly(start.worthUsd, wasUnvalued)} before, ${worth} at the end: ` +
        // Shown only when both ends lack the same prices.
        `change ${partly(change, wasUnvalued)} USD`,
    )
    const oneEnded = valuedAtOneEnd(start, end)
    if (oneEnded.length > 0)
      sums.push(`Changes are unknown where a price is missing at one end only: ${namesOf(oneEnded)}`)
    if (change !== null && gained !== null && net !== null && isWholeChange(pnl)) {
      const moved = exactPlus(total.transfers.depositsUsd ?? zero, (total.transfers.withdrawalsUsd ?? zero).neg())
      sums.push(
        `That is net ${cents(net)}, change of unrealized ${cents(gained)}, and deposits less withdrawals at cost ` +
          `${cents(moved)} USD`,
      )
    }
  }
  const unknown = [
    ...counted(realized.unknownCostCount, 'match of unknown cost', 'matches of unknown cost'),
    ...counted(realized.unknownCount, 'match of unknown value', 'matches of unknown value'),
    ...counted(realized.unknownFeeCount, 'fee of unknown value', 'fees of unknown value'),
    ...counted(end.unclearCount, 'currency of unknown cost or price', 'currencies of unknown cost or price'),
  ]
  return unknown.length === 0
    ? sums
    : [...sums, `? marks unknown amounts, excluded from all sums: ${unknown.join(', ')}.`]
}

/** True when all parts of the change in value are known. */
const isWholeChange = ({ total: { realized, unknownTransferCount }, start, end }: Pnl): boolean =>
  realized.unknownCostCount + realized.unknownCount + realized.unknownFeeCount + unknownTransferCount === 0 &&
  start.unclearCount + end.unclearCount === 0
