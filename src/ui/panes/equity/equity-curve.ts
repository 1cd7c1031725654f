import { hourMs, minuteMs } from '../../../base/text/time-text.ts'
import type { EquityPoint } from '../../../domain/market/bar.ts'
import { Decimal, formatGrouped, zero } from '../../../domain/money.ts'
import { minutesFromMs } from '../../../domain/positions/equity.ts'
import { type Row, span } from '../../text/row.ts'
import { shareText } from '../../text/worth.ts'
import { lineOf, type PriceScale, roundPrices, scaleOf, timeAxis } from '../chart/axes.ts'
import { createDotCanvas, type DotGlyphs, dotsOfCell } from '../chart/dot-canvas.ts'

type CurveInput = {
  /** Oldest first. */
  points: readonly EquityPoint[]
  fromMs: number
  toMs: number
  /** The axis shows percent of the first value in view, and no amount. */
  isPrivate: boolean
}
type Size = { width: number; height: number }
type Level = { fromMs: number; toMs: number; usd: Decimal }
/** `value` is drawn; `amount` is the exact figure for labels. */
type Plotted = { fromMs: number; toMs: number; amount: Decimal; value: number }

/** Known levels in the window: by the minute, by the hour for older days. Unknown times are gaps. */
function levelsIn({ points, fromMs, toMs }: CurveInput): Level[] {
  const fineMs = minutesFromMs(toMs)
  return points.flatMap(({ startMs, equityUsd }): Level[] => {
    const stepMs = startMs < fineMs ? hourMs : minuteMs
    const atMs = Math.floor(startMs / stepMs) * stepMs
    if (equityUsd === null || atMs + stepMs <= fromMs || atMs > toMs) return []
    return [{ fromMs: Math.max(fromMs, atMs), toMs: Math.min(toMs, atMs + stepMs), usd: equityUsd }]
  })
}

/** A whole dollar, or 0.01% in privacy mode: the axis has no finer steps. */
const tick = { usd: { tickSize: new Decimal(1) }, percent: { tickSize: new Decimal('0.01') } }

/** Levels for drawing: in USD, or in privacy mode as percent change from the first. */
function plotted(levels: readonly Level[], isPrivate: boolean): Plotted[] {
  const base = new Decimal(levels[0]?.usd ?? zero)
  const percentOf = (usd: Decimal): Decimal => (base.gt(0) ? new Decimal(usd).minus(base).div(base).times(100) : zero)
  return levels.map(({ fromMs, toMs, usd }) => {
    const amount = isPrivate ? percentOf(usd) : usd
    return { fromMs, toMs, amount, value: amount.toNumber() }
  })
}

/** The scale spans at least a thousandth of the total, so a change of a few cents does not look like a cliff. */
function scaleFor(values: readonly Plotted[], isPrivate: boolean, lines: number): PriceScale {
  const [low, high] = values.reduce(
    ([least, most], { value }) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  const whole = isPrivate ? 100 : Math.abs(high)
  const missing = Math.max(0, whole / 1_000 - (high - low)) / 2
  return scaleOf(low - missing, high + missing, isPrivate ? tick.percent : tick.usd, lines)
}

function drawn(
  levels: readonly Plotted[],
  scale: PriceScale,
  input: CurveInput,
  size: Size,
  glyphs: DotGlyphs,
): string[] {
  const canvas = createDotCanvas(size.width, size.height, glyphs)
  const dotMs = (input.toMs - input.fromMs) / Math.max(1, canvas.width)
  const columnAt = (atMs: number) => Math.min(canvas.width - 1, Math.floor((atMs - input.fromMs) / dotMs))
  let before: { line: number; toMs: number } | null = null
  for (const { fromMs, toMs, value } of levels) {
    const line = lineOf(value, scale)
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
 * Equity over time with both axes: `height` rows of at most `width` cells. A minute without a reading, or in which
 * something had no known value, is a gap. Null if nothing is known in the window; empty without room.
 */
export function equityCurveRows(input: CurveInput, { width, height }: Size, glyphs: DotGlyphs): Row[] | null {
  const { isPrivate } = input
  const levels = plotted(levelsIn(input), isPrivate)
  const last = levels.at(-1)
  if (last === undefined) return null
  const rows = height - 1
  if (rows < 1) return []
  const { down } = dotsOfCell(glyphs)
  const scale = scaleFor(levels, isPrivate, rows * down)
  const rowOf = (value: number): number => Math.floor(lineOf(value, scale) / down)
  const text = (value: Decimal): string => (isPrivate ? shareText(value.div(100)) : formatGrouped(value, 0))
  const labels = Array.from({ length: rows }, () => ({ text: '', isLast: false }))
  for (const value of roundPrices(scale, rows, isPrivate ? tick.percent : tick.usd))
    labels[rowOf(value.toNumber())] = { text: text(value), isLast: false }
  labels[rowOf(last.value)] = { text: text(last.amount), isLast: true }
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
