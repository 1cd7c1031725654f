import { Decimal, formatFixed } from '../../domain/money.ts'

/*
 * How amounts are written, everywhere. Prices and quantities have their symbol's own decimals. In tables and on the
 * ladder they stand without commas, points below each other; in sentences, panels and the lines around a pane with
 * them: `64,209.50`. What an account holds or is worth is read as money and has commas also in its table. A file holds
 * every digit, and no commas.
 */

/** `.0500` for `0.0500`: what ladders and order lists write to save a cell. */
export const withoutLeadingZero = (text: string): string => text.replace(/^(-?)0\./, '$1.')

/** An amount without zeros at its end: as exact, and shorter. */
export const withoutTrailingZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Every digit of a value, and `decimalsMin` decimals where it has fewer. */
export const exactText = (value: Decimal, decimalsMin: number): string =>
  value.toFixed(Math.max(decimalsMin, value.decimalPlaces()))

const pointAt = (text: string): number => (text.includes('.') ? text.indexOf('.') : text.length)

/** Texts of numbers padded to one width so that their decimal points stand below each other. */
export function alignOnPoint(texts: readonly string[]): string[] {
  const before = Math.max(0, ...texts.map(pointAt))
  const after = Math.max(0, ...texts.map((text) => text.length - pointAt(text)))
  return texts.map(
    (text) => ' '.repeat(before - pointAt(text)) + text + ' '.repeat(after - (text.length - pointAt(text))),
  )
}

const units = [
  { suffix: 'k', size: new Decimal(1_000) },
  { suffix: 'M', size: new Decimal(1_000_000) },
  { suffix: 'G', size: new Decimal(1_000_000_000) },
] as const

/** An amount that must fit `width` cells when its exact digits do not: fewer decimals, then thousands, millions. */
function shortened(value: Decimal, decimals: number, width: number): string {
  for (let kept = decimals; kept >= 0; kept -= 1) {
    const rounded = withoutLeadingZero(formatFixed(value, kept))
    const isLost = value.gt(0) && !/[1-9]/.test(rounded)
    const text = isLost ? `<${rounded.slice(0, -1)}1` : rounded
    if (text.length <= width) return text
  }
  for (const { suffix, size } of units) {
    for (let kept = 2; kept >= 0; kept -= 1) {
      const text = formatFixed(value.div(size), kept) + suffix
      if (text.length <= width && value.div(size).lt(1_000)) return text
    }
  }
  return '#'.repeat(width)
}

function quantityText(value: Decimal, decimals: number, width: number): string {
  const exact = formatFixed(value, decimals)
  const isLost = !/[1-9]/.test(exact) && value.gt(0)
  return (exact.length > width || isLost ? shortened(value, decimals, width) : exact).padStart(width)
}

/**
 * The cells of one column of quantities, all with the same `decimals`, so that the points stand below each other. A
 * value that does not fit `width` so is shortened alone: what one row holds never changes how the others read. Null is
 * an empty cell.
 */
export function quantityCells(decimals: number, width: number): (value: Decimal | null) => string {
  const empty = ' '.repeat(width)
  return (value) => (value === null ? empty : quantityText(value, decimals, width))
}

/** An own quantity in few cells: no leading zero, no trailing ones, and short of room fewer digits. */
export function compactQuantity(value: Decimal, width: number): string {
  const exact = withoutLeadingZero(value.toFixed())
  return exact.length <= width ? exact : shortened(value, value.decimalPlaces(), width)
}

/** A number, or digits and signs that belong together, `2026-11-23` or `14:02`, with per cent or thousands behind. */
const numeral = /\d(?:[\d.,:-]*\d)?(?:%|[kMG]\b)?/g
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)
const isTime = (text: string): boolean => /^\d\d:\d\d(?::\d\d)?$/.test(text)
/** What a small whole number counts: `2 orders`, `30 s`, `3 of 5`; or names, as a key does its pane: `2 Orders`. */
const things =
  'order|fill|row|line|write|withdrawal|deposit|draft|alert|symbol|account|poll|time|second|minute|hour|day'
const counted = new RegExp(`^ (?:(?:(?:${things})s?|more|s|ms|min|h|d)\\b|[A-Z][a-z])`)

/** Digits in a word are an id. */
const isInWord = (before: string, after: string): boolean => /[A-Za-z_]$/.test(before) || /^[A-Za-z]/.test(after)

/**
 * A sentence in which no amount may be seen, `*` for each: prices go with them; days, times, per cent, counts, how long
 * something took, and ids that have letters stay.
 */
export const withoutNumbers = (text: string): string =>
  text.replace(numeral, (found, at: number) => {
    const [before, after] = [text.slice(0, at), text.slice(at + found.length)]
    const isCount = /^\d{1,3}$/.test(found) && counted.test(after)
    const isSaid = isDay(found) || isTime(found) || found.endsWith('%') || isCount || isInWord(before, after)
    return isSaid ? found : '*'
  })

/** A fraction as a percentage: `1.2%`, `-0.5%`, never `-0.0%`. */
export function portionText(fraction: Decimal, decimals = 1): string {
  const text = formatFixed(fraction.times(100), decimals)
  return `${/[1-9]/.test(text) ? text : formatFixed(new Decimal(0), decimals)}%`
}

/** A change as a percentage with its sign: `+1.2%`. */
export function percentText(fraction: Decimal, decimals = 1): string {
  const text = portionText(fraction, decimals)
  return fraction.gt(0) && /[1-9]/.test(text) ? `+${text}` : text
}

/** `0.10%`: a rate as it is agreed, with every digit and two decimals at least. */
export const rateText = (rate: Decimal): string => portionText(rate, Math.max(2, rate.times(100).decimalPlaces()))

const thousand = new Decimal(1_000)
const suffixes = ['', 'k', 'M', 'G'] as const

/** Up to ten with a decimal where there is a suffix; rounded up, so that what is used is never shown as less. */
function roundedUp(value: Decimal, isWhole: boolean): Decimal {
  return value.toDecimalPlaces(isWhole || value.abs().gte(10) ? 0 : 1, Decimal.ROUND_UP)
}

/**
 * An amount for a glance, in at most five cells up to a trillion: `980`, `3.2k`, `41k`, `1.2M`. Rounded up where digits
 * go.
 */
export function compactAmount(value: Decimal): string {
  let part = value
  let at = 0
  // What rounds to a thousand belongs to the next unit.
  while (
    roundedUp(part, at === 0)
      .abs()
      .gte(thousand) &&
    at < suffixes.length - 1
  ) {
    part = part.div(thousand)
    at += 1
  }
  return `${roundedUp(part, at === 0).toFixed()}${suffixes[at]}`
}
