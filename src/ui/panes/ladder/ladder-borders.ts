import { type LadderRow, rowPrice } from '../../../domain/ladder/ladder.ts'
import type { LadderQueues, QueueEntry } from '../../../domain/ladder/queue.ts'
import { type Book, isCrossed, spread } from '../../../domain/market/book.ts'
import {
  averageScale,
  formatAverage,
  formatPrice,
  formatQuantity,
  type Instrument,
  isHalted,
} from '../../../domain/market/instrument.ts'
import { compareAmounts, type Decimal, formatGrouped } from '../../../domain/money.ts'
import type { OwnPosition } from '../../../domain/orders/fills.ts'
import type { Feed } from '../../../store/feeds/feed.ts'
import type { LadderState } from '../../../store/ladder/ladder.ts'
import { nameText } from '../../text/cells.ts'
import { type Row, rowWidth, span } from '../../text/row.ts'
import { auctionForms, auctionTime } from '../../text/trade-words.ts'
import { placeText } from './queue-rows.ts'

type LadderTitleInput = {
  name: string
  symbol: string
  instrument: Instrument | undefined
  book: Feed<Book>
  groupTicks: number
  view: LadderState['view']
  /** A warning about the data's age; it replaces group and spread. */
  stale: Row
}

/** The longest form that fits. */
const longest = (forms: readonly Row[], width: number): Row =>
  forms.find((form) => rowWidth(form) <= width) ?? forms.at(-1) ?? []

/** The title of a halted symbol: what a halt means, and when it opens. The auction's figures are in the foot. */
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

/** The pane's title in the longest form that fits `width` cells. */
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
  // A crossed book does not trade, so its gap is not a spread.
  const isAuction = book.value !== null && isCrossed(book.value)
  const spreadText = gap === null ? '' : isAuction ? '  crossed: auction' : `  sp ${formatPrice(gap, instrument)}`
  const start: Row = [span(`${name} ${symbol}`, 'title'), span(status, 'warn'), span(level, 'title')]
  return longest([[...start, span(group + spreadText, 'label')], [...start, span(group, 'label')], start], width)
}

type LadderFootInput = {
  instrument: Instrument
  position: OwnPosition
  rows: readonly LadderRow[]
  /** Null unless level 3 is shown. */
  queues: LadderQueues | null
  cursorPrice: Decimal | null
  /** The keys that open a ticket at the cursor: `b s`; empty if none can be opened. */
  orderKeys: string
  /** The account's equity and the day's change, from the longest form to the shortest; none unless given. */
  equity?: readonly string[]
  /** Hides the user's own amounts; false unless given. */
  isPrivate?: boolean
  /** Says where the market is if it is below the last row; otherwise empty. */
  pointer: Row
}

const fitting = (forms: readonly string[], width: number): string =>
  forms.find((form) => form.length <= width) ?? forms.at(-1) ?? ''

/** The user's places in the queue of the cursor's row, in words. */
function placesText(
  { rows, queues, cursorPrice, instrument, isPrivate = false }: LadderFootInput,
  width: number,
): string {
  if (queues === null || cursorPrice === null) return ''
  const at = rows.findIndex(({ price }) => price.eq(cursorPrice))
  const said = (queue: readonly QueueEntry[] | undefined, side: string): string[] =>
    (queue ?? []).flatMap(({ orderId, quantity, isOwn }) => {
      const place = isOwn && orderId !== null ? queues.places.get(orderId) : undefined
      return place === undefined
        ? []
        : [`${side}${isPrivate ? '' : ` ${formatQuantity(quantity, instrument)}`}: ${placeText(place)}`]
    })
  const own = [...said(queues.bids[at], 'BUY'), ...said(queues.asks[at], 'SELL')]
  const [first = ''] = own
  return own.length === 0 ? '' : fitting([own.join('; '), `${first} (+${own.length - 1} more)`, first], width)
}

