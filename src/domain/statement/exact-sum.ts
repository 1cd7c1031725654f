import { Decimal, zero } from '../money.ts'

/**
 * A number for books: products of two amounts of 120 digits each, and sums of any count of them, without a digit lost.
 * The usual 40 digits hold every order, but a statement that is off by its last digit is wrong.
 */
const Exact = Decimal.clone({ precision: 1_000 })

/** `left` × `right`, every digit of it. */
export const exactProduct = (left: Decimal, right: Decimal): Decimal => new Exact(left).times(right)

/** `left` + `right`, every digit of it. */
export const exactPlus = (left: Decimal, right: Decimal): Decimal => new Exact(left).plus(right)

/** The sum, every digit of it; 0 of nothing. */
export const exactSum = (amounts: Iterable<Decimal>): Decimal => {
  let sum: Decimal = zero
  for (const amount of amounts) sum = exactPlus(sum, amount)
  return sum
}
