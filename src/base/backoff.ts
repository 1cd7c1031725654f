/** Caps the exponent: 2 ** 60 exceeds every bound used here and is still finite. */
const timesMax = 60

/** `first` doubled `times` times (0 or more), at most `most`; both in the same unit. */
export const doubled = (first: number, times: number, most: number): number =>
  Math.min(first * 2 ** Math.min(times, timesMax), most)

const firstMs = 1_000
const maxMs = 120_000

/**
 * Pause in ms after `failures` failures in a row (at least 1): doubles from 1 s to 120 s, then varies by up to 20 %
 * either way. `chance` is in [0, 1).
 */
export const backoffMs = (failures: number, chance: number): number =>
  Math.floor(doubled(firstMs, failures - 1, maxMs) * (0.8 + 0.4 * chance))
