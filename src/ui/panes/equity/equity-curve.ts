import { hourMs, minuteMs } from '../../../base/time-text.ts'
import type { EquityPoint } from '../../../domain/market/bar.ts'
import { compareAmounts, Decimal, formatGrouped } from '../../../domain/money.ts'
import { minutesFromMs } from '../../../domain/positions/equity.ts'
import { type Row, span } from '../../text/row.ts'
import { shareText } from '../../text/worth.ts'
import { timeAxis } from '../chart/axes.ts'
import { createDotCanvas, type DotGlyphs, dotsOfCell } from '../chart/dot-canvas.ts'

type CurveInput = {
  /** Oldest first. */
  points: readonly EquityPoint[]
  fromMs: number
  toMs: number
  /** Per cent of the first value in view on the axis, and no amount. */
  isPrivate: boolean
}
type Size = { width: number; height: number }
type Level = { fromMs: number; toMs: number; usd: Decimal }

/** What is known in the window: minutes as they are, of older days hours. Where nothing is known there is a gap. */
function levelsIn({ points, fromMs, toMs }: CurveInput): Level[] {
  const fineMs = minutesFromMs(toMs)
  return points.flatMap(({ startMs, equityUsd }): Level[] => {
    const stepMs = startMs < fineMs ? hourMs : minuteMs
    const atMs = Math.floor(startMs / stepMs) * stepMs
    if (equityUsd === null || atMs + stepMs <= fromMs || atMs > toMs) return []
    return [{ fromMs: Math.max(fromMs, atMs), toMs: Math.min(toMs, atMs + stepMs), usd: equityUsd }]
  })
}

const one = new Decimal(1)

type Scale = { low: Decimal; high: Decimal }

function scaleOf(levels: readonly Level[]): Scale | null {
  const [first] = levels
  if (first === undefined) return null
  let [low, high] = [new Decimal(first.usd), new Decimal(first.usd)]
  for (const { usd } of levels) {
    if (compareAmounts(usd, low) < 0) low = new Decimal(usd)
    if (compareAmounts(usd, high) > 0) high = new Decimal(usd)
  }
  // A thousandth of it at least from top to bottom: a change of a few cents is no cliff.
  const least = high.isZero() ? one : high.abs().times('0.001')
  const missing = least.minus(high.minus(low)).div(2)
  return missing.gt(0) ? { low: low.minus(missing), high: high.plus(missing) } : { low, high }
}

function lineOf(usd: Decimal, { low, high }: Scale, lineCount: number): number {
  const share = high.minus(usd).toNumber() / high.minus(low).toNumber()
  return Math.min(lineCount - 1, Math.max(0, Math.round(share * (lineCount - 1))))
}

function drawn(levels: readonly Level[], scale: Scale, input: CurveInput, size: Size, glyphs: DotGlyphs): string[] {
  const canvas = createDotCanvas(size.width, size.height, glyphs)
  const dotMs = (input.toMs - input.fromMs) / Math.max(1, canvas.width)
  const columnAt = (atMs: number) => Math.min(canvas.width - 1, Math.floor((atMs - input.fromMs) / dotMs))
  let before: { line: number; toMs: number } | null = null
  for (const { fromMs, toMs, usd } of levels) {
    const line = lineOf(usd, scale, canvas.height)
    const first = columnAt(fromMs)
    if (before !== null && before.toMs >= fromMs) canvas.column(first, before.line, line)
    for (let x = first; x <= columnAt(toMs); x += 1) canvas.column(x, line, line)
    before = { line, toMs }
  }
  return Array.from({ length: size.height }, (_, row) =>
    Array.from({ length: size.width }, (_, column) => canvas.at(column, row)).join(''),
  )
}

/**
 * Equity over time with its two axes, `height` rows of at most `width` cells; a minute in which nobody looked, or in
 * which something had no known value, is a gap. Null while there is nothing in the window; none without room.
 */
export function equityCurveRows(input: CurveInput, { width, height }: Size, glyphs: DotGlyphs): Row[] | null {
  const levels = levelsIn(input)
  const scale = scaleOf(levels)
  const [first] = levels
  const last = levels.at(-1)
  if (scale === null || first === undefined || last === undefined) return null
  const rows = height - 1
  if (rows < 1) return []
  const text = (usd: Decimal): string => {
    if (!input.isPrivate) return formatGrouped(usd, 0)
    return first.usd.gt(0) ? shareText(new Decimal(usd).minus(first.usd).div(first.usd)) : ''
  }
  const { down } = dotsOfCell(glyphs)
  const lastRow = Math.floor(lineOf(last.usd, scale, rows * down) / down)
  const labels = Array.from({ length: rows }, (_, row) => {
    if (row === lastRow) return { text: text(last.usd), isLast: true }
    return { text: row === 0 ? text(scale.high) : row === rows - 1 ? text(scale.low) : '', isLast: false }
  })
  const labelWidth = Math.max(...labels.map((label) => label.text.length))
  const plotWidth = Math.max(1, width - labelWidth - 1)
  const picture = drawn(levels, scale, input, { width: plotWidth, height: rows }, glyphs)
  return [
    ...picture.map((line, row): Row => {
      const label = labels[row] ?? { text: '', isLast: false }
      return [
        span(line, 'last'),
        span(`${label.isLast ? '<' : ' '}${label.text.padEnd(labelWidth)}`, label.isLast ? 'last' : 'label'),
      ]
    }),
    [span(timeAxis(input.fromMs, input.toMs, plotWidth), 'label')],
  ]
}