/** The user's net quantity and average price, as the known fills give them; empty in privacy mode. */
function positionText({ position, instrument, isPrivate = false }: LadderFootInput, width: number): string {
  const { netQuantity, averagePrice } = position
  if (averagePrice === null || isPrivate) return ''
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

/** The cursor's price, the keys that act on it, and the key that removes it; empty without a cursor. */
function cursorForms({ cursorPrice, instrument, orderKeys }: LadderFootInput): Row[] {
  if (cursorPrice === null) return []
  const price = span(`> ${formatGrouped(cursorPrice, instrument.priceScale)}`, 'cursor')
  const takes: Row = orderKeys === '' ? [] : [span(' ', 'label'), span(orderKeys, 'key'), span(' take it', 'label')]
  const leaves: Row = [span(orderKeys === '' ? ' ' : ', ', 'label'), span('Esc', 'key'), span(' removes', 'label')]
  return [[price, ...takes, ...leaves], [price, ...takes], [price]]
}

/** The user's places in the queue if known, otherwise the position. */
function ownRow(input: LadderFootInput, width: number): Row {
  const places = placesText(input, width)
  const text = places === '' ? positionText(input, width) : places
  return text === '' || text.length > width ? [] : [span(text, 'own')]
}

/**
 * The lower border: an auction, where the market is, or the cursor and the user's position. The cursor comes first, in
 * the longest words that fit.
 */
export function ladderFoot(input: LadderFootInput, width: number): Row {
  if (isHalted(input.instrument)) return [span(fitting(auctionForms(input.instrument), width), 'warn')]
  if (input.pointer.length > 0) return input.pointer
  return withEquity(ownFoot(input, width), input.equity ?? [], width)
}

/** The cursor, then the user's places or position. */
function ownFoot(input: LadderFootInput, width: number): Row {
  const forms = cursorForms(input)
  if (forms.length === 0) return ownRow(input, width)
  const shortest = rowWidth(forms.at(-1) ?? []) + 2
  const own = ownRow(input, width - shortest)
  const room = width - (own.length === 0 ? 0 : rowWidth(own) + 2)
  const cursor = longest(forms, room)
  return own.length === 0 ? cursor : [...cursor, span('  '), ...own]
}

/** Adds the account's equity at the end if there is room left. */
function withEquity(foot: Row, forms: readonly string[], width: number): Row {
  const room = width - (foot.length === 0 ? 0 : rowWidth(foot) + 2)
  const text = forms.find((form) => form.length <= room)
  if (text === undefined || text === '') return foot
  return foot.length === 0 ? [span(text, 'label')] : [...foot, span('  '), span(text, 'label')]
}

type PointerInput = {
  book: Book | null
  rows: readonly Pick<LadderRow, 'price'>[]
  instrument: Instrument
  groupTicks: number
  /** The key that centers the ladder. */
  centerKey: string
}

/** A best price outside the visible rows, and how many rows away it is. */
type OutOfSight = { side: 'bid' | 'ask'; price: Decimal; rows: number }

function outOfSight({ book, rows, instrument, groupTicks }: PointerInput, edge: 'above' | 'below'): OutOfSight[] {
  const end = (edge === 'above' ? rows[0] : rows.at(-1))?.price
  if (end === undefined) return []
  const step = instrument.tickSize.times(groupTicks)
  return (['bid', 'ask'] as const).flatMap((side): OutOfSight[] => {
    const price = (side === 'bid' ? book?.bids : book?.asks)?.[0]?.price
    // A price on this side of the edge also has a visible row.
    if (price === undefined || compareAmounts(price, end) !== (edge === 'above' ? 1 : -1)) return []
    const at = rowPrice(price, instrument, groupTicks, side)
    const away = (edge === 'above' ? at.minus(end) : end.minus(at)).div(step).toNumber()
    return away > 0 ? [{ side, price, rows: away }] : []
  })
}

/** Larger counts are of no use, and the distance to a price of forty digits exceeds the range of exact numbers. */
const rowsToldMax = 1_000_000
const rowCountText = (rows: number): string => (rows > rowsToldMax ? `over ${rowsToldMax}` : `${rows}`)

/**
 * Where the market is if it lies beyond one edge of the ladder: the nearest best price, its distance in rows, and the
 * key that centers it. Empty unless a best price lies beyond this edge.
 */
export function marketPointer(input: PointerInput, edge: 'above' | 'below', width: number): Row {
  const { instrument, centerKey } = input
  const [nearest, other] = outOfSight(input, edge).toSorted((one, two) => one.rows - two.rows)
  if (nearest === undefined) return []
  const priceOf = ({ side, price }: OutOfSight) => `${side} ${formatGrouped(price, instrument.priceScale)}`
  const away = `${rowCountText(nearest.rows)} ${nearest.rows === 1 ? 'row' : 'rows'}`
  const key: Row = [span(' · ', 'label'), span(centerKey, 'key')]
  const form = (text: string): Row => [span(`${edge === 'above' ? '▲' : '▼'} ${text}`, nearest.side), ...key]
  const both = other === undefined ? [] : [form(`${priceOf(nearest)}, ${priceOf(other)}, ${away}`)]
  return longest(
    [
      ...both.map((row) => [...row, span(' centers', 'label')]),
      [...form(`${priceOf(nearest)}, ${away}`), span(' centers', 'label')],
      form(`${priceOf(nearest)}, ${away}`),
      form(away),
    ],
    width,
  )
}
