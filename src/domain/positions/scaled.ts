import { Decimal } from '../money.ts'

const powers: bigint[] = []

/** 10 to the `exponent`, a whole number from 0. */
export function powerOfTen(exponent: number): bigint {
  const known = powers[exponent]
  if (known !== undefined) return known
  const power = 10n ** BigInt(exponent)
  powers[exponent] = power
  return power
}

/** Decimal digits in one limb of a Decimal. */
const limbDigits = 7
const limb = 10 ** limbDigits
const limbPower = 10n ** BigInt(limbDigits)

/**
 * The amount in whole units of 10^-`scale`, exactly; its decimals must be at most `scale`. Decimal takes a microsecond
 * for what this does in a tenth of one, and a million fills have three amounts each.
 */
export function toUnits(amount: Decimal, scale: number): bigint {
  const { d: limbs, e: exponent, s: sign } = amount
  const [first = 0, second = 0] = limbs
  const shift = limbDigits * (Math.floor(exponent / limbDigits) - limbs.length + 1) + scale
  if (limbs.length <= 2) {
    const digits = limbs.length === 1 ? first : first * limb + second
    if (shift <= 0) return BigInt((sign * digits) / 10 ** -shift)
    const whole = digits * 10 ** Math.min(shift, 22)
    return shift <= 22 && whole <= Number.MAX_SAFE_INTEGER
      ? BigInt(sign * whole)
      : BigInt(sign * digits) * powerOfTen(shift)
  }
  let units = 0n
  for (const each of limbs) units = units * limbPower + BigInt(each)
  units = shift < 0 ? units / powerOfTen(-shift) : units * powerOfTen(shift)
  return sign < 0 ? -units : units
}

/** `units` × 10^-`scale`, every digit of it. */
export const fromUnits = (units: bigint, scale: number): Decimal => new Decimal(`${units}e-${scale}`)

/** `whole` × `part` / `of`, rounded down to a multiple of `grain`: never more than its share. */
export function shareOf(whole: bigint, part: bigint, { of, grain }: { of: bigint; grain: bigint }): bigint {
  const share = (whole * part) / of
  return share - (share % grain)
}
