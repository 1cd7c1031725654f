import type { LadderRow, OwnInRow, UnknownInRow } from '../../../domain/ladder/ladder.ts'
import { formatPrice, type Instrument } from '../../../domain/market/instrument.ts'
import { compareAmounts, Decimal, roughly, zero } from '../../../domain/money.ts'
import { compactQuantity, quantityCells } from '../../text/amounts.ts'
import { amount, left, right } from '../../text/cells.ts'
import { cursorMark, type KeepRow, makeEachRow, type Row, type Span, span } from '../../text/row.ts'
import { type BarTone, type Tone, toneInBar } from '../../text/theme.ts'

/** Column widths of the ladder: the same on both sides of the price, except the own-orders column of the ask side. */
type LadderColumns = {
  own: number
  bar: number
  depth: number
  quantity: number
  price: number
  ownAsk: number
}

const barMax = 24
/** `B.05x2`: side, quantity, and order count. */
const ownUsual = 6
/** The place in the queue beside it: ` 12/40`. */
const placeCells = 6
/** Minimum cells for a quantity with a running total beside it. */
const numbersMin = 8
/** Cursor, the gaps own|bar depth quantity @price* quantity depth bar|own, and the marks of the price. */
const gaps = 7

/**
 * Divides a row's `width` cells: cursor, own orders, bar, depth, quantity, price between its marks, and the same
 * mirrored. Spare cells go to places in the queue if known, then to the depth bars. If none are spare and bars are
 * characters, one cell beside the depth shows it as a gauge.
 */
export function ladderColumns(
  width: number,
  priceWidth: number,
  quantityWanted: number,
  hasPlaces = false,
): LadderColumns {
  const cells = Math.max(0, width - priceWidth - gaps)
  const own = cells >= 32 ? ownUsual : 4
  // Short of room, the outermost cell of the row serves better as another decimal of the depth.
  const isShort = own === ownUsual && cells - 2 * own < 2 * (2 * quantityWanted + 1)
  const ownAsk = isShort ? own - 1 : own
  const numbers = Math.floor(Math.max(0, cells - own - ownAsk) / 2)
  // On a narrow screen, only the bar shows the running total: two numbers of three cells each would be unreadable.
  const hasDepth = numbers >= numbersMin
  const quantity = Math.max(3, Math.min(quantityWanted, hasDepth ? Math.floor(numbers / 2) : numbers))
  const depth = hasDepth ? Math.max(3, Math.min(quantityWanted + 1, numbers - quantity)) : 0
  const spare = numbers - quantity - depth
  const place = hasPlaces && spare >= placeCells ? placeCells : 0
  const bar = spare - place >= 4 ? Math.min(spare - place, barMax) : 0
  return { own: own + place, bar, depth, quantity, price: priceWidth, ownAsk: ownAsk + place }
}

/** Cells left of the price, without its mark. */
export const bidWidth = ({ own, bar, depth, quantity }: LadderColumns): number => own + bar + depth + quantity + 2

/** Cells right of the price, without its mark. */
export const askWidth = ({ ownAsk, bar, depth, quantity }: LadderColumns): number => ownAsk + bar + depth + quantity + 2

/** Lots in a typical order: exchanges size a lot at a few dollars or less. */
const usualLots = new Decimal(10_000)

/** Integer digits that a symbol's quantity column must hold. */
const wholeDigits = ({ lotSize }: Instrument): number => lotSize.times(usualLots).truncated().toFixed().length

/** Cells in which a symbol's quantity shows all its decimals. */
const wantedWidth = (instrument: Instrument): number => {
  const { quantityScale } = instrument
  return Math.max(6, wholeDigits(instrument) + (quantityScale === 0 ? 0 : quantityScale + 1))
}

/** The symbol's decimals that fit beside `whole` integer digits and the point. */
const decimalsIn = (width: number, whole: number, { quantityScale }: Instrument): number =>
  Math.max(0, Math.min(quantityScale, width - 1 - whole))

/**
 * Decimals of quantities and depths. They depend only on the columns and the symbol's lot, so they stay put as data
 * changes.
 */
function ladderDecimals({ quantity, depth }: LadderColumns, instrument: Instrument) {
  const whole = wholeDigits(instrument)
  return {
    quantity: decimalsIn(quantity, whole, instrument),
    // Running totals need one more integer digit.
    depth: decimalsIn(depth, whole + 1, instrument),
  }
}

/** How far the market has moved from the last trade: not at all, past it by a tick, or farther. */
export type LastAge = 'last' | 'older' | 'leftBehind'

