import type { Fill } from '../orders/fills.ts'
import { currenciesOf, type Rules } from '../statement/movement.ts'
import { valueCurrency } from './ledger.ts'
import type { UsdAt } from './position.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

/** The first that knows. */
export const firstKnown =
  (...sources: readonly UsdAt[]): UsdAt =>
  (currency, atMs) => {
    for (const source of sources) {
      const known = source(currency, atMs)
      if (known !== null) return known
    }
    return null
  }

/**
 * What currencies were worth by the account's own fills against USD: by the nearest one of the same minute, else of the
 * same hour (UTC), the earlier of two that are as near. The list is made when it is first asked.
 */
export function usdAtFromFills(fills: readonly Fill[], rules: Rules): UsdAt {
  let byCurrency: Map<string, Fill[]> | null = null
  return (currency, atMs) => {
    byCurrency ??= pricedInUsd(fills, rules)
    const own = byCurrency.get(currency) ?? []
    const at = firstAfter(own, atMs)
    const [before, after] = [own[at - 1], own[at]]
    for (const spanMs of [minuteMs, hourMs]) {
      const near = [before, after].filter(
        (fill) => fill !== undefined && Math.floor(fill.timestampMs / spanMs) === Math.floor(atMs / spanMs),
      )
      const [first, second] = near
      if (first === undefined) continue
      const nearest = second !== undefined && second.timestampMs - atMs < atMs - first.timestampMs ? second : first
      return { usd: nearest.price, source: `fill ${nearest.execId}` }
    }
    return null
  }
}

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
  for (const own of byCurrency.values()) own.sort((left, right) => left.timestampMs - right.timestampMs)
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
