import { memo, useMemo } from 'react'
import { keyOf, type ReboundKeys } from '../../../domain/desk/session.ts'
import { type Book, isCrossed, isLeftBehind, type OrderByOrderBook, spread } from '../../../domain/market/book.ts'
import {
  averageScale,
  formatAverage,
  formatPrice,
  formatQuantity,
  type Instrument,
  isHalted,
} from '../../../domain/market/instrument.ts'
import { type LadderRow, ladderRows, type OwnRows, ownRows, scalePrices } from '../../../domain/market/ladder.ts'
import { type LadderQueues, ladderQueues, type QueueEntry } from '../../../domain/market/ladder-queue.ts'
import { Decimal, formatGrouped } from '../../../domain/money.ts'
import { type OwnPosition, ownPosition } from '../../../domain/orders/fills.ts'
import type { Order } from '../../../domain/orders/order.ts'
import { type OwnStop, ownStops } from '../../../domain/orders/own-draft.ts'
import type { DeskState } from '../../../store/desk.ts'
import { emptyFeed, type Feed, isStale } from '../../../store/feeds/feed.ts'
import { type LadderName, type LadderState, ladderSymbol } from '../../../store/ladder/ladder.ts'
import { type PaneName, paneTitle } from '../../../store/view/panes.ts'
import { memoizeLast } from '../../tables/memoize.ts'
import { nameText } from '../../text/cells.ts'
import { shownFeed, staleTime, useTheme } from '../../text/desk-context.ts'
import { createFrame, type PaneContent } from '../../text/frame.tsx'
import { Region } from '../../text/region.tsx'
import { createRowKeeper, type KeepRow, type Row, rowWidth, span } from '../../text/row.ts'
import { auctionForms, auctionTime } from '../../text/trade-words.ts'
import { ladderFrameLines } from '../layout/layout.ts'
import { orderCountOf, type PaneProps, staleNote, titleRow, waitingNote, words } from '../pane-view.tsx'
import { type BarGlyphs, type LadderLines, ladderLines } from './ladder-rows.ts'
import { placeText, queueLines } from './queue-rows.ts'

/** What a ladder draws from, so that nothing else makes it draw again. */
export type LadderSource = {
  which: LadderName
  symbol: string
  instruments: Feed<ReadonlyMap<string, Instrument>>
  book: Feed<Book>
  /** Level 3, of use only in that view. */
  queue: Feed<OrderByOrderBook>
  orders: readonly Order[]
  /** Own stops that wait; none unless given. */
  stops?: readonly OwnStop[]
  position: OwnPosition
  lastPrice: Decimal | null
  /** The last prices are old; they are not unless given. */
  isLastStale?: boolean
  ladder: LadderState
  /** The panes that share the place, and how many orders one of them counts; it has its own unless given. */
  shared?: { tabs: readonly PaneName[]; orderCount: number }
  reboundKeys: ReboundKeys
  nowMs: number
}

type LadderSize = { width: number; height: number }

type Drawable = LadderSource & { instrument: Instrument; centrePrice: Decimal }

/** What a ladder on screen keeps from one picture to the next: its scale, and the lines that say what they said. */
type LadderMemory = {
  scale: (instrument: Instrument, groupTicks: number, centrePrice: Decimal, rowCount: number) => readonly Decimal[]
  own: (
    instrument: Instrument,
    groupTicks: number,
    orders: readonly Order[],
    stops: readonly OwnStop[] | undefined,
  ) => OwnRows
  line: KeepRow
}

const createMemory = (): LadderMemory => ({
  scale: memoizeLast((instrument, groupTicks, centrePrice, rowCount) =>
    scalePrices({ instrument, groupTicks, centrePrice, rowCount }),
  ),
  own: memoizeLast((instrument, groupTicks, orders, stops = []) => ownRows({ instrument, groupTicks, orders, stops })),
  line: createRowKeeper(),
})

function queuesOf({ queue, orders, ladder, instrument, symbol }: Drawable, prices: readonly Decimal[]) {
  if (ladder.view === 'sums' || queue.value === null) return null
  const { groupTicks } = ladder
  const ownIds = new Set(orders.flatMap((order) => (order.symbol === symbol ? (order.orderId ?? []) : [])))
  return ladderQueues(queue.value, prices, instrument.tickSize.times(groupTicks), ownIds)
}

function drawn(input: Drawable, size: LadderSize, glyphs: BarGlyphs, memory: LadderMemory): Omit<PaneContent, 'title'> {
  const { book, queue, instrument, ladder, orders, stops, position, lastPrice, centrePrice, nowMs } = input
  const { isLastStale = false } = input
  const { groupTicks, cursorPrice, view } = ladder
  const width = size.width - 2
  const rowCount = size.height - ladderFrameLines
  const auctionPrice = isHalted(instrument) ? instrument.auction.price : null
  const prices = memory.scale(instrument, groupTicks, centrePrice, rowCount)
  const place = { instrument, groupTicks, centrePrice, rowCount }
  const marks = { lastPrice, auctionPrice, ownAveragePrice: position.averagePrice }
  const own = memory.own(instrument, groupTicks, orders, stops)
  const rows = ladderRows({ book: book.value, orders, ...place, ...marks }, prices, own)
  const queues: LadderQueues | null = queuesOf(input, prices)
  if (view === 'queues' && queues === null)
    return { rows: words(waitingNote(`level 3 of ${input.symbol}`, queue), width) }
  const isBehind = lastPrice !== null && book.value !== null && isLeftBehind(lastPrice, book.value, instrument.tickSize)
  const shown = { rows, instrument, cursorPrice, width, isLastOld: isLastStale || isBehind }
  const { head, lines }: LadderLines =
    queues === null ? ladderLines({ ...shown, glyphs }, memory.line) : queueLines({ ...shown, queues })
  const foot = ladderFoot({ instrument, position, rows, queues, cursorPrice }, size.width - 4)
  const isOld = isStale(book, 'book', nowMs) || (queues !== null && isStale(queue, 'queue', nowMs))
  return { rows: [head, ...lines], foot, isStale: isOld }
}

