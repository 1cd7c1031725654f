import type { Instrument } from '../../../domain/market/instrument.ts'
import type { Decimal } from '../../../domain/money.ts'
import type { Fill } from '../../../domain/orders/fills.ts'
import type { PricePoint } from '../../../store/chart.ts'
import { type Row, type Span, span } from '../../text/row.ts'
import { createDotCanvas, type DotGlyphs, dotsOfCell } from './dot-canvas.ts'
import { type AxisLabel, axisLabels, lineOf, type PriceScale, scaleOf } from './price-scale.ts'
import { timeAxis } from './time-axis.ts'

export type PriceLineInput = {
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
