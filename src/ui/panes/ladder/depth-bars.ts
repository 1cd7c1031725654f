import type { LadderRow } from '../../../domain/market/ladder.ts'
import { Decimal, zero } from '../../../domain/money.ts'

/** The character bars are made of, and the steps of a gauge of one cell, shallow to deep. */
export type BarGlyphs = { bar: string; gauge: string }

/** How deep the book is up to a row, beside the deepest row on screen, in one cell or several. */
export type DepthBars = { bar: (depth: Decimal | null) => string; gauge: (depth: Decimal | null) => string }

/** The deepest row on screen on either side: both share one measure. */
const deepestOf = (rows: readonly LadderRow[]): Decimal =>
  rows.reduce((deepest, { bidDepth, askDepth }) => Decimal.max(deepest, bidDepth ?? zero, askDepth ?? zero), zero)

/** Bars of at most `width` cells for the rows on screen; what holds anything shows at least one. */
export function depthBars(rows: readonly LadderRow[], width: number, { bar, gauge }: BarGlyphs): DepthBars {
  const deepest = deepestOf(rows)
  const perCell = deepest.isZero() ? zero : new Decimal(width).div(deepest)
  const perStep = deepest.isZero() ? zero : new Decimal(gauge.length).div(deepest)
  const steps = (depth: Decimal, per: Decimal, most: number) =>
    Math.max(1, Math.min(most, depth.times(per).toDecimalPlaces(0).toNumber()))
  return {
    bar: (depth) => (depth === null || width === 0 ? '' : bar.repeat(steps(depth, perCell, width))),
    gauge: (depth) => (depth === null ? ' ' : (gauge[steps(depth, perStep, gauge.length) - 1] ?? ' ')),
  }
}