const priceTone = (row: LadderRow, isCursor: boolean, lastAge: LastAge): Tone =>
  isCursor
    ? 'cursor'
    : row.isLast && lastAge === 'last'
      ? 'last'
      : row.bidQuantity !== null
        ? 'bid'
        : row.askQuantity !== null
          ? 'ask'
          : 'dim'

const lastMarks: Readonly<Record<LastAge, Span>> = {
  last: span('*', 'last'),
  older: span('+', 'text'),
  leftBehind: span("'", 'dim'),
}

/**
 * The mark behind a row's price: `=` an auction would open there, `*` the last trade, `+` the last trade that the book
 * has just moved past, `'` one that it has left behind.
 */
function markSpan(row: LadderRow, lastAge: LastAge): Span {
  if (row.isAuction) return span('=', 'warn')
  return row.isLast ? lastMarks[lastAge] : span(' ')
}

/**
 * How a row's price is drawn: whether the cursor is on it, how far the market is from the last trade, and the origin if
 * prices are shown in ticks.
 */
type PriceLook = { width: number; isCursor: boolean; lastAge: LastAge; origin?: Decimal | null }

/** A price in ticks from an origin: `+3`, or `-1.5` from a mid between two ticks. */
function ticksText(price: Decimal, origin: Decimal, { tickSize }: Instrument): string {
  const ticks = price.minus(origin).div(tickSize)
  const text = ticks.abs().toDecimalPlaces(1).toFixed()
  return text === '0' ? '0' : `${ticks.lt(0) ? '-' : '+'}${text}`
}

/** The row's price, or its ticks from the origin; the cursor's row always shows the price, since the keys act on it. */
function shownPrice(
  { price }: LadderRow,
  instrument: Instrument,
  { width, isCursor, origin = null }: PriceLook,
): string {
  if (origin === null || isCursor) return formatPrice(price, instrument).padStart(width)
  return amount(ticksText(price, origin, instrument), width)
}

/** The price between its marks: `@` the user's average price; for the marks of trades see `markSpan`. */
export function priceSpans(row: LadderRow, instrument: Instrument, look: PriceLook): Span[] {
  return [
    row.isOwnAverage ? span('@', 'own') : span(' '),
    span(shownPrice(row, instrument, look), priceTone(row, look.isCursor, look.lastAge)),
    markSpan(row, look.lastAge),
  ]
}

/** The widest price of the rows, also in ticks: a sign, their digits, and half a tick. */
export function priceWidth(
  rows: readonly { price: Decimal }[],
  instrument: Instrument,
  origin: PriceOrigin | null,
): number {
  const [top = { price: instrument.tickSize }] = rows
  const ticksWidth = ({ price }: { price: Decimal }) =>
    origin === null ? 0 : `+${price.minus(origin.price).div(instrument.tickSize).abs().truncated().toFixed()}.5`.length
  return Math.max(5, formatPrice(top.price, instrument).length, ticksWidth(top), ticksWidth(rows.at(-1) ?? top))
}

/**
 * Side letter and quantity, `B.05`; for several orders their sum and count, `B.15x3`; `B?` if a quantity is unknown; no
 * quantity in privacy mode. A `~` after the letter: the order's price is off the tick, so not exactly the row's price.
 */
function lettered(side: string, own: OwnInRow, width: number, isPrivate: boolean): string {
  const times = own.count === 1 ? '' : `x${own.count}`
  const letter = own.isOffTick === true ? `${side}~` : side
  const room = width - letter.length - times.length
  // A count that is cut would be another one.
  if (isPrivate || room < 2)
    return letter.length + times.length <= width ? letter + times : `${letter}x`.padEnd(width, '#')
  return letter + (own.quantity === null ? '?' : compactQuantity(own.quantity, room)) + times
}

/**
 * The user's orders in a row: resting ones with a capital letter, `B.05`; stops pending at this price with a small one,
 * `b.05`. If a row has both, a `!` marks the stop; without room for quantities, `B+b` shows both.
 */
export function ownText(
  letter: 'B' | 'S',
  own: OwnInRow | null,
  stop: OwnInRow | null,
  width: number,
  isPrivate: boolean,
): string {
  if (stop === null) return own === null ? '' : lettered(letter, own, width, isPrivate)
  if (own === null) return lettered(letter.toLowerCase(), stop, width, isPrivate)
  return width < 6 ? `${letter}+${letter.toLowerCase()}` : `${lettered(letter, own, width - 1, isPrivate)}!`
}

