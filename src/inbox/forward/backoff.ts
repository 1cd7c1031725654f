const firstMs = 1_000
const mostMs = 120_000

/**
 * The pause after the `failures`th failure in a row: doubling from a second to two minutes, a fifth more or less.
 * `chance` is below 1.
 */
export function pauseMs(failures: number, chance: number): number {
  const plainMs = Math.min(firstMs * 2 ** Math.min(failures - 1, 20), mostMs)
  return Math.floor(plainMs * (0.8 + 0.4 * chance))
}
