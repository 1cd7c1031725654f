import type { Instrument } from '../../../domain/market/instrument.ts'
import type { LadderRow } from '../../../domain/market/ladder.ts'
import { Decimal, zero } from '../../../domain/money.ts'
import { quantityColumn } from '../../text/amounts.ts'
import { left, right } from '../../text/cells.ts'
import { cursorMark, type Row, type Span, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'
import {
  type LadderColumns,
  ladderColumns,
  ladderDecimals,
  ownText,
  priceSpans,
  priceWidth,
  wantedWidth,
} from './ladder-cells.ts'

/** The character bars are made of, and the steps of a gauge of one cell, shallow to deep. */
export type BarGlyphs = { bar: string; gauge: string }

/** How deep the book is up to a row, beside the deepest row on screen, in one cell or several. */
export type DepthBars = { bar: (depth: Decimal | null) => string; gauge: (depth: Decimal | null) => string }

/** The deepest row on screen on either side: both share one measure. */
const deepestOf = (rows: readonly LadderRow[]): Decimal =>
  rows.reduce((deepest, { bidDepth, askDepth }) => Decimal.max(deepest, bidDepth ?? zero, askDepth ?? zero), zero)

/** Bars of at most `width` cells for the rows on screen; what holds anything shows at least one. */
function depthBars(rows: readonly LadderRow[], width: number, { bar, gauge }: BarGlyphs): DepthBars {
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

export type LadderView = {
  rows: readonly LadderRow[]
  instrument: Instrument
  cursorPrice: Decimal | null
  /** Cells inside the pane's borders. */
  width: number
  glyphs: BarGlyphs
  /** The market has left the price of the last trade behind; it has not unless given. */
  isLastOld?: boolean
}

/** The ladder's lines: the names of the columns, then a line for each price. */
export type LadderLines = { head: Row; lines: Row[] }

/** The texts of all rows, made column by column so that each has one number of decimals. */
type Texts = { bid: string; ask: string; bidDepth: string; askDepth: string }

function textsOf({ rows, instrument }: LadderView, columns: LadderColumns): Texts[] {
  const decimals = ladderDecimals(columns, instrument)
  // Both sides in one go: a bid and an ask of the same size must read the same.
  const quantities = quantityColumn(
    rows.flatMap((row) => [row.bidQuantity, row.askQuantity]),
    decimals.quantity,
    columns.quantity,
  )
  const depths = quantityColumn(
    rows.flatMap((row) => [row.bidQuantity && row.bidDepth, row.askQuantity && row.askDepth]),
    decimals.depth,
    columns.depth,
  )
  return rows.map((_, index) => ({
    bid: quantities[index * 2] ?? '',
    ask: quantities[index * 2 + 1] ?? '',
    bidDepth: depths[index * 2] ?? '',
    askDepth: depths[index * 2 + 1] ?? '',
  }))
}

function headRow(columns: LadderColumns): Row {
  const gap = ' '.repeat(columns.bar)
  const bids = `${left('OWN', columns.own)}${gap} ${right('CUM', columns.depth)} ${right('BID', columns.quantity)}`
  const asks = `${right('ASK', columns.quantity)} ${right('CUM', columns.depth)} ${gap}${left('OWN', columns.ownAsk)}`
  return [span(` ${bids} ${right('PRICE', columns.price)} ${asks}`, 'label')]
}

/** The ask's cell: where a marked row holds no ask, the word says what the mark means. */
function askSpan(row: LadderRow, text: string, isLastOld: boolean): Span {
  if (row.askQuantity !== null || text.length < 5) return cell(text, 'ask')
  if (row.isAuction) return span(left(text.length < 8 ? ' auct' : ' auction', text.length), 'warn')
  if (!row.isLast) return span(text)
  return isLastOld ? span(left(' old', text.length), 'dim') : span(left(' last', text.length), 'last')
}

/** A cell in its tone; an empty one has none, which saves the terminal a change of style. */
const cell = (text: string, tone: Tone): Span => (text.trim() === '' ? span(text) : span(text, tone))

/**
 * Level 2 by rows. `>` marks the cursor, `B` and `S` own orders, `b` and `s` own stops that wait, on the side of the
 * price where they stand; about the marks of a price see `priceSpans`.
 */
export function ladderLines(view: LadderView): LadderLines {
  const { rows, instrument, cursorPrice, width, glyphs, isLastOld = false } = view
  const columns = ladderColumns(width, priceWidth(rows, instrument), wantedWidth(instrument))
  const texts = textsOf(view, columns)
  const bars = depthBars(rows, columns.bar, glyphs)
  // With bars of their own the cell beside the depth is a gap like any other.
  const gauge = (depth: Decimal | null) => (columns.bar > 0 ? ' ' : bars.gauge(depth))
  const lines = rows.map((row, index): Row => {
    const text = texts[index]
    if (text === undefined) return []
    const isCursor = cursorPrice?.eq(row.price) ?? false
    const bidDepth = row.bidQuantity && row.bidDepth
    const askDepth = row.askQuantity && row.askDepth
    return [
      cursorMark(isCursor),
      cell(left(ownText('B', row.ownBuy, row.stopBuy, columns.own), columns.own), 'own'),
      cell(right(bars.bar(bidDepth), columns.bar) + gauge(bidDepth), 'bidBar'),
      cell(text.bidDepth, 'dim'),
      cell(` ${text.bid}`, 'bid'),
      ...priceSpans(row, instrument, { width: columns.price, isCursor, isLastOld }),
      askSpan(row, text.ask, isLastOld),
      cell(` ${text.askDepth}`, 'dim'),
      cell(gauge(askDepth) + left(bars.bar(askDepth), columns.bar), 'askBar'),
      cell(left(ownText('S', row.ownSell, row.stopSell, columns.ownAsk), columns.ownAsk), 'own'),
    ]
  })
  return { head: headRow(columns), lines }
}
