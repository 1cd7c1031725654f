import { Decimal } from './money.ts'

const powers: bigint[] = []

/** 10 ** `exponent`, a whole number of 0 or more. */
export function powerOfTen(exponent: number): bigint {
  const known = powers[exponent]
  if (known !== undefined) return known
  const power = 10n ** BigInt(exponent)
  powers[exponent] = power
  return power
}

/** Decimal digits per limb of a Decimal. */
const limbDigits = 7
const limb = 10 ** limbDigits
const limbPower = 10n ** BigInt(limbDigits)

/**
 * Converts an amount to whole units of 10^-`scale`, exactly; it must have at most `scale` decimals. Ten times as fast
 * as Decimal's own way, for a million fills with three amounts each.
 */
export function toUnits(amount: Decimal, scale: number): bigint {
  const { d: limbs, s: sign } = amount
  const shift = lastPlace(amount) + scale
  if (limbs.length <= 2) {
    const digits = digitsOf(amount)
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

/** `left` × `right` in whole units of 10^-`scale`, exactly; the product must have at most `scale` decimals. */
export function productUnits(left: Decimal, right: Decimal, scale: number): bigint {
  if (left.d.length > 2 || right.d.length > 2) {
    const [leftScale, rightScale] = [left.decimalPlaces(), right.decimalPlaces()]
    const product = toUnits(left, leftScale) * toUnits(right, rightScale)
    const shift = scale - leftScale - rightScale
    return shift < 0 ? product / powerOfTen(-shift) : product * powerOfTen(shift)
  }
  const product = BigInt(left.s * right.s * digitsOf(left)) * BigInt(digitsOf(right))
  const shift = scale + lastPlace(left) + lastPlace(right)
  return shift < 0 ? product / powerOfTen(-shift) : product * powerOfTen(shift)
}

/** The digits of an amount of at most two limbs as an integer; see `lastPlace` for its power of ten. */
const digitsOf = ({ d: [first = 0, second] }: Decimal): number => (second === undefined ? first : first * limb + second)
const lastPlace = ({ d: limbs, e: exponent }: Decimal): number =>
  limbDigits * (Math.floor(exponent / limbDigits) - limbs.length + 1)

/** Upper bound of an amount's decimals, without looking at its digits as `decimalPlaces` does. */
export const decimalsMax = (amount: Decimal): number => Math.max(0, -lastPlace(amount))

/** `units` × 10^-`scale`, exactly. */
export const fromUnits = (units: bigint, scale: number): Decimal => new Decimal(`${units}e-${scale}`)

/** `whole` × `part` / `of`, rounded down to a multiple of `grain`: never more than its share. */
export function shareOf(whole: bigint, part: bigint, { of, grain }: { of: bigint; grain: bigint }): bigint {
  const share = (whole * part) / of
  return share - (share % grain)
}

/** An exact sum in whole units, whose scale grows with what is added: a million amounts make no Decimal. */
export class UnitSum {
  #units = 0n
  #scale = 0

  /** Adds an amount, or with `sign` -1 takes it off. */
  add(amount: Decimal, sign: 1 | -1 = 1): void {
    this.#makeRoom(decimalsMax(amount))
    const units = toUnits(amount, this.#scale)
    this.#units += sign === 1 ? units : -units
  }

  /** Adds `left` × `right`, or with `sign` -1 takes it off. */
  addProduct(left: Decimal, right: Decimal, sign: 1 | -1 = 1): void {
    this.#makeRoom(decimalsMax(left) + decimalsMax(right))
    const units = productUnits(left, right, this.#scale)
    this.#units += sign === 1 ? units : -units
  }

  get value(): Decimal {
    return fromUnits(this.#units, this.#scale)
  }

  #makeRoom(scale: number): void {
    if (scale <= this.#scale) return
    this.#units *= powerOfTen(scale - this.#scale)
    this.#scale = scale
  }
}