/** The user's orders on one side of a row. */
export type OwnParts = { own: OwnInRow | null; stop: OwnInRow | null; unknown: UnknownInRow | null }

/**
 * The same plus orders with an unknown outcome: `B.05?`, `B?` without room for the quantity, `B+?` beside listed
 * orders.
 */
export function ownSideText(
  letter: 'B' | 'S',
  { own, stop, unknown }: OwnParts,
  width: number,
  isPrivate: boolean,
): string {
  if (unknown === null) return ownText(letter, own, stop, width, isPrivate)
  if (own !== null || stop !== null) return `${width < 6 ? letter : ownText(letter, own, stop, width - 2, isPrivate)}+?`
  const side = unknown.isStop ? letter.toLowerCase() : letter
  if (width < 5 || unknown.quantity === null) return `${side}?`
  return `${lettered(side, unknown, width - 1, isPrivate)}?`
}

/**
 * The bars' character, and the steps of a one-cell gauge, shallow to deep. `hasGround`: bars are background color
 * behind the numbers instead.
 */
export type BarGlyphs = { bar: string; gauge: string; hasGround?: boolean }

/** The deepest visible row of either side: both sides share one scale. Depth only grows outward. */
function deepestOf(rows: readonly LadderRow[]): number {
  const bid = rows.findLast(({ bidDepth }) => bidDepth !== null)?.bidDepth ?? zero
  const ask = rows.find(({ askDepth }) => askDepth !== null)?.askDepth ?? zero
  return Math.max(roughly(bid), roughly(ask))
}

/** Values that a full bar can stand for, times a power of ten. */
const measures = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10] as const

/** The next round value at or above the deepest: stable while depth varies, so unchanged bars are not redrawn. */
function roundMeasure(deepest: number): number {
  if (deepest <= 0) return 0
  const ten = 10 ** Math.floor(Math.log10(deepest))
  return ten * (measures.find((each) => each * ten >= deepest) ?? 10)
}

/** Cells out of `most` for a depth: at least one if there is any quantity. */
const steps = (depth: Decimal, full: number, most: number): number =>
  full === 0 ? 1 : Math.max(1, Math.min(most, Math.round((roughly(depth) / full) * most)))

/** A row's depth as characters beside its number: a bar, or a one-cell gauge if there is no room for bars. */
function depthSigns(rows: readonly LadderRow[], { bar: width }: LadderColumns, { bar, gauge }: BarGlyphs) {
  const deepest = deepestOf(rows)
  return (depth: Decimal | null, side: 'bid' | 'ask'): string => {
    if (depth === null) return ''
    if (width === 0) return gauge[steps(depth, deepest, gauge.length) - 1] ?? ' '
    const signs = bar.repeat(steps(depth, deepest, width))
    // With a bar column, the cell beside the depth is a plain gap.
    return side === 'bid' ? `${signs} ` : ` ${signs}`
  }
}

/** How many cells of background, from the price outward, a row's depth takes. */
function depthGrounds(rows: readonly LadderRow[], { bar, depth: cells, quantity }: LadderColumns) {
  const full = roundMeasure(deepestOf(rows))
  const most = bar + cells + quantity + 2
  return (depth: Decimal | null): number => (depth === null ? 0 : steps(depth, full, most))
}

type Look = (text: string, tone: Tone) => Span

const inBar =
  (bar: BarTone): Look =>
  (text, tone) =>
    span(text, text.trim() === '' ? bar : toneInBar(tone, bar))

/** Adds a side's parts: the first `cells` cells in one look, the rest in the other. */
function putSide(out: Span[], parts: readonly Span[], cells: number, first: Look, rest: Look): void {
  let left = cells
  for (const { text, tone } of parts) {
    const at = Math.max(0, Math.min(left, text.length))
    if (at > 0) out.push(first(text.slice(0, at), tone))
    if (at < text.length) out.push(rest(text.slice(at), tone))
    left -= at
  }
}

/** How the latest book changed a row's quantities; undefined if a quantity did not change. */
export type RowChange = { bid?: 'grew' | 'shrank' | undefined; ask?: 'grew' | 'shrank' | undefined }

/** The origin that prices count from, and the column's name for it. */
export type PriceOrigin = { price: Decimal; name: 'MID' | 'CURSOR' }

