import { Decimal } from '../../domain/money.ts'

const shownDigits = 24

/**
 * `numerator` / `denominator`, both above zero: exact when its decimals end, otherwise 24 significant digits,
 * half-even.
 */
export function exactQuotient(numerator: bigint, denominator: bigint): Decimal {
  const divisor = gcd(numerator, denominator)
  const reduced = denominator / divisor
  const twos = powerOf(reduced, 2n)
  const fives = powerOf(reduced, 5n)
  const whole = new Decimal((numerator / divisor).toString())
  if (2n ** BigInt(twos) * 5n ** BigInt(fives) !== reduced)
    return whole.div(new Decimal(reduced.toString())).toSignificantDigits(shownDigits)
  // The decimals end after as many places as the larger power; the digits are put together as text, which rounds
  // nothing.
  const places = Math.max(twos, fives)
  const digits = ((numerator / divisor) * (10n ** BigInt(places) / reduced)).toString()
  return new Decimal(`${digits}e-${places}`)
}

function gcd(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

/** How often `prime` divides `value`. */
function powerOf(value: bigint, prime: bigint): number {
  let power = 0
  for (let rest = value; rest % prime === 0n; rest /= prime) power += 1
  return power
}
