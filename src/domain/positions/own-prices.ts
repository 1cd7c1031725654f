import { minuteMs } from '../../base/time-text.ts'
import type { Fill } from '../orders/fills.ts'
import { compareIds } from '../orders/order.ts'
import { currenciesOf, type Rules } from '../statement/movement.ts'
import { valueCurrency } from './ledger.ts'
import type { UsdAt, UsdValue } from './position.ts'

/** What was recorded of what currencies were worth. */
export type RecordedPrices = {
  /**
   * What counts for trades and fees of a moment, now and always: it was written down once. Undefined: nothing is
   * written; null: it is written that nobody knew.
   */
  fixed: (currency: string, atMs: number) => UsdValue | null | undefined
  /** The last price of the last bar that had ended at a moment, where that is not too old. */
  ended: UsdAt
  /** Told what counts of a moment for which nothing is written yet. */
  onUnfixed?: (currency: string, atMs: number, value: UsdValue | null) => void
}

export const nothingRecorded: RecordedPrices = { fixed: () => undefined, ended: () => null }

/** An own fill says for so long what a currency is worth. */
export const ownPriceMs = minuteMs
/** A desk writes prices down once a minute: what had ended so long before a trade does not change any more. */
const writtenMs = minuteMs

const told = (last: Fill | undefined, atMs: number): UsdValue | null =>
  last !== undefined && atMs - last.timestampMs <= ownPriceMs
    ? { usd: last.price, source: `fill ${last.execId}` }
    : null

/**
 * What a currency was worth at the moment of a trade or a fee: what was written down of it; else by `last`, the last
 * own fill against USD up to then, where it is of the minute before; else by the last bar that had ended a minute
 * before. Nothing of it looks ahead, so that nothing that comes later changes it.
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

/** What was held at a moment: by the last own fill up to then where it is of the minute before, else by a bar's end. */
export const usdOfHolding = (
  last: Fill | undefined,
  recorded: RecordedPrices,
  ...[currency, atMs]: Parameters<UsdAt>
): UsdValue | null => told(last, atMs) ?? recorded.ended(currency, atMs)

/** What currencies were worth, by the account's own fills and by what was recorded. */
export type OwnPrices = {
  /** At the moment of a trade or a fee: see `usdOfTrade`. */
  ofTrade: UsdAt
  /** What was held at a moment: see `usdOfHolding`. */
  ofHolding: UsdAt
}

/** The prices of an account with these fills, in any order. They are put in order when it is first asked. */
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

/** The older first, of two at one moment the lower id. */
const byTime = (left: Fill, right: Fill): number =>
  left.timestampMs - right.timestampMs || compareIds(left.execId, right.execId)

/** The fills of each currency against USD, the oldest first. */
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

/** Where the first one later than a moment stands. */
function firstAfter(fills: readonly Fill[], atMs: number): number {
  let [low, high] = [0, fills.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fills[middle]?.timestampMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return low
}
