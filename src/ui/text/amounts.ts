import type { WriteAmount } from '../../domain/market/amounts.ts'
import { Decimal, formatFixed } from '../../domain/money.ts'

/*
 * How amounts are formatted, everywhere. Prices and quantities have their symbol's decimals. Tables and the ladder
 * align them on the decimal point, without thousands separators; sentences, panels and the lines around a pane use
 * separators: `64,209.50`. An account's balances and equity read as money and have separators in their table too. A
 * file holds every digit, without separators.
 */

/** `.0500` for `0.0500`: saves a cell on ladders and in order lists. */
export const withoutLeadingZero = (text: string): string => text.replace(/^(-?)0\./, '$1.')

/** An amount without trailing zeros: shorter, and equally exact. */
export const withoutTrailingZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Every digit of a value, padded to at least `decimalsMin` decimals. */
export const exactText = (value: Decimal, decimalsMin: number): string =>
  value.toFixed(Math.max(decimalsMin, value.decimalPlaces()))

/** A rounded amount; one that would read as none is `<0.01`, and below 0 `>-0.01`. */
export function roundedText(value: Decimal, decimals: number, write: WriteAmount = formatFixed): string {
  const text = write(value, decimals)
  if (value.isZero() || /[1-9]/.test(text)) return text
  const least = new Decimal(10).pow(-decimals).toFixed()
  return value.gt(0) ? `<${least}` : `>-${least}`
}

const pointAt = (text: string): number => (text.includes('.') ? text.indexOf('.') : text.length)

/** Pads numbers to one width so that their decimal points align. */
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

/** Shortens an amount whose exact digits do not fit `width` cells: fewer decimals, then thousands, millions. */
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
 * The cells of one column of quantities, all with the same `decimals`, so that their points align. A value that does
 * not fit `width` is shortened on its own: what one row holds never changes how the others read. Null is an empty cell.
 */
export function quantityCells(decimals: number, width: number): (value: Decimal | null) => string {
  const empty = ' '.repeat(width)
  return (value) => (value === null ? empty : quantityText(value, decimals, width))
}

/** The user's own quantity in few cells: no leading or trailing zeros, and fewer digits if short of room. */
export function compactQuantity(value: Decimal, width: number): string {
  const exact = withoutLeadingZero(value.toFixed())
  return exact.length <= width ? exact : shortened(value, value.decimalPlaces(), width)
}

/**
 * A number, or digits joined by punctuation such as `2026-11-23` or `14:02`, with an optional percent sign or unit
 * suffix.
 */
const numeral = String.raw`\d(?:[\d.,:-]*\d)?(?:%|[kMG]\b)?`
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)
const isTime = (text: string): boolean => /^\d\d:\d\d(?::\d\d)?$/.test(text)
/**
 * The unit that a small whole number counts: `2 orders`, `30 s`, `3 of 5`; or the name it belongs to, as in a pane's
 * key: `2 Orders`.
 */
const things =
  'order|fill|row|line|write|withdrawal|deposit|draft|alert|symbol|account|plan|key|poll|time|second|minute|hour|day'
const counted = new RegExp(`^ (?:(?:(?:working )?(?:${things})s?|more|s|ms|min|h|d)\\b|[A-Z][a-z])`)

/** Digits within a word are an id. */
const isInWord = (before: string, after: string): boolean => /[A-Za-z_]$/.test(before) || /^[A-Za-z]/.test(after)

/** How many of how many orders: `3 of 4 canceled, 1 FILLED`, `2 of 3 BTC-USD orders`. */
const otherEnds = String.raw`(?:, \d{1,3} (?:[A-Z_]{6,}|ended unseen)\b)*`
const tally = String.raw`\b\d{1,3} of \d{1,3} (?:canceled${otherEnds}|(?:\w+-\w+ )?orders?\b)`
/** What a whole number names rather than measures: an order by its id, an alert, a level of the book, a key. */
const named = String.raw`\b(?:[Oo]rder|[Aa]lert|[Ll]evel|[Kk]ey) \d+(?![\w%]|[.,:-]\d| (?!BUY|SELL)[A-Z]{2,})`
const saidOrNumeral = new RegExp(`(${tally}|${named})|${numeral}`, 'g')

/**
 * A sentence with each amount replaced by `*`, prices included. Dates, times, percentages, counts, durations, and ids
 * with letters or behind `order` stay.
 */
export const withoutNumbers = (text: string): string =>
  text.replace(saidOrNumeral, (found: string, said: string | undefined, at: number) => {
    if (said !== undefined) return said
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

/** `0.10%`: a rate as agreed, with every digit and at least two decimals. */
export const rateText = (rate: Decimal): string => portionText(rate, Math.max(2, rate.times(100).decimalPlaces()))

const thousand = new Decimal(1_000)
const suffixes = ['', 'k', 'M', 'G'] as const

/** Below ten, one decimal if there is a suffix. Rounded up, so that usage is never understated. */
function roundedUp(value: Decimal, isWhole: boolean): Decimal {
  return value.toDecimalPlaces(isWhole || value.abs().gte(10) ? 0 : 1, Decimal.ROUND_UP)
}

/** An amount at a glance, in at most five cells up to a trillion: `980`, `3.2k`, `41k`, `1.2M`. Rounds up. */
export function compactAmount(value: Decimal): string {
  let part = value
  let at = 0
  // A value that rounds up to a thousand belongs to the next unit.
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
