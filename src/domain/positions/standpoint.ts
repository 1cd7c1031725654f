import { type Decimal, exactPlus, exactProduct, exactSum, zero } from '../money.ts'
import { valueCurrency } from './ledger.ts'
import type { Position } from './position.ts'
import { unrealizedUsd } from './realized.ts'
import type { UsdValue } from './usd-at.ts'

/** What one currency stands at. */
export type Standing = {
  position: Position
  /** Null: nobody knows what it was worth, or there is none of it; USD has none. */
  mark: UsdValue | null
  /** Of the units of known cost; null without any, and without a mark. */
  unrealizedUsd: Decimal | null
  /** Units are held whose gain nobody knows. */
  isUnclear: boolean
  /** Null: unknown. */
  worthUsd: Decimal | null
}

/** What an account stands at, at one moment. */
export type Standpoint = {
  byCurrency: ReadonlyMap<string, Standing>
  /** Of the currencies of which it is known; null where something is held and of nothing it is. */
  unrealizedUsd: Decimal | null
  /** Currencies held of which it is not wholly known. */
  unclearCount: number
  /** Of the currencies whose mark is known; null where something is held and none is. */
  worthUsd: Decimal | null
  /** Names of the currencies held whose worth is unknown. */
  unvalued: readonly string[]
}

export const nothingHeld: Standpoint = {
  byCurrency: new Map(),
  unrealizedUsd: zero,
  unclearCount: 0,
  worthUsd: zero,
  unvalued: [],
}

function standingOf(position: Position, markOf: (currency: string) => UsdValue | null): Standing {
  const { currency, quantity, quantityOfKnownCost, quantityOfUnknownCost } = position
  if (currency === valueCurrency || quantity.isZero())
    return { position, mark: null, unrealizedUsd: zero, isUnclear: false, worthUsd: quantity }
  const mark = markOf(currency)
  const isKnown = mark !== null && !quantityOfKnownCost.isZero()
  return {
    position,
    mark,
    unrealizedUsd: isKnown ? unrealizedUsd(position, mark.usd) : null,
    isUnclear: mark === null || !quantityOfUnknownCost.isZero(),
    worthUsd: mark === null ? null : exactProduct(quantity, mark.usd),
  }
}

/** The sum of what is known; null where there is something and nothing of it is. */
export function sumOfKnown(amounts: readonly (Decimal | null)[]): Decimal | null {
  const known = amounts.flatMap((each) => each ?? [])
  return known.length === 0 && amounts.length > 0 ? null : exactSum(known)
}

/** `markOf` says what a currency was worth then. */
export function standpointOf(
  positions: readonly Position[],
  markOf: (currency: string) => UsdValue | null,
): Standpoint {
  const standings = positions.map((position) => standingOf(position, markOf))
  // What is worth itself tells of no gain.
  const held = standings.filter(({ position: { quantity } }) => !quantity.isZero())
  const gaining = held.filter(({ position: { currency } }) => currency !== valueCurrency)
  return {
    byCurrency: new Map(standings.map((each) => [each.position.currency, each])),
    unrealizedUsd: sumOfKnown(gaining.map((each) => each.unrealizedUsd)),
    unclearCount: held.filter(({ isUnclear }) => isUnclear).length,
    worthUsd: sumOfKnown(held.map(({ worthUsd }) => worthUsd)),
    unvalued: held.flatMap(({ worthUsd, position: { currency } }) => (worthUsd === null ? [currency] : [])),
  }
}

/** What an amount changed by; null where either is unknown. */
export const changeOf = (before: Decimal | null, after: Decimal | null): Decimal | null =>
  before === null || after === null ? null : exactPlus(after, before.neg())

/** Currencies held without a price at one of the two moments, but not at the other. By name. */
export function valuedAtOneEnd(start: Standpoint, end: Standpoint): string[] {
  const [before, after] = [new Set(start.unvalued), new Set(end.unvalued)]
  return [...before.symmetricDifference(after)].sort()
}

/**
 * What the sum changed by between two moments; null where either is unknown, or where it is not of the same currencies:
 * a price that came or went would look like a gain or a loss.
 */
export const changeBetween = (start: Standpoint, end: Standpoint, of: 'worthUsd' | 'unrealizedUsd'): Decimal | null =>
  valuedAtOneEnd(start, end).length > 0 ? null : changeOf(start[of], end[of])
