import { Decimal } from './money.ts'

/** Two prices of one thing further apart than this are of different things. */
export const apartFactor = 2

/**
 * True for two prices above zero of which one cannot be of the same thing as the other. No market doubles between two
 * polls, and even a crash trades on its way down, while a price in another one's place is mostly wrong by far more.
 */
export const areApart = (one: Decimal, other: Decimal): boolean =>
  Decimal.max(one, other).gt(Decimal.min(one, other).times(apartFactor))
