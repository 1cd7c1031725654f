import { minuteMs } from '../../base/text/time-text.ts'
import type { Fill } from '../orders/fills.ts'
import { compareIds } from '../orders/order.ts'
import { currenciesOf, type Rules } from '../statement/movement.ts'
import { valueCurrency } from './ledger.ts'
import type { UsdAt, UsdValue } from './usd-at.ts'

/** Recorded values of currencies. */
export type RecordedPrices = {
  /**
   * The permanent value for trades and fees of a moment. Undefined when not recorded; null when recorded as unknown.
   */
  fixed: (currency: string, atMs: number) => UsdValue | null | undefined
  /** The closing price of the last bar that had ended at a moment, unless it is too old. */
  ended: UsdAt
  /** Called with the value of a moment that is not recorded yet. */
  onUnfixed?: (currency: string, atMs: number, value: UsdValue | null) => void
}

export const nothingRecorded: RecordedPrices = { fixed: () => undefined, ended: () => null }

/** Time for which an own fill gives its currency's value. */
export const ownPriceMs = minuteMs
/** A desk records prices once a minute: bars that ended this long before a trade no longer change. */
const writtenMs = minuteMs

const told = (last: Fill | undefined, atMs: number): UsdValue | null =>
  last !== undefined && atMs - last.timestampMs <= ownPriceMs
    ? { usd: last.price, source: `fill ${last.execId}` }
    : null

/**
 * The value of a currency for a trade or fee: the recorded one; or else by `last`, the last own fill against USD within
 * the minute before; or else by the last bar that had ended a minute before. Uses nothing later, so later data never
 * changes it.
 */
export function usdOfTrade(
  last: Fill | undefined,
  recorded: RecordedPrices,
  ...[currency, atMs]: Parameters<UsdAt>
): UsdValue | null {
  const fixed = recorded.fixed(currency, atMs)
  if (fixed !== undefined) return fixed
  const value = told(last, atMs) ?? recorded.ended(currency, atMs - writtenMs)
  recorded.onUnfixed?.(currency, atMs, value)
  return value
}

/** The value of a holding at a moment: by the last own fill within the minute before, or else by a bar's close. */
export const usdOfHolding = (
  last: Fill | undefined,
  recorded: RecordedPrices,
  ...[currency, atMs]: Parameters<UsdAt>
): UsdValue | null => told(last, atMs) ?? recorded.ended(currency, atMs)

/** Values of currencies by the account's own fills and by recorded prices. */
export type OwnPrices = {
  /** For a trade or fee: see `usdOfTrade`. */
  ofTrade: UsdAt
  /** For a holding: see `usdOfHolding`. */
  ofHolding: UsdAt
}

/** Creates the prices of an account from its fills in any order, which are sorted on first use. */
export function ownPrices(fills: readonly Fill[], rules: Rules, recorded = nothingRecorded): OwnPrices {
  let byCurrency: Map<string, Fill[]> | null = null
  const lastAt = (currency: string, atMs: number): Fill | undefined => {
    byCurrency ??= pricedInUsd(fills, rules)
    const own = byCurrency.get(currency)
    return own?.[firstAfter(own, atMs) - 1]
  }
  return {
    ofTrade: (currency, atMs) => usdOfTrade(lastAt(currency, atMs), recorded, currency, atMs),
    ofHolding: (currency, atMs) => usdOfHolding(lastAt(currency, atMs), recorded, currency, atMs),
  }
}

/** Sorts by time, then id. */
const byTime = (left: Fill, right: Fill): number =>
  left.timestampMs - right.timestampMs || compareIds(left.execId, right.execId)

/** Each currency's fills against USD, oldest first. */
function pricedInUsd(fills: readonly Fill[], rules: Rules): Map<string, Fill[]> {
  const byCurrency = new Map<string, Fill[]>()
  for (const fill of fills) {
    const pair = currenciesOf(fill.symbol, rules)
    if (pair?.counter !== valueCurrency) continue
    const known = byCurrency.get(pair.base)
    if (known === undefined) byCurrency.set(pair.base, [fill])
    else known.push(fill)
  }
  for (const own of byCurrency.values()) own.sort(byTime)
  return byCurrency
}

/** Index of the first fill later than a moment. */
function firstAfter(fills: readonly Fill[], atMs: number): number {
  let [low, high] = [0, fills.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fills[middle]?.timestampMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return low
}
