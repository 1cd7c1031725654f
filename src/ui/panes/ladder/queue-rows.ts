import type { LadderRow, UnknownInRow } from '../../../domain/ladder/ladder.ts'
import type { LadderQueues, QueueEntry, QueuePlace } from '../../../domain/ladder/queue.ts'
import type { Instrument } from '../../../domain/market/instrument.ts'
import type { Decimal } from '../../../domain/money.ts'
import { compactQuantity, withoutLeadingZero } from '../../text/amounts.ts'
import { left, right } from '../../text/cells.ts'
import { cursorMark, type Row, rowWidth, type Span, span } from '../../text/row.ts'
import {
  askWidth,
  bidWidth,
  type LadderLines,
  type LastAge,
  ladderColumns,
  ownSideText,
  type PriceOrigin,
  priceName,
  priceSpans,
  priceWidth,
} from './ladder-rows.ts'

type QueueView = {
  rows: readonly LadderRow[]
  queues: LadderQueues
  instrument: Instrument
  cursorPrice: Decimal | null
  /** Cells within the pane's borders. */
  width: number
  /** How far the market is from the last trade; at it unless given. */
  lastAge?: LastAge
  /** Prices are absolute unless given. */
  origin?: PriceOrigin | null
  /** Hides the user's own quantities; false unless given. */
  isPrivate?: boolean
}

const quantityMax = 6

const endings: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
  other: 'th',
  many: 'th',
  zero: 'th',
}
const rules = new Intl.PluralRules('en', { type: 'ordinal' })
const ordinal = (place: number): string => `${place}${endings[rules.select(place)]}`

/** The user's place in words: `2nd of 5, 1.20 ahead`; `none ahead` at the front of the queue. */
export function placeText({ place, count, ahead }: QueuePlace): string {
  const before = ahead.isZero() ? 'none ahead' : `${withoutLeadingZero(ahead.toFixed())} ahead`
  return `${ordinal(place)} of ${count}, ${before}`
}

/** The longest form of the row's first own place that still leaves room for the queue. */
function placeLabel(queue: readonly QueueEntry[], places: LadderQueues['places'], width: number): string {
  const own = queue.filter(({ isOwn }) => isOwn)
  const place = places.get(own[0]?.orderId ?? '')
  if (place === undefined) return ''
  const more = own.length > 1 ? ` +${own.length - 1}` : ''
  const forms = [placeText(place), `${ordinal(place.place)} of ${place.count}`, `${place.place}/${place.count}`]
  const room = width < 36 ? width / 3 : width / 2
  const form = forms.find((each) => each.length + more.length <= room)
  return form === undefined ? '' : form + more
}

/** The queue from the front, as many orders as fit; `+3` counts those behind them. */
function entrySpans(queue: readonly QueueEntry[], letter: 'B' | 'S', width: number, isPrivate: boolean): Span[] {
  const spans: Span[] = []
  let room = width
  for (const [index, { quantity, isOwn }] of queue.entries()) {
    const size = isOwn && isPrivate ? '' : compactQuantity(quantity, quantityMax)
    const text = ` ${isOwn ? letter : ''}${size}`
    const behind = queue.length - index - 1
    const reserve = behind === 0 ? 0 : ` +${behind}`.length
    if (text.length + reserve > room) {
      const rest = ` +${queue.length - index}`
      return rest.length <= room ? [...spans, span(rest, 'label')] : spans
    }
    spans.push(span(text, isOwn ? 'own' : letter === 'B' ? 'bid' : 'ask'))
    room -= text.length
  }
  return spans
}

type QueueSide = { letter: 'B' | 'S'; queue: readonly QueueEntry[] | undefined; unknown: UnknownInRow | null }

/** Cells for an order with an unknown outcome: its place in the queue is unknown too. */
const unknownCells = 6

/** One side of a row: the front of the queue next to the price, the user's place at the outer edge. */
function sideSpans({ letter, queue = [], unknown }: QueueSide, view: QueueView, width: number): Span[] {
  const { isPrivate = false, queues } = view
  const asked = ownSideText(letter, { own: null, stop: null, unknown }, unknownCells, isPrivate)
  const label = [placeLabel(queue, queues.places, width), asked].filter((text) => text !== '').join(' ')
  const entries = entrySpans(queue, letter, width - label.length - (label === '' ? 0 : 1), isPrivate)
  const gap = span(' '.repeat(Math.max(0, width - label.length - rowWidth(entries))))
  const place = span(label, 'own')
  if (letter === 'S') return [...entries, gap, place]
  // Mirrored: the leading blank of each word becomes a trailing one.
  const mirrored = entries.toReversed().map(({ text, tone }) => span(`${text.slice(1)} `, tone))
  return [place, gap, ...mirrored]
}

/** Level 3 by rows: each order in the queue at its price, and the user's place. Marks as in level 2. */
export function queueLines(view: QueueView): LadderLines {
  const { rows, queues, instrument, cursorPrice, width, lastAge = 'last', origin = null } = view
  const columns = ladderColumns(width, priceWidth(rows, instrument, origin), quantityMax)
  const bidSide = bidWidth(columns)
  const askSide = askWidth(columns)
  const bids = `${left('YOURS', 6)}${right('BID QUEUE', bidSide - 6)}`
  const asks = `${left('ASK QUEUE', askSide - 6)}${right('YOURS', 6)}`
  const lines = rows.map((row, index): Row => {
    const isCursor = cursorPrice?.eq(row.price) ?? false
    return [
      cursorMark(isCursor),
      ...sideSpans({ letter: 'B', queue: queues.bids[index], unknown: row.unknownBuy }, view, bidSide),
      ...priceSpans(row, instrument, { width: columns.price, isCursor, lastAge, origin: origin?.price ?? null }),
      ...sideSpans({ letter: 'S', queue: queues.asks[index], unknown: row.unknownSell }, view, askSide),
    ]
  })
  return { head: [span(` ${bids} ${right(priceName(origin, columns.price), columns.price)} ${asks}`, 'label')], lines }
}
