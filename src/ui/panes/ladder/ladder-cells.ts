import { formatPrice, type Instrument } from '../../../domain/market/instrument.ts'
import type { LadderRow, OwnInRow } from '../../../domain/market/ladder.ts'
import { Decimal } from '../../../domain/money.ts'
import { compactQuantity } from '../../text/amounts.ts'
import { type Span, span } from '../../text/row.ts'
import type { Tone } from '../../text/theme.ts'

/** Widths of the ladder's columns: the same on both sides of the price, save the own orders of the ask side. */
export type LadderColumns = {
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
export const wantedWidth = (instrument: Instrument): number => {
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
export function ladderDecimals({ quantity, depth }: LadderColumns, instrument: Instrument) {
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
export type PriceLook = { width: number; isCursor: boolean; isLastOld: boolean }

/** The price between its marks: `@` own average price, `*` or `'` last trade, `=` auction price. */
export function priceSpans(row: LadderRow, instrument: Instrument, { width, isCursor, isLastOld }: PriceLook): Span[] {
  return [
    row.isOwnAverage ? span('@', 'own') : span(' '),
    span(formatPrice(row.price, instrument).padStart(width), priceTone(row, isCursor, isLastOld)),
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
