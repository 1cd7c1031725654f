import { formatPrice, type Instrument } from '../../../domain/instrument.ts'
import type { LadderRow } from '../../../domain/ladder.ts'
import { Decimal, formatFixed } from '../../../domain/money.ts'
import { compactQuantity, quantityColumn } from '../../text/amounts.ts'
import { left, right } from '../../text/cells.ts'
import { cursorMark, type Row, type Span, span } from '../../text/row.ts'
import type { Tone } from '../../theme/theme.ts'
import { type LadderColumns, ladderColumns } from './ladder-columns.ts'

export type LadderView = {
  rows: readonly LadderRow[]
  instrument: Instrument
  cursorPrice: Decimal | null
  /** Cells inside the pane's borders. */
  width: number
  /** The character depth bars are made of. */
  bar: string
}

/** The texts of all rows, made column by column so that each has one number of decimals. */
type Texts = { price: string; bid: string; ask: string; bidDepth: string; askDepth: string }

function textsOf({ rows, instrument }: LadderView, columns: LadderColumns): Texts[] {
  const decimals = instrument.quantityScale
  // Both sides in one go: a bid and an ask of the same size must read the same.
  const quantities = quantityColumn(
    rows.flatMap((row) => [row.bidQuantity, row.askQuantity]),
    decimals,
    columns.quantity,
  )
  const depths = quantityColumn(
    rows.flatMap((row) => [row.bidQuantity && row.bidDepth, row.askQuantity && row.askDepth]),
    decimals,
    columns.depth,
  )
  return rows.map((row, index) => ({
    price: formatPrice(row.price, instrument),
    bid: quantities[index * 2] ?? '',
    ask: quantities[index * 2 + 1] ?? '',
    bidDepth: depths[index * 2] ?? '',
    askDepth: depths[index * 2 + 1] ?? '',
  }))
}

const ownText = (letter: 'B' | 'S', quantity: Decimal | null, width: number): string =>
  quantity === null ? '' : letter + compactQuantity(quantity, width - 1)

/** Cells of a bar for a depth beside the deepest one on screen; what holds anything shows at least one. */
function barCells(depth: Decimal | null, deepest: Decimal, width: number): number {
  if (depth === null || deepest.lte(0)) return 0
  return Math.max(1, Math.min(width, depth.times(width).div(deepest).toDecimalPlaces(0).toNumber()))
}

function deepestOf(rows: readonly LadderRow[]): Decimal {
  const depths = rows.flatMap((row) => [row.bidDepth, row.askDepth]).filter((depth) => depth !== null)
  return depths.length === 0 ? new Decimal(0) : Decimal.max(...depths)
}

function headRow(columns: LadderColumns): Row {
  const gap = ' '.repeat(columns.bar)
  const bids = `${left('OWN', columns.own)}${gap} ${right('CUM', columns.depth)} ${right('BID', columns.quantity)}`
  const asks = `${right('ASK', columns.quantity)} ${right('CUM', columns.depth)} ${gap}${left('OWN', columns.own)}`
  return [span(` ${bids} ${right('PRICE', columns.price)} ${asks}`, 'label')]
}

const priceTone = (row: LadderRow, isCursor: boolean): Tone =>
  isCursor
    ? 'cursor'
    : row.isLast
      ? 'last'
      : row.bidQuantity !== null
        ? 'bid'
        : row.askQuantity !== null
          ? 'ask'
          : 'dim'

/** The ask's cell: where the last price's row holds no ask, the word says what the mark means. */
function askSpan(row: LadderRow, text: string): Span {
  if (row.askQuantity !== null || !row.isLast || text.length < 5) return span(text, 'ask')
  return span(left(' last', text.length), 'last')
}

/**
 * The ladder's lines: the names of the columns, then a line for each price. `>` marks the cursor, `*` the last trade's price,
 * `B` and `S` own orders, on the side of the price where they stand.
 */
export function ladderLines(view: LadderView): { head: Row; lines: Row[] } {
  const { rows, instrument, cursorPrice, width, bar } = view
  const priceWidth = Math.max(5, ...rows.map((row) => formatPrice(row.price, instrument).length))
  const decimals = instrument.quantityScale
  const largest = rows
    .flatMap((row) => [row.bidDepth, row.askDepth])
    .map((depth) => (depth === null ? 0 : formatFixed(depth, decimals).length))
  const columns = ladderColumns(width, priceWidth, Math.max(6, ...largest))
  const texts = textsOf(view, columns)
  const deepest = deepestOf(rows)
  const lines = rows.map((row, index): Row => {
    const text = texts[index]
    if (text === undefined) return []
    const isCursor = cursorPrice?.eq(row.price) ?? false
    const bidBar = barCells(row.bidQuantity && row.bidDepth, deepest, columns.bar)
    const askBar = barCells(row.askQuantity && row.askDepth, deepest, columns.bar)
    return [
      cursorMark(isCursor),
      span(left(ownText('B', row.ownBuyQuantity, columns.own), columns.own), 'own'),
      span(right(bar.repeat(bidBar), columns.bar), 'bidBar'),
      span(` ${text.bidDepth}`, 'dim'),
      span(` ${text.bid}`, 'bid'),
      span(' '),
      span(text.price.padStart(columns.price), priceTone(row, isCursor)),
      row.isLast ? span('*', 'last') : span(' '),
      askSpan(row, text.ask),
      span(` ${text.askDepth} `, 'dim'),
      span(left(bar.repeat(askBar), columns.bar), 'askBar'),
      span(left(ownText('S', row.ownSellQuantity, columns.own), columns.own), 'own'),
    ]
  })
  return { head: headRow(columns), lines }
}