type LadderView = {
  rows: readonly LadderRow[]
  instrument: Instrument
  cursorPrice: Decimal | null
  /** Cells within the pane's borders. */
  width: number
  glyphs: BarGlyphs
  /** How far the market is from the last trade; at it unless given. */
  lastAge?: LastAge
  /** By row; no changes unless given. */
  changes?: readonly RowChange[] | null
  /** The user's places in the queue by row, `2/5`; unknown unless given. */
  places?: readonly { bid: string; ask: string }[] | null
  /** Prices are absolute unless given. */
  origin?: PriceOrigin | null
  /** Hides the user's own quantities; false unless given. */
  isPrivate?: boolean
}

/** The ladder's lines: column heads, then one line per price. */
export type LadderLines = { head: Row; lines: Row[] }

/** A row's quantities as text; each column has a fixed number of decimals, equal on both sides. */
type Texts = { bid: string; ask: string; bidDepth: string; askDepth: string }

function textsOf({ instrument }: LadderView, columns: LadderColumns): (row: LadderRow) => Texts {
  const decimals = ladderDecimals(columns, instrument)
  const quantity = quantityCells(decimals.quantity, columns.quantity)
  const depth = columns.depth === 0 ? () => '' : quantityCells(decimals.depth, columns.depth)
  return ({ bidQuantity, askQuantity, bidDepth, askDepth }) => ({
    bid: quantity(bidQuantity),
    ask: quantity(askQuantity),
    bidDepth: depth(bidQuantity && bidDepth),
    askDepth: depth(askQuantity && askDepth),
  })
}

/** The name of the price column: `FROM MID` if prices are in ticks. */
export function priceName(origin: PriceOrigin | null, width: number): string {
  if (origin === null) return 'PRICE'
  const forms = [`FROM ${origin.name}`, `+-${origin.name}`, origin.name, origin.name.slice(0, 3)]
  return forms.find((form) => form.length <= width) ?? 'TICKS'
}

function headRow(columns: LadderColumns, origin: PriceOrigin | null): Row {
  const gap = ' '.repeat(columns.bar)
  const bids = `${left('OWN', columns.own)}${gap} ${right('CUM', columns.depth)} ${right('BID', columns.quantity)}`
  const asks = `${right('ASK', columns.quantity)} ${right('CUM', columns.depth)} ${gap}${left('OWN', columns.ownAsk)}`
  return [span(` ${bids} ${right(priceName(origin, columns.price), columns.price)} ${asks}`, 'label')]
}

const lastWords: Readonly<Record<LastAge, { word: string; tone: Tone }>> = {
  last: { word: ' last', tone: 'last' },
  older: { word: ' last', tone: 'dim' },
  leftBehind: { word: ' old', tone: 'dim' },
}

/** The ask's cell: if a marked row has no ask, a word explains the mark. */
function askSpan(row: LadderRow, text: string, lastAge: LastAge, change: Tone): Span {
  if (row.askQuantity !== null || text.length < 5) return cell(text, change)
  if (row.isAuction) return span(left(text.length < 8 ? ' auct' : ' auction', text.length), 'warn')
  if (!row.isLast) return span(text)
  const { word, tone } = lastWords[lastAge]
  return span(left(word, text.length), tone)
}

/** A cell in its tone; a blank one has none, which saves the terminal a style change. */
const cell = (text: string, tone: Tone): Span => (text.trim() === '' ? span(text) : span(text, tone))

/** The user's orders of a row, with the first one's place in the queue if known: `B.05 2/5`. */
function ownCell(own: string, place: string, width: number): string {
  const text = place === '' || own === '' ? own : `${own} ${place}`
  return left(text.length <= width ? text : own, width)
}

/** Everything on either side of the price up to the own orders, bar included. */
type SideParts = { row: LadderRow; text: Texts; change: RowChange; lastAge: LastAge }

/**
 * Depth as characters in columns of their own, or as background behind the numbers. Returns what a row's drawing needs
 * from other rows, and the functions that add either side's spans.
 */
