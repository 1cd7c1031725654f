import { formatPrice, type Instrument } from '../../../domain/market/instrument.ts'
import type { LadderRow, OwnInRow } from '../../../domain/market/ladder.ts'
import type { Decimal } from '../../../domain/money.ts'
import { compactQuantity } from '../../text/amounts.ts'
import { type Span, span } from '../../text/row.ts'
import type { Tone } from '../../theme/theme.ts'

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
