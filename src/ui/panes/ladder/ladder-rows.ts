import { formatPrice, type Instrument } from '../../../domain/market/instrument.ts'
import type { LadderRow, OwnInRow } from '../../../domain/market/ladder.ts'
import { Decimal, zero } from '../../../domain/money.ts'
import { compactQuantity, quantityColumn } from '../../text/amounts.ts'
import { left, right } from '../../text/cells.ts'
import { cursorMark, type KeepRow, makeEachRow, type Row, type Span, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'

/** Widths of the ladder's columns: the same on both sides of the price, save the own orders of the ask side. */
type LadderColumns = {
  own: number
  bar: number
  depth: number
  quantity: number
  price: number
  ownAsk: number
}

const barMost = 24
/** `B.05x2`: side, quantity, and how many orders. */
const ownUsual = 6
/** Cursor, the gaps own|bar depth quantity @price* quantity depth bar|own, and the marks of the price. */
const gaps = 7

/**
 * Shares a row's `width` cells out: cursor, own, bar, depth, quantity, price between its marks, and the same outward.
 * What is over goes to the depth bars; where nothing is over, one cell beside the depth shows it as a gauge.
 */
export function ladderColumns(width: number, priceWidth: number, quantityWanted: number): LadderColumns {
  const cells = Math.max(0, width - priceWidth - gaps)
  const own = cells >= 32 ? ownUsual : 4
  // Short of room the outermost cell of the row is of more use inside: it is another decimal of the depth.
  const isShort = own === ownUsual && cells - 2 * own < 2 * (2 * quantityWanted + 1)
  const ownAsk = isShort ? own - 1 : own
  const numbers = Math.floor(Math.max(0, cells - own - ownAsk) / 2)
  const quantity = Math.max(3, Math.min(quantityWanted, Math.floor(numbers / 2)))
  const depth = Math.max(3, Math.min(quantityWanted + 1, numbers - quantity))
  const spare = numbers - quantity - depth
  const bar = spare >= 4 ? Math.min(spare, barMost) : 0
  return { own, bar, depth, quantity, price: priceWidth, ownAsk }
}

/** Cells left of the price, without its mark. */
export const bidWidth = ({ own, bar, depth, quantity }: LadderColumns): number => own + bar + depth + quantity + 2

/** Cells right of the price, without its mark. */
export const askWidth = ({ ownAsk, bar, depth, quantity }: LadderColumns): number => ownAsk + bar + depth + quantity + 2

/** Lots in an order of a common size: exchanges make a lot worth a few dollars. */
const usualLots = new Decimal(10_000)

/** Digits before the point that a quantity of a symbol must have room for. */
const wholeDigits = ({ lotSize }: Instrument): number => lotSize.times(usualLots).truncated().toFixed().length

/** Cells in which a quantity of a symbol shows all its decimals. */
const wantedWidth = (instrument: Instrument): number => {
  const { quantityScale } = instrument
  return Math.max(6, wholeDigits(instrument) + (quantityScale === 0 ? 0 : quantityScale + 1))
}

/** As many of a symbol's decimals as there is room for beside `whole` digits, their point counted. */
const decimalsIn = (width: number, whole: number, { quantityScale }: Instrument): number =>
  Math.max(0, Math.min(quantityScale, width - 1 - whole))

/**
 * The decimals of quantities and depths: they hang on the columns and the symbol's lot alone, so that they stay while
 * data change.
 */
function ladderDecimals({ quantity, depth }: LadderColumns, instrument: Instrument) {
  const whole = wholeDigits(instrument)
  return {
    quantity: decimalsIn(quantity, whole, instrument),
    // What adds up has a digit more.
    depth: decimalsIn(depth, whole + 1, instrument),
  }
}

const priceTone = (row: LadderRow, isCursor: boolean, isLastOld: boolean): Tone =>
  isCursor
    ? 'cursor'
    : row.isLast && !isLastOld
      ? 'last'
      : row.bidQuantity !== null
        ? 'bid'
        : row.askQuantity !== null
          ? 'ask'
          : 'dim'

/**
 * What is told of a row's price behind it: `=` an auction would open there, `*` the last trade, `'` one that the market
 * has left behind.
 */
function markSpan(row: LadderRow, isLastOld: boolean): Span {
  if (row.isAuction) return span('=', 'warn')
  if (!row.isLast) return span(' ')
  return isLastOld ? span("'", 'dim') : span('*', 'last')
}

/**
 * How the price of a row is drawn: where the keys act, and whether the last trade was at prices the market has left.
 */
type PriceLook = { width: number; isCursor: boolean; isLastOld: boolean }

/** The prices of a scale, which stay while the market moves past them. */
const priceTexts = new WeakMap<Decimal, { scale: number; width: number; text: string }>()

function priceText(price: Decimal, instrument: Instrument, width: number): string {
  const { priceScale: scale } = instrument
  const known = priceTexts.get(price)
  if (known?.scale === scale && known.width === width) return known.text
  const text = formatPrice(price, instrument).padStart(width)
  priceTexts.set(price, { scale, width, text })
  return text
}

/** The price between its marks: `@` own average price, `*` or `'` last trade, `=` auction price. */
export function priceSpans(row: LadderRow, instrument: Instrument, { width, isCursor, isLastOld }: PriceLook): Span[] {
  return [
    row.isOwnAverage ? span('@', 'own') : span(' '),
    span(priceText(row.price, instrument, width), priceTone(row, isCursor, isLastOld)),
    markSpan(row, isLastOld),
  ]
}

/** The widest price of the rows. */
export const priceWidth = (rows: readonly { price: Decimal }[], instrument: Instrument): number =>
  Math.max(5, formatPrice(rows[0]?.price ?? instrument.tickSize, instrument).length)

/** Side letter and quantity, `B.05`; of several their sum and number, `B.15x3`; `B?` where a quantity is not known. */
function lettered(letter: string, own: OwnInRow, width: number): string {
  const times = own.count === 1 ? '' : `x${own.count}`
  const room = width - 1 - times.length
  return room < 2
    ? (letter + times).slice(0, width)
    : letter + (own.quantity === null ? '?' : compactQuantity(own.quantity, room)) + times
}

/**
 * Own orders of a row: what rests in the book with a capital, `B.05`; stops that wait for this price with a small
 * letter, `b.05`. Where both stand in one row a `!` tells of the stop, or without room for quantities `B+b` of both.
 */
export function ownText(letter: 'B' | 'S', own: OwnInRow | null, stop: OwnInRow | null, width: number): string {
  if (stop === null) return own === null ? '' : lettered(letter, own, width)
  if (own === null) return lettered(letter.toLowerCase(), stop, width)
  return width < 6 ? `${letter}+${letter.toLowerCase()}` : `${lettered(letter, own, width - 1)}!`
}

/** The character bars are made of, and the steps of a gauge of one cell, shallow to deep. */
export type BarGlyphs = { bar: string; gauge: string }

/** How deep the book is up to a row, beside the deepest row on screen, in one cell or several. */
type DepthBars = { bar: (depth: Decimal | null) => string; gauge: (depth: Decimal | null) => string }

/** The deepest row on screen on either side: both share one measure. Depth only grows outward. */
function deepestOf(rows: readonly LadderRow[]): Decimal {
  const bid = rows.findLast(({ bidDepth }) => bidDepth !== null)?.bidDepth ?? zero
  const ask = rows.find(({ askDepth }) => askDepth !== null)?.askDepth ?? zero
  return bid.gt(ask) ? bid : ask
}

/** Bars of at most `width` cells for the rows on screen; what holds anything shows at least one. */
function depthBars(rows: readonly LadderRow[], width: number, { bar, gauge }: BarGlyphs): DepthBars {
  // A length in cells is no amount: numbers do.
  const deepest = deepestOf(rows).toNumber()
  const steps = (depth: Decimal, most: number) =>
    deepest === 0 ? 1 : Math.max(1, Math.min(most, Math.round((depth.toNumber() / deepest) * most)))
  return {
    bar: (depth) => (depth === null || width === 0 ? '' : bar.repeat(steps(depth, width))),
    gauge: (depth) => (depth === null ? ' ' : (gauge[steps(depth, gauge.length) - 1] ?? ' ')),
  }
}

type LadderView = {
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
export function ladderLines(view: LadderView, keep: KeepRow = makeEachRow): LadderLines {
  const { rows, instrument, cursorPrice, width, glyphs, isLastOld = false } = view
  const columns = ladderColumns(width, priceWidth(rows, instrument), wantedWidth(instrument))
  const texts = textsOf(view, columns)
  const bars = depthBars(rows, columns.bar, glyphs)
  const widths = Object.values(columns).join()
  // With bars of their own the cell beside the depth is a gap like any other.
  const gauge = (depth: Decimal | null) => (columns.bar > 0 ? ' ' : bars.gauge(depth))
  const lines = rows.map((row, index): Row => {
    const text = texts[index]
    if (text === undefined) return []
    const isCursor = cursorPrice?.eq(row.price) ?? false
    const bidDepth = row.bidQuantity && row.bidDepth
    const askDepth = row.askQuantity && row.askDepth
    const ownBid = ownText('B', row.ownBuy, row.stopBuy, columns.own)
    const ownAsk = ownText('S', row.ownSell, row.stopSell, columns.ownAsk)
    const bidBar = bars.bar(bidDepth) + gauge(bidDepth)
    const askBar = gauge(askDepth) + bars.bar(askDepth)
    const price = priceText(row.price, instrument, columns.price)
    const marks = `${isCursor}${row.isLast && isLastOld}${row.isLast}${row.isOwnAverage}${row.isAuction}`
    const key = `${marks} ${price} ${ownBid}|${ownAsk}|${bidBar}|${askBar}|${Object.values(text).join('|')}`
    return keep(index, `${widths} ${key}`, () => [
      cursorMark(isCursor),
      cell(left(ownBid, columns.own), 'own'),
      cell(right(bidBar, columns.bar + 1), 'bidBar'),
      cell(text.bidDepth, 'dim'),
      cell(` ${text.bid}`, 'bid'),
      ...priceSpans(row, instrument, { width: columns.price, isCursor, isLastOld }),
      askSpan(row, text.ask, isLastOld),
      cell(` ${text.askDepth}`, 'dim'),
      cell(left(askBar, columns.bar + 1), 'askBar'),
      cell(left(ownAsk, columns.ownAsk), 'own'),
    ])
  })
  return { head: headRow(columns), lines }
}
