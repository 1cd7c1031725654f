import type { Random } from '../../src/base/random.ts'

/** The upper one of two in the middle; 0 of none. */
export const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** One of the list by chance; undefined of none. */
export const pick = <T>(list: readonly T[], chance: Random): T | undefined => list[chance.integer(0, list.length - 1)]
