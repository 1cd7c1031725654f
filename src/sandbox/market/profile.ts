/** How one symbol trades. Prices and sizes are in whole ticks and lots of that symbol. */
export type SymbolProfile = {
  symbol: string
  /** The price it keeps coming back to, and starts from unless `startTicks` says otherwise. */
  anchorTicks: number
  startTicks?: number
  /** Ordinary volatility: ticks per square root of a second. */
  volatilityTicks: number
  /** The size of an ordinary order. */
  typicalLots: number
  minLots: number
  /** Undefined: no limit. */
  maxLots?: number
  /** Trades by takers, on average. */
  tradesPerSecond: number
}

/** A size near `wanted` that the symbol's rules allow. */
export function allowedLots(wanted: number, { minLots, maxLots }: SymbolProfile): number {
  return Math.min(maxLots ?? Number.MAX_SAFE_INTEGER, Math.max(minLots, Math.round(wanted)))
}
