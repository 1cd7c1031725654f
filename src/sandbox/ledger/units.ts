import { Decimal, parseAmount } from '../../domain/money.ts'

/**
 * The ledger counts every currency in minor units of 10^-24. Every symbol's price scale + lot scale + rate scale (6)
 * fits in, so no notional or fee is ever rounded.
 */
export const ledgerScale = 24
export const unitsPerOne = 10n ** BigInt(ledgerScale)

const powersOfTen = Array.from({ length: ledgerScale + 1 }, (_, power) => 10n ** BigInt(power))
const plainPattern = /^-?\d{1,60}(\.\d{1,60})?$/

/**
 * An amount text in minor units: `malformed` if it is not an amount, `tooFine` if it has more decimals than the ledger.
 */
export function unitsFromText(text: string): bigint | 'malformed' | 'tooFine' {
  if (plainPattern.test(text)) return unitsFromPlain(text)
  const plain = parseAmount(text)?.toFixed()
  return plain === undefined ? 'malformed' : unitsFromPlain(plain)
}

function unitsFromPlain(text: string): bigint | 'tooFine' {
  const point = text.indexOf('.')
  if (point < 0) return BigInt(text) * unitsPerOne
  const decimals = text.length - point - 1
  if (decimals > ledgerScale) {
    if (/[1-9]/.test(text.slice(point + 1 + ledgerScale))) return 'tooFine'
    return unitsFromPlain(text.slice(0, point + 1 + ledgerScale))
  }
  return BigInt(text.slice(0, point) + text.slice(point + 1)) * (powersOfTen[ledgerScale - decimals] ?? 1n)
}

/** An amount in plain digits without trailing zeros: 1500000000000000000000000 units are `1.5`. */
export function textFromUnits(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(ledgerScale + 1, '0')
  const whole = digits.slice(0, -ledgerScale)
  const fraction = digits.slice(-ledgerScale).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The exact amount; made from text because Decimal arithmetic rounds to 40 digits. */
export const decimalFromUnits = (units: bigint): Decimal => new Decimal(textFromUnits(units))

/** 10^-`scale` × `value` in minor units. `scale` is at most `ledgerScale`. */
export const unitsFromScaled = (value: number, scale: number): bigint =>
  BigInt(value) * 10n ** BigInt(ledgerScale - scale)
