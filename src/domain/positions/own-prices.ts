import type { Fill } from '../orders/fills.ts'
import { compareIds } from '../orders/order.ts'
import { currenciesOf, type Rules } from '../statement/movement.ts'
import { valueCurrency } from './ledger.ts'
import type { UsdAt } from './position.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

const nothingRecorded: UsdAt = () => null

/** By the own fill that was the last one up to a moment, else by what was recorded: see `usdAtFromFills`. */
export function usdByOwn(
  last: Fill | undefined,
  recorded: UsdAt,
  ...[currency, atMs]: Parameters<UsdAt>
): ReturnType<UsdAt> {
  const ageMs = last === undefined ? Number.POSITIVE_INFINITY : atMs - last.timestampMs
  const told = last === undefined ? null : { usd: last.price, source: `fill ${last.execId}` }
  if (ageMs <= minuteMs) return told
  return recorded(currency, atMs) ?? (ageMs <= hourMs ? told : null)
}

/**
 * What currencies were worth by the account's own fills against USD: by the last one of the minute before, else by what
 * was recorded, else by the last one of the hour before. Never by a later fill: what was said of a moment stays. The
 * list is made when it is first asked.
 */
export function usdAtFromFills(fills: readonly Fill[], rules: Rules, recorded = nothingRecorded): UsdAt {
  let byCurrency: Map<string, Fill[]> | null = null
  return (currency, atMs) => {
    byCurrency ??= pricedInUsd(fills, rules)
    const own = byCurrency.get(currency) ?? []
    return usdByOwn(own[firstAfter(own, atMs) - 1], recorded, currency, atMs)
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