/**
 * The ladder's own title behind the names of the panes that share its place. What it says of its book goes before
 * their names, which are digits then, and nothing where not even those have room.
 */
function titleWithTabs({ which, shared }: LadderSource, width: number, own: (name: string, room: number) => Row): Row {
  if (shared === undefined) return own(paneTitle(which), width)
  const { tabs, orderCount } = shared
  const others = (room: number): Row => [
    ...titleRow(
      which,
      tabs.filter((pane) => pane !== which),
      orderCount,
      room - 2,
    ),
    span('  '),
  ]
  const title = own(`[${paneTitle(which)}]`, width - rowWidth(others(0)))
  const names = others(width - rowWidth(title))
  return rowWidth(names) + rowWidth(title) <= width ? [...names, ...title] : title
}

/** A ladder's title, lines and foot for a pane of the given size. */
export function ladderContent(
  input: LadderSource,
  size: LadderSize,
  glyphs: BarGlyphs,
  memory = createMemory(),
): PaneContent {
  const { symbol, book, queue, instruments, ladder, reboundKeys, nowMs } = input
  const width = size.width - 2
  const instrument = instruments.value?.get(symbol)
  const isQueues = ladder.view === 'queues'
  const old = staleNote(book, 'book', nowMs)
  const stale = old.length === 0 && isQueues ? staleNote(queue, 'queue', nowMs) : old
  const { groupTicks, view } = ladder
  const named = { symbol, instrument, book, groupTicks, view, stale }
  const title = titleWithTabs(input, size.width - 4, (name, room) => ladderTitle({ ...named, name }, room))
  if (instrument === undefined) {
    const rules = instruments.value === null ? waitingNote('the symbols', instruments) : null
    const other = `${keyOf(reboundKeys, 'chooseSymbol')} chooses another symbol`
    return { title, rows: words(rules ?? `The exchange does not list ${symbol}: ${other}.`, width) }
  }
  if (book.value === null) return { title, rows: words(waitingNote(`the book of ${symbol}`, book), width) }
  const { centrePrice } = ladder
  if (centrePrice === null) return { title, rows: words(`${symbol}: empty book, no trades yet.`, width) }
  return { title, ...drawn({ ...input, instrument, centrePrice }, size, glyphs, memory) }
}

type LadderPaneProps = PaneProps & { which: LadderName }

const noOrders: readonly never[] = []

/** What one of the ladders draws from; one selector for each, which keeps what it worked out last. */
function ladderSelector(which: LadderName) {
  const positionOf = memoizeLast(ownPosition)
  const stopsOf = memoizeLast(ownStops)
  const priceOf = memoizeLast((text: string) => new Decimal(text))
  return (state: DeskState): LadderSource & { orderCount: number } => {
    const { nowMs, tickers } = state
    const symbol = ladderSymbol(state, which) ?? ''
    const book = shownFeed(state.books.get(symbol) ?? emptyFeed, 'book', nowMs)
    const queue = shownFeed(state.queues.get(symbol) ?? emptyFeed, 'queue', nowMs)
    const orders = state.orders.value ?? noOrders
    const lastText = tickers.value?.get(symbol)?.lastPrice?.toString()
    return {
      which,
      symbol,
      book,
      queue,
      instruments: shownFeed(state.instruments, 'instruments', nowMs),
      orders,
      stops: stopsOf(orders, state.ownDrafts),
      position: positionOf(state.fills.value ?? noOrders, symbol),
      lastPrice: lastText === undefined ? null : priceOf(lastText),
      isLastStale: isStale(tickers, 'tickers', nowMs),
      ladder: state[which],
      reboundKeys: state.reboundKeys,
      orderCount: orderCountOf(state),
      nowMs: staleTime([book, queue], nowMs),
    }
  }
}

/** One of the two ladders. */
export const LadderPane = memo(function LadderPane({ which, width, height, isFocused, tabs }: LadderPaneProps) {
  const theme = useTheme()
  const select = useMemo(() => ladderSelector(which), [which])
  const rows = useMemo(() => {
    const size = { width, height }
    const memory = createMemory()
    const frame = createFrame(size, isFocused ? 'focus' : 'plain', theme)
    return ({ orderCount, ...source }: ReturnType<typeof select>): Row[] => {
      const shared = tabs === undefined ? {} : { shared: { tabs, orderCount } }
      return frame(ladderContent({ ...source, ...shared }, size, theme.glyphs, memory))
    }
  }, [width, height, isFocused, tabs, theme])
  return <Region width={width} height={height} select={select} rows={rows} />
})

type LadderTitleInput = {
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
function ladderTitle(input: LadderTitleInput, width: number): Row {
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

type LadderFootInput = {
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
function ladderFoot(input: LadderFootInput, width: number): Row {
  if (isHalted(input.instrument)) return [span(fitting(auctionForms(input.instrument), width), 'warn')]
  const places = placesText(input, width)
  const text = places === '' ? positionText(input, width) : places
  return text === '' ? [] : [span(text, 'own')]
}
