import { clockText, dayMs, hourMs, minuteMs } from '../../../base/text/time-text.ts'
import { formatPrice, type Instrument } from '../../../domain/market/instrument.ts'
import { Decimal } from '../../../domain/money.ts'

const roundDigits = [1, 2, 5] as const

/**
 * The smallest round step of at least `least`: 1, 2 or 5 times a power of ten, and a whole number of ticks. If no such
 * number exists (a tick of 0.03), the smallest sufficient number of ticks; below a tick, one tick.
 */
export function roundStep(least: Decimal, tick: Decimal): Decimal {
  if (least.lte(tick)) return tick
  for (let exponent = least.e; exponent < least.e + 4; exponent += 1) {
    for (const digit of roundDigits) {
      const step = new Decimal(10).pow(exponent).times(digit)
      if (step.gte(least) && step.mod(tick).isZero()) return step
    }
  }
  const one = new Decimal(1)
  return tick.eq(one) ? least.ceil() : roundStep(least.div(tick), one).times(tick)
}

/** Prices, or other amounts, from bottom to top of a chart, and the number of dot lines between them. */
export type PriceScale = { low: number; high: number; lines: number }

/**
 * A scale of `lines` that holds both prices. Its ends are round prices, so it stays put while the prices move a little.
 */
export function scaleOf(
  lowest: number,
  highest: number,
  { tickSize }: Pick<Instrument, 'tickSize'>,
  lines: number,
): PriceScale {
  const room = highest > lowest ? 0 : tickSize.toNumber() * 4
  const [low, high] = [lowest - room, highest + room]
  const step = roundStep(new Decimal(high - low).div(40), tickSize).toNumber()
  // Tolerates the float error of the division: a price a hair past its own step still counts as on it.
  const hair = 1e-9
  const bottom = Math.max(0, Math.floor(low / step + hair) * step)
  return { low: Math.min(bottom, lowest), high: Math.max(Math.ceil(high / step - hair) * step, highest), lines }
}

/** The line that a price falls in, counted from the top; prices outside the scale are clamped to its edge. */
export function lineOf(price: number, { low, high, lines }: PriceScale): number {
  const at = Math.floor(((high - price) / (high - low)) * lines)
  return Math.min(lines - 1, Math.max(0, at))
}

/** Rows between labels on the price axis: close enough to read from, far enough apart not to clutter. */
const labelRows = 3

/** Round prices within the scale, highest first, for `rows` rows. */
export function roundPrices(
  { low, high }: PriceScale,
  rows: number,
  { tickSize }: Pick<Instrument, 'tickSize'>,
): Decimal[] {
  const least = new Decimal(high - low).times(labelRows).div(Math.max(1, rows))
  const step = roundStep(least, tickSize)
  const prices: Decimal[] = []
  for (
    let price = new Decimal(high).div(step).floor().times(step);
    price.gte(low) && prices.length < 100;
    price = price.minus(step)
  )
    prices.push(price)
  return prices
}

/** Cells before a price on the axis: the sign of its own line, preceded by that of another line in the same row. */
export const signCells = 2

/** Cells of the price axis, signs included: enough for prices a fifth above the last one. */
export const axisWidth = (last: Decimal, instrument: Instrument): number =>
  formatPrice(last.times('1.2'), instrument).length + signCells

/** Round steps between two times on the axis, up to a week; longer ones count in months. */
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 4, 6, 12].map((count) => count * hourMs),
  ...[1, 2, 7].map((count) => count * dayMs),
]
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120] as const
const monthMs = 30 * dayMs

/** Weeks start on Monday; 1970-01-01 was a Thursday. */
const firstMonday = 4 * dayMs

/** Minimum cells from one time to the next: a time, plus a gap before its neighbor. */
const cellsMin = 12

/** The round times of an axis whose cells span `cellMs` each, earliest first. */
function* roundTimes(startMs: number, endMs: number, cellMs: number): Iterable<number> {
  const stepMs = steps.find((each) => each / cellMs >= cellsMin)
  if (stepMs !== undefined) {
    const offsetMs = stepMs === 7 * dayMs ? firstMonday : 0
    let atMs = Math.ceil((startMs - offsetMs) / stepMs) * stepMs + offsetMs
    for (; atMs < endMs; atMs += stepMs) yield atMs
    return
  }
  const months = monthSteps.find((each) => (each * monthMs) / cellMs >= cellsMin) ?? monthSteps[7]
  const start = new Date(startMs)
  const first = start.getUTCFullYear() * 12 + start.getUTCMonth()
  for (let month = Math.ceil(first / months) * months; ; month += months) {
    const atMs = Date.UTC(Math.floor(month / 12), month % 12)
    if (atMs >= endMs) return
    if (atMs >= startMs) yield atMs
  }
}

/** `14:05`; the date at the start of a day, `11-20`, with its year if that differs from the previous label's. */
function timeLabel(atMs: number, yearBefore: number): string {
  if (atMs % dayMs !== 0) return clockText(atMs).slice(0, 5)
  const day = new Date(atMs).toISOString().slice(0, 10)
  return Number(day.slice(0, 4)) === yearBefore ? day.slice(5) : day
}

/**
 * A line of `width` cells with round times in UTC, each starting in the cell of its moment. If no day starts within it,
 * the first time carries its date, unless that is the day of `todayMs`.
 */
export function timeAxis(startMs: number, endMs: number, width: number, todayMs = endMs - 1): string {
  const cellMs = (endMs - startMs) / Math.max(1, width)
  const hasDay = Math.ceil(startMs / dayMs) * dayMs < endMs
  const isToday = Math.floor(startMs / dayMs) === Math.floor(todayMs / dayMs)
  let year = new Date(todayMs).getUTCFullYear()
  let line = ''
  for (const atMs of roundTimes(startMs, endMs, cellMs)) {
    const isDated = line === '' && !hasDay && !isToday
    const label = `${isDated ? `${new Date(atMs).toISOString().slice(5, 10)} ` : ''}${timeLabel(atMs, year)}`
    const cell = Math.floor((atMs - startMs) / cellMs)
    if (cell < line.length || cell + label.length + 1 > width) continue
    line = `${line.padEnd(cell)}|${label}`
    year = new Date(atMs).getUTCFullYear()
  }
  return line.padEnd(width).slice(0, width)
}
