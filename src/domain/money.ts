import { Decimal as Base } from 'decimal.js'

/**
 * The number type of amounts, with 40 significant digits: the library's default of 20 would round 12345678901.12 ×
 * 1234567.12345678. Exponents are never printed: `toString` of 0.00000012 is `0.00000012`.
 */
export const Decimal = Base.clone({
  precision: 40,
  rounding: Base.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = Base

export const zero = new Decimal(0)

// Far above any amount; without a bound a short text such as 1e999999999 would need a gigabyte of digits.
const digitsMax = 60
const amountPattern = /^-?\d{1,60}(?:\.\d{1,60})?(e[+-]?\d{1,2})?$/i

/**
 * True for an amount as written on the wire, plain or with an exponent. Written out it has at most 60 digits on either
 * side of the point, so it can be written plainly and read again.
 */
export function isAmountText(text: string): boolean {
  const parts = amountPattern.exec(text)
  if (parts === null) return false
  if (parts[1] === undefined) return true
  const value = new Decimal(text)
  return value.e < digitsMax && value.decimalPlaces() <= digitsMax
}

/** Reads an amount as written on the wire; undefined when invalid. */
export function parseAmount(text: string): Decimal | undefined {
  if (!isAmountText(text)) return undefined
  const amount = new Decimal(text)
  // As read it has room for 17 groups of digits, where most amounts have two: a copy takes half the memory.
  return Object.assign(amount, { d: amount.d.slice() })
}

/** True when both amounts are equal, or both null. */
export const sameAmount = (left: Decimal | null, right: Decimal | null): boolean =>
  left === null || right === null ? left === right : compareAmounts(left, right) === 0

/**
 * -1, 0 or 1, like `left.comparedTo(right)`, which copies `right` first: a screen compares thousands of amounts per
 * frame, and the copies were an eighth of all garbage.
 */
export function compareAmounts(left: Decimal, right: Decimal): number {
  const { s: sign, e: exponent, d: digits } = left
  const others = right.d
  if (digits?.[0] === undefined || others?.[0] === undefined || digits[0] === 0 || others[0] === 0)
    return left.comparedTo(right)
  if (sign !== right.s) return sign
  if (exponent !== right.e) return exponent > right.e ? sign : -sign
  const shared = Math.min(digits.length, others.length)
  for (let at = 0; at < shared; at += 1) {
    const one = digits[at] ?? 0
    const other = others[at] ?? 0
    if (one !== other) return one > other ? sign : -sign
  }
  return digits.length === others.length ? 0 : digits.length > others.length ? sign : -sign
}

/** Fixed-point text with exactly `decimals` decimals, rounded half-even. */
export const formatFixed = (value: Decimal, decimals: number): string =>
  shortFixed(value, decimals) ?? value.toFixed(decimals, Decimal.ROUND_HALF_EVEN)

/** A `Decimal` is a list of words of seven digits, aligned to the decimal point. */
const digitsOfWord = 7
const wordSize = 10 ** digitsOfWord
const digitsOfFraction = 2 * digitsOfWord
const powersOfTen = Array.from({ length: digitsOfFraction + 1 }, (_, power) => 10 ** power)

/**
 * `formatFixed` for at most two words on either side of the point, as integers below 10^14, which are exact; null for
 * others. Ten times as fast as the library, which copies and rounds, for hundreds of amounts per frame.
 */
function shortFixed({ d: words, e: exponent, s: sign }: Decimal, decimals: number): string | null {
  const first = Math.floor(exponent / digitsOfWord)
  const step = powersOfTen[digitsOfFraction - decimals]
  const one = powersOfTen[decimals]
  if (step === undefined || one === undefined || words?.[0] === undefined) return null
  if (first > 1 || first - words.length < -3) return null
  const at = (place: number): number => (place > first ? 0 : (words[first - place] ?? 0))
  let whole = at(1) * wordSize + at(0)
  const fraction = at(-1) * wordSize + at(-2)
  let part = Math.floor(fraction / step)
  const twice = 2 * (fraction - part * step)
  const isOdd = (decimals === 0 ? whole : part) % 2 === 1
  if (twice > step || (twice === step && isOdd)) part += 1
  if (part === one) {
    part = 0
    whole += 1
  }
  const text = sign < 0 && words[0] !== 0 ? `-${whole}` : `${whole}`
  return decimals === 0 ? text : `${text}.${String(part).padStart(decimals, '0')}`
}

/**
 * An approximation for lengths on the screen, where half a cell does not matter. Never use it for amounts that are
 * displayed or computed with.
 */
export function roughly({ d: words, e: exponent, s: sign }: Decimal): number {
  const [first = 0, second = 0, third = 0] = words
  const digits = (first * wordSize + second) * wordSize + third
  const place = Math.floor(exponent / digitsOfWord) - 2
  return sign * (place < 0 ? digits / wordSize ** -place : digits * wordSize ** place)
}

/** Fixed-point text with thousands separators: `64,209.50`. Never `-0.00`. */
export function formatGrouped(value: Decimal, decimals: number): string {
  const text = formatFixed(value, decimals)
  if (!value.isFinite()) return text
  const signed = text.startsWith('-') && !/[1-9]/.test(text) ? text.slice(1) : text
  const point = decimals === 0 ? signed.length : signed.length - decimals - 1
  let grouped = signed.slice(point)
  let end = point
  for (; end > 3 && signed[end - 4] !== '-'; end -= 3) grouped = `,${signed.slice(end - 3, end)}${grouped}`
  return signed.slice(0, end) + grouped
}

/** A number of things with thousands separators: `120,000`. */
export const formatCount = (count: number): string => formatGrouped(new Decimal(count), 0)

/**
 * `formatGrouped` for holdings and available balances, rounded down, because rounding up would show more than can be
 * sold.
 */
export const formatHeld = (value: Decimal, decimals: number): string =>
  formatGrouped(value.toDecimalPlaces(decimals, Decimal.ROUND_DOWN), decimals)

/** `units` × 10^-`scale`, exactly; the service's form of increments and sizes. */
export function fromScaled(units: string | number | bigint, scale: number): Decimal {
  return new Decimal(units.toString()).times(new Decimal(10).pow(-scale))
}

/**
 * A number type for books: exact for products of two amounts of 120 digits and any sums of them. 40 digits suffice for
 * every order, but a statement must be exact.
 */
const Exact = Decimal.clone({ precision: 1_000 })

/** `left` × `right`, exactly. */
export const exactProduct = (left: Decimal, right: Decimal): Decimal => new Exact(left).times(right)

/** `left` + `right`, exactly. */
export const exactPlus = (left: Decimal, right: Decimal): Decimal => new Exact(left).plus(right)

/** The exact sum; 0 for none. */
export const exactSum = (amounts: Iterable<Decimal>): Decimal => {
  let sum: Decimal = zero
  for (const amount of amounts) sum = exactPlus(sum, amount)
  return sum
}
