/** So often doubled, anything is above any bound, and still a finite number. */
const timesMost = 60

/** `first` doubled `times` times (0 or more), but never above `most`, in whatever unit the two have. */
export const doubled = (first: number, times: number, most: number): number =>
  Math.min(first * 2 ** Math.min(times, timesMost), most)

const firstMs = 1_000
const mostMs = 120_000

/**
 * The pause after the `failures`th failure in a row: doubling from a second to two minutes, a fifth more or less.
 * `chance` is below 1.
 */
export const backoffMs = (failures: number, chance: number): number =>
  Math.floor(doubled(firstMs, failures - 1, mostMs) * (0.8 + 0.4 * chance))
