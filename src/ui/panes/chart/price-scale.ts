import { formatPrice, type Instrument } from '../../../domain/market/instrument.ts'
import { Decimal, zero } from '../../../domain/money.ts'

/** Prices from the bottom to the top of a picture; `high` is above `low`. */
export type PriceScale = { low: Decimal; high: Decimal }

/** A scale that holds all of `prices`; one price alone gets room on both sides. Null without any. */
export function scaleOf(prices: readonly Decimal[], instrument: Instrument): PriceScale | null {
  if (prices.length === 0) return null
  const low = Decimal.min(...prices)
  const high = Decimal.max(...prices)
  if (high.gt(low)) return { low, high }
  const room = instrument.tickSize.times(4)
  return { low: Decimal.max(zero, low.minus(room)), high: high.plus(room) }
}

/**
 * The line, counted from the top of `lineCount`, that a price is nearest to; prices beyond the scale stand at its edge.
 */
export function lineOf(price: Decimal, { low, high }: PriceScale, lineCount: number): number {
  const share = high.minus(price).toNumber() / high.minus(low).toNumber()
  return Math.min(lineCount - 1, Math.max(0, Math.round(share * (lineCount - 1))))
}

/** A cell of the price axis: what stands there, and whether it is the last price. */
export type AxisLabel = { text: string; isLast: boolean }

/** Lines between two prices on the axis: close enough to read from, far enough apart to be calm. */
const labelEvery = 4

/**
 * The price axis of `rows` lines of cells with `dotsDown` dots each: a price at the top, at the bottom and every few
 * lines between, with the symbol's own decimals. The last price has the line to itself in which its dot is.
 */
export function axisLabels(
  scale: PriceScale,
  { rows, dotsDown }: { rows: number; dotsDown: number },
  last: Decimal | null,
  instrument: Instrument,
): (AxisLabel | null)[] {
  const { low, high } = scale
  const dots = rows * dotsDown
  const lastRow = last === null ? -1 : Math.floor(lineOf(last, scale, dots) / dotsDown)
  const priceAt = (row: number): Decimal => {
    if (row === 0) return high
    if (row === rows - 1) return low
    const share = new Decimal(row * dotsDown + (dotsDown - 1) / 2).div(dots - 1)
    return high.minus(high.minus(low).times(share))
  }
  return Array.from({ length: rows }, (_, row) => {
    if (row === lastRow && last !== null) return { text: formatPrice(last, instrument), isLast: true }
    const isLabelled = row === rows - 1 || (row % labelEvery === 0 && rows - 1 - row >= 2)
    return isLabelled ? { text: formatPrice(priceAt(row), instrument), isLast: false } : null
  })
}