function sidesOf(view: LadderView, columns: LadderColumns) {
  const { rows, glyphs } = view
  const ask = ({ row, text, change, lastAge }: SideParts): Span => askSpan(row, text.ask, lastAge, change.ask ?? 'ask')
  const askDepth = ({ text }: SideParts): Span => cell(` ${text.askDepth}`, 'dim')
  const bid = ({ text, change }: SideParts): Span => cell(` ${text.bid}`, change.bid ?? 'bid')
  const bidDepth = ({ text }: SideParts): Span => cell(text.bidDepth, 'dim')
  if (glyphs.hasGround === true) {
    const cellsOf = depthGrounds(rows, columns)
    const blank = span(' '.repeat(columns.bar + 1))
    const [inBidBar, inAskBar] = [inBar('bidBar'), inBar('askBar')]
    // The gap before a bid's quantity.
    const width = columns.bar + 1 + columns.depth + 1 + columns.quantity
    return {
      bidKey: (row: LadderRow) => cellsOf(row.bidDepth),
      askKey: (row: LadderRow) => cellsOf(row.askDepth),
      // Both bars start at the price.
      putBid: (out: Span[], parts: SideParts) =>
        putSide(out, [blank, bidDepth(parts), bid(parts)], width - cellsOf(parts.row.bidDepth), cell, inBidBar),
      putAsk: (out: Span[], parts: SideParts) =>
        putSide(out, [ask(parts), askDepth(parts), blank], cellsOf(parts.row.askDepth), inAskBar, cell),
    }
  }
  const signs = depthSigns(rows, columns, glyphs)
  const bidSigns = (row: LadderRow) => signs(row.bidQuantity && row.bidDepth, 'bid')
  const askSigns = (row: LadderRow) => signs(row.askQuantity && row.askDepth, 'ask')
  return {
    bidKey: bidSigns,
    askKey: askSigns,
    putBid: (out: Span[], parts: SideParts) =>
      void out.push(cell(right(bidSigns(parts.row), columns.bar + 1), 'bidBar'), bidDepth(parts), bid(parts)),
    putAsk: (out: Span[], parts: SideParts) =>
      void out.push(ask(parts), askDepth(parts), cell(left(askSigns(parts.row), columns.bar + 1), 'askBar')),
  }
}

const noChange: RowChange = {}

/**
 * Level 2 by rows. `>` marks the cursor, `B` and `S` the user's resting orders, `b` and `s` pending stops, each with a
 * `?` if its outcome is unknown, on their side of the price; for the marks of a price see `priceSpans`.
 */
export function ladderLines(view: LadderView, keep: KeepRow = makeEachRow): LadderLines {
  const { rows, instrument, cursorPrice, width, lastAge = 'last', changes = null, places = null, origin = null } = view
  const { isPrivate = false } = view
  const columns = ladderColumns(width, priceWidth(rows, instrument, origin), wantedWidth(instrument), places !== null)
  const textOf = textsOf(view, columns)
  const sides = sidesOf(view, columns)
  const widths = Object.values(columns).join()
  // Own orders get the cells they would have without a place beside them.
  const ownRoom = (cells: number) => (cells > ownUsual ? cells - placeCells : cells)
  const lines = rows.map((row, index): Row => {
    const isCursor = cursorPrice !== null && compareAmounts(cursorPrice, row.price) === 0
    const place = places?.[index]
    const look: PriceLook = { width: columns.price, isCursor, lastAge, origin: origin?.price ?? null }
    const change = changes?.[index] ?? noChange
    const { price, bidQuantity, askQuantity, bidDepth, askDepth, ownBuy, ownSell, stopBuy, stopSell } = row
    const { unknownBuy, unknownSell, isLast, isOwnAverage, isAuction } = row
    const key: unknown[] = [widths, instrument, isPrivate, isCursor, isLast && lastAge, isOwnAverage, isAuction]
    key.push(price, look.origin, bidQuantity, askQuantity, bidDepth, askDepth, ownBuy, ownSell, stopBuy, stopSell)
    key.push(
      unknownBuy,
      unknownSell,
      change.bid,
      change.ask,
      place?.bid,
      place?.ask,
      sides.bidKey(row),
      sides.askKey(row),
    )
    return keep(index, key, () => {
      const buys: OwnParts = { own: ownBuy, stop: stopBuy, unknown: unknownBuy }
      const sells: OwnParts = { own: ownSell, stop: stopSell, unknown: unknownSell }
      const ownBid = ownSideText('B', buys, ownRoom(columns.own), isPrivate)
      const ownAsk = ownSideText('S', sells, ownRoom(columns.ownAsk), isPrivate)
      const parts: SideParts = { row, text: textOf(row), change, lastAge }
      const spans = [cursorMark(isCursor), cell(ownCell(ownBid, place?.bid ?? '', columns.own), 'own')]
      sides.putBid(spans, parts)
      spans.push(...priceSpans(row, instrument, look))
      sides.putAsk(spans, parts)
      spans.push(cell(ownCell(ownAsk, place?.ask ?? '', columns.ownAsk), 'own'))
      return spans
    })
  })
  return { head: headRow(columns, origin), lines }
}
