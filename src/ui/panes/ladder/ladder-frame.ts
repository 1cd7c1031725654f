import { type Book, isCrossed, spread } from '../../../domain/market/book.ts'
import {
  averageScale,
  formatAverage,
  formatPrice,
  formatQuantity,
  type Instrument,
  isHalted,
} from '../../../domain/market/instrument.ts'
import type { LadderRow } from '../../../domain/market/ladder.ts'
import type { LadderQueues, OwnPosition, QueueEntry } from '../../../domain/market/ladder-queue.ts'
import { type Decimal, formatGrouped } from '../../../domain/money.ts'
import type { Feed } from '../../../store/feeds/feed.ts'
import type { LadderState } from '../../../store/ladder/ladder.ts'
import { nameText } from '../../text/cells.ts'
import { type Row, rowWidth, span } from '../../text/row.ts'
import { auctionForms, auctionTime } from '../../text/trade-words.ts'
import { placeText } from './queue-rows.ts'

export type LadderTitleInput = {
  name: string
  symbol: string
  instrument: Instrument | undefined
  book: Feed<Book>
  groupTicks: number
  view: LadderState['view']
  /** What must be said about the age of the data; it takes the place of group and spread. */
  stale: Row
}

/** The longest of the forms that fits. */
const longest = (forms: readonly Row[], width: number): Row =>
  forms.find((form) => rowWidth(form) <= width) ?? forms.at(-1) ?? []

/** A halted symbol: what that means, and when it opens; the auction itself stands at the foot. */
function haltedTitle(name: string, symbol: string, instrument: Instrument, width: number): Row {
  const word = instrument.status === 'halt' ? 'HALT' : 'HALT-FREEZE'
  const time = auctionTime(instrument.auction.time)
  const when = time === '' ? '' : ` at ${time}Z`
  const title = (text: string) => span(text, 'title')
  return longest(
    [
      [title(`${name} ${symbol}  `), span(`${word}: opens by auction${when}`, 'warn')],
      [title(`${name} ${symbol} `), span(`${word}: auction${when}`, 'warn')],
      [title(`${symbol} `), span(`${word}${when}`, 'warn')],
    ],
    width,
  )
}

/** The pane's title, in the longest form that `width` cells hold. */
export function ladderTitle(input: LadderTitleInput, width: number): Row {
  const { name, instrument, book, groupTicks, view, stale } = input
  const symbol = nameText(input.symbol)
  if (instrument === undefined) return [span(`${name} ${symbol}`, 'title')]
  if (stale.length > 0) {
    const word = instrument.status === 'open' ? '' : ` ${instrument.status.toUpperCase()}`
    return [span(`${name} ${symbol}`, 'title'), span(word, 'warn'), ...stale]
  }
  if (isHalted(instrument)) return haltedTitle(name, symbol, instrument, width)
  const status = instrument.status === 'open' ? '' : ` ${instrument.status.toUpperCase()}`
  const level = view === 'queues' ? '  LEVEL 3' : ''
  const group = `  grp ${formatPrice(instrument.tickSize.times(groupTicks), instrument)}`
  const gap = book.value === null ? null : spread(book.value)
  // A crossed book trades nothing: what it has is no spread.
  const isAuction = book.value !== null && isCrossed(book.value)
  const spreadText = gap === null ? '' : isAuction ? '  crossed: auction' : `  sp ${formatPrice(gap, instrument)}`
  const start: Row = [span(`${name} ${symbol}`, 'title'), span(status, 'warn'), span(level, 'title')]
  return longest([[...start, span(group + spreadText, 'label')], [...start, span(group, 'label')], start], width)
}

export type LadderFootInput = {
  instrument: Instrument
  position: OwnPosition
  rows: readonly LadderRow[]
  /** Null while level 3 is not shown. */
  queues: LadderQueues | null
  cursorPrice: Decimal | null
}

const fitting = (forms: readonly string[], width: number): string =>
  forms.find((form) => form.length <= width) ?? forms.at(-1) ?? ''

/** Own places in the row of the cursor, in words. */
function placesText({ rows, queues, cursorPrice, instrument }: LadderFootInput, width: number): string {
  if (queues === null || cursorPrice === null) return ''
  const at = rows.findIndex(({ price }) => price.eq(cursorPrice))
  const said = (queue: readonly QueueEntry[] | undefined, side: string): string[] =>
    (queue ?? []).flatMap(({ orderId, quantity, isOwn }) => {
      const place = isOwn && orderId !== null ? queues.places.get(orderId) : undefined
      return place === undefined ? [] : [`${side} ${formatQuantity(quantity, instrument)}: ${placeText(place)}`]
    })
  const own = [...said(queues.bids[at], 'BUY'), ...said(queues.asks[at], 'SELL')]
  const [first = ''] = own
  return own.length === 0 ? '' : fitting([own.join('; '), `${first} (+${own.length - 1} more)`, first], width)
}

/** Own net quantity and average price, as the known fills make them. */
function positionText({ position, instrument }: LadderFootInput, width: number): string {
  const { netQuantity, averagePrice } = position
  if (averagePrice === null) return ''
  const sign = netQuantity.gt(0) ? '+' : '-'
  const net = `${sign}${formatQuantity(netQuantity.abs(), instrument)}`
  const average = formatGrouped(averagePrice, averageScale(instrument))
  return fitting(
    [
      `own fills: net ${net}, @ average ${average}`,
      `net ${net} @ ${average}`,
      `@ ${formatAverage(averagePrice, instrument)}`,
    ],
    width,
  )
}

/** What stands in the lower border: the auction of a halted symbol, own places in the queue, or the own position. */
export function ladderFoot(input: LadderFootInput, width: number): Row {
  if (isHalted(input.instrument)) return [span(fitting(auctionForms(input.instrument), width), 'warn')]
  const places = placesText(input, width)
  const text = places === '' ? positionText(input, width) : places
  return text === '' ? [] : [span(text, 'own')]
}
