import { formatPrice, type Instrument } from '../../../domain/market/instrument.ts'
import { compareAmounts, Decimal, zero } from '../../../domain/money.ts'
import type { Fill } from '../../../domain/orders/fills.ts'
import type { PricePoint } from '../../../store/chart.ts'
import { clockText } from '../../text/moment.ts'
import { type Row, type Span, span } from '../../text/row.ts'
import { createDotCanvas, type DotGlyphs, dotsOfCell } from './dot-canvas.ts'

/** Prices from the bottom to the top of a picture; `high` is above `low`. */
type PriceScale = { low: Decimal; high: Decimal }

/** A scale that holds all of `prices`; one price alone gets room on both sides. Null without any. */
function scaleOf(prices: readonly Decimal[], instrument: Instrument): PriceScale | null {
  const [first] = prices
  if (first === undefined) return null
  let [low, high] = [first, first]
  for (const price of prices) {
    if (compareAmounts(price, low) < 0) low = price
    if (compareAmounts(price, high) > 0) high = price
  }
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
type AxisLabel = { text: string; isLast: boolean }

/** Lines between two prices on the axis: close enough to read from, far enough apart to be calm. */
const labelEvery = 4

/**
 * The price axis of `rows` lines of cells with `dotsDown` dots each: a price at the top, at the bottom and every few
 * lines between, with the symbol's own decimals. The last price has the line to itself in which its dot is.
 */
function axisLabels(
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

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
/** Round steps between two times on the axis. */
const steps: readonly number[] = [
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
]

/** Cells from one time to the next: a time, and room to tell it from its neighbour. */
const cellsLeast = 12

/** A line of `width` cells with round times, UTC, each beginning in the cell of its moment. */
export function timeAxis(startMs: number, endMs: number, width: number): string {
  const cellMs = (endMs - startMs) / Math.max(1, width)
  const stepMs = steps.find((each) => each / cellMs >= cellsLeast) ?? 24 * hour
  let line = ''
  for (let atMs = Math.ceil(startMs / stepMs) * stepMs; atMs < endMs; atMs += stepMs) {
    const label = stepMs < minute ? clockText(atMs) : clockText(atMs).slice(0, 5)
    const cell = Math.floor((atMs - startMs) / cellMs)
    if (cell < line.length || cell + label.length + 1 > width) continue
    line = `${line.padEnd(cell)}|${label}`
  }
  return line.padEnd(width).slice(0, width)
}

type PriceLineInput = {
  /** The oldest first. */
  points: readonly PricePoint[]
  /** One's own executions in this symbol: marked `B` and `S`. */
  fills: readonly Fill[]
  instrument: Instrument
  /** Until when the last price is known to hold. */
  endMs: number
  spanMs: number
}

type Window = { startMs: number; endMs: number }
/** One price from one moment to another. */
type Stretch = { fromMs: number; toMs: number; price: Decimal }

/** The prices that held in the window, without the times in which nobody looked. */
export function stretches(points: readonly PricePoint[], { startMs, endMs }: Window): Stretch[] {
  const found: Stretch[] = []
  for (const [index, { atMs, price }] of points.entries()) {
    const next = points[index + 1]
    const untilMs = next === undefined ? endMs : (next.unseenFromMs ?? next.atMs)
    const fromMs = Math.max(startMs, atMs)
    const toMs = Math.min(endMs, Math.max(atMs, untilMs))
    if (toMs >= fromMs && atMs <= endMs) found.push({ fromMs, toMs, price })
  }
  return found
}

/** The line as one text a row: each stretch level, and joined to the next one where nothing is missing between them. */
function drawn(parts: readonly Stretch[], scale: PriceScale, window: Window, size: Size, glyphs: DotGlyphs): string[] {
  const canvas = createDotCanvas(size.width, size.height, glyphs)
  const dotMs = (window.endMs - window.startMs) / Math.max(1, canvas.width)
  const columnAt = (atMs: number) => Math.min(canvas.width - 1, Math.floor((atMs - window.startMs) / dotMs))
  let before: { line: number; toMs: number } | null = null
  for (const { fromMs, toMs, price } of parts) {
    const line = lineOf(price, scale, canvas.height)
    const first = columnAt(fromMs)
    if (before !== null && before.toMs === fromMs) canvas.column(first, before.line, line)
    for (let x = first; x <= columnAt(toMs); x += 1) canvas.column(x, line, line)
    before = { line, toMs }
  }
  return canvas.lines()
}

type Size = { width: number; height: number }
type Mark = { column: number; row: number; fill: Fill }

/** A line of the picture with the marks of own executions in it. */
function withMarks(line: string, marks: readonly Mark[]): Span[] {
  const spans: Span[] = []
  let at = 0
  for (const { column, fill } of marks.toSorted((left, right) => left.column - right.column)) {
    if (column < at) continue
    const { side } = fill
    spans.push(span(line.slice(at, column), 'last'), span(side === 'BUY' ? 'B' : 'S', side === 'BUY' ? 'bid' : 'ask'))
    at = column + 1
  }
  return [...spans, span(line.slice(at), 'last')]
}

const labelSpan = (label: AxisLabel | null, width: number): Span => {
  if (label === null) return span(' '.repeat(width + 1))
  return label.isLast ? span(`<${label.text.padEnd(width)}`, 'last') : span(` ${label.text.padEnd(width)}`, 'label')
}

/** Rows for the axis of times, and columns for that of prices. */
const timeAxisRows = 1

/**
 * The price line with its two axes, `height` rows of at most `width` cells. Where a price was not looked at there is a
 * gap. None where there is no room; null while there is no price in the window.
 */
export function priceLineRows(input: PriceLineInput, { width, height }: Size, glyphs: DotGlyphs): Row[] | null {
  const { instrument, endMs, spanMs } = input
  const window = { startMs: endMs - spanMs, endMs }
  const parts = stretches(input.points, window)
  const fills = input.fills.filter(({ timestampMs }) => timestampMs > window.startMs && timestampMs <= endMs)
  const scale = scaleOf([...parts.map(({ price }) => price), ...fills.map(({ price }) => price)], instrument)
  const rows = height - timeAxisRows
  if (scale === null) return null
  if (rows < 1) return []
  const { down } = dotsOfCell(glyphs)
  const labels = axisLabels(scale, { rows, dotsDown: down }, input.points.at(-1)?.price ?? null, instrument)
  const labelWidth = Math.max(...labels.map((label) => label?.text.length ?? 0))
  const plotWidth = Math.max(1, width - labelWidth - 1)
  const lines = drawn(parts, scale, window, { width: plotWidth, height: rows }, glyphs)
  const marks = fills.map((fill): Mark => {
    const share = (fill.timestampMs - window.startMs) / spanMs
    const column = Math.min(plotWidth - 1, Math.floor(share * plotWidth))
    return { column, row: Math.floor(lineOf(fill.price, scale, rows * down) / down), fill }
  })
  const picture = lines.map((line, row): Row => {
    const marked = withMarks(
      line,
      marks.filter((mark) => mark.row === row),
    )
    return [...marked, labelSpan(labels[row] ?? null, labelWidth)]
  })
  return [...picture, [span(timeAxis(window.startMs, endMs, plotWidth), 'label')]]
}
