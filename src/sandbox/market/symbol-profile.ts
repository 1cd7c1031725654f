import type { Random } from '../../base/random.ts'

/** How one symbol trades. Prices and sizes are in whole ticks and lots of that symbol. */
export type SymbolProfile = {
  symbol: string
  /** The price it reverts to, and starts from unless `startTicks` is given. */
  anchorTicks: number
  startTicks?: number
  /** Normal volatility: ticks per square root of a second. */
  volatilityTicks: number
  /** The size of a typical order. */
  typicalLots: number
  minLots: number
  /** Undefined: no limit. */
  maxLots?: number
  /** Average rate of trades by takers. */
  tradesPerSecond: number
}

/** A size near `wanted` that the symbol's rules allow. */
export function allowedLots(wanted: number, { minLots, maxLots }: SymbolProfile): number {
  return Math.min(maxLots ?? Number.MAX_SAFE_INTEGER, Math.max(minLots, Math.round(wanted)))
}

/**
 * The model of a symbol's hidden fair price. Prices are in ticks; floats, because none of them ever leaves the
 * generator.
 */
type PriceModel = Pick<SymbolProfile, 'anchorTicks' | 'startTicks' | 'volatilityTicks'> & {
  /** Seconds in which a deviation from the anchor shrinks by a factor of e. */
  reversionSeconds: number
}

export type LatentPrice = {
  /** The current fair price, above zero. */
  ticks(): number
  /** Current volatility as a multiple of the normal one. */
  agitation(): number
  /** Advances by this time; exact for any length. */
  advance(seconds: number): void
  /** A permanent move caused by trading. */
  push(ticks: number): void
}

// Two speeds of volatility: bursts of about a minute on top of tides of about an hour. Their sum gives the clustered,
// heavy-tailed returns of real markets.
const volatilityTides = [
  { seconds: 45, spread: 0.5 },
  { seconds: 3_600, spread: 0.3 },
]
const agitationMax = 6

/** One exact step of a mean-reverting (Ornstein–Uhlenbeck) process around zero. */
function revert(value: number, seconds: number, timeConstant: number, deviation: number, random: Random): number {
  const kept = Math.exp(-seconds / timeConstant)
  return value * kept + deviation * Math.sqrt(1 - kept * kept) * random.normal()
}

/** A mean-reverting price with changing volatility. */
export function createLatentPrice(model: PriceModel, random: Random): LatentPrice {
  const { anchorTicks, startTicks = anchorTicks, volatilityTicks, reversionSeconds } = model
  const tides = volatilityTides.map(({ spread }) => spread * random.normal())
  let deviation = anchorTicks * Math.log(startTicks / anchorTicks)
  const agitation = () => Math.min(agitationMax, Math.exp(tides.reduce((sum, tide) => sum + tide, 0)))
  return {
    // The deviation applies to the logarithm, so that the price of a nearly worthless coin stays above zero.
    ticks: () => anchorTicks * Math.exp(deviation / anchorTicks),
    agitation,
    advance: (seconds) => {
      volatilityTides.forEach((tide, index) => {
        tides[index] = revert(tides[index] ?? 0, seconds, tide.seconds, tide.spread, random)
      })
      const stationary = volatilityTicks * Math.sqrt(reversionSeconds / 2)
      deviation = revert(deviation, seconds, reversionSeconds, stationary * agitation(), random)
    },
    push: (ticks) => {
      deviation += ticks
    },
  }
}
