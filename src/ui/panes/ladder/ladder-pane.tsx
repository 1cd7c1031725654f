import { memo, useMemo } from 'react'
import { memoizeLast } from '../../../base/memoize.ts'
import { capital } from '../../../base/text/plain-text.ts'
import { keyOf, type ReboundKeys } from '../../../domain/desk/session.ts'
import {
  bookRows,
  type LadderRow,
  ladderRows,
  type OwnRows,
  ownRows,
  scalePrices,
} from '../../../domain/ladder/ladder.ts'
import { type LadderQueues, ladderQueues } from '../../../domain/ladder/queue.ts'
import { type Names, noNames, noRulesReason } from '../../../domain/limits.ts'
import {
  type Book,
  bestAsk,
  bestBid,
  isLeftBehind,
  midPrice,
  type OrderByOrderBook,
} from '../../../domain/market/book.ts'
import { type Instrument, isHalted } from '../../../domain/market/instrument.ts'
import { compareAmounts, Decimal } from '../../../domain/money.ts'
import { type OwnPosition, ownPosition } from '../../../domain/orders/fills.ts'
import type { Order } from '../../../domain/orders/order.ts'
import { type OwnStop, type OwnUnknown, ownStops, ownUnknown } from '../../../domain/orders/own-draft.ts'
import type { Change, Worth } from '../../../domain/positions/equity.ts'
import type { DeskState } from '../../../store/desk.ts'
import { equityDay, equityNow, isEquityStale } from '../../../store/equity.ts'
import { emptyFeed, type Feed, isStale } from '../../../store/feeds/feed.ts'
import { type LadderName, type LadderState, ladderSymbol } from '../../../store/ladder/ladder.ts'
import { type PaneName, paneTitle } from '../../../store/view/panes.ts'
import { shownFeed, staleTime, useTheme } from '../../text/desk-context.ts'
import { createFrame, type PaneContent } from '../../text/frame.tsx'
import { Region } from '../../text/region.tsx'
import { createRowKeeper, type KeepRow, type Row, rowWidth, span } from '../../text/row.ts'
import { changeText, sinceText, worthText } from '../../text/worth.ts'
import { ladderFrameLines } from '../layout/layout.ts'
import { orderCountText, type PaneProps, staleNote, titleRow, waitingNote, words } from '../pane-view.tsx'
import { ladderFoot, ladderTitle, marketPointer } from './ladder-borders.ts'
import {
  type BarGlyphs,
  type LadderLines,
  type LastAge,
  ladderLines,
  type PriceOrigin,
  type RowChange,
} from './ladder-rows.ts'
import { queueLines } from './queue-rows.ts'

/** A ladder's inputs: nothing else makes it redraw. */
export type LadderSource = {
  which: LadderName
  symbol: string
  instruments: Feed<ReadonlyMap<string, Instrument>>
  /** The symbols whose rules cannot be read. */
  unread: Names
  book: Feed<Book>
  /** Level 3: for its own view, and beside the user's orders if known. */
  queue: Feed<OrderByOrderBook>
  orders: readonly Order[]
  /** The user's pending stops; none unless given. */
  stops?: readonly OwnStop[]
  /** The user's orders with an unknown outcome; none unless given. */
  unknown?: readonly OwnUnknown[]
  position: OwnPosition
  lastPrice: Decimal | null
  /** The last prices are stale; false unless given. */
  isLastStale?: boolean
  ladder: LadderState
  /** The book has just changed: quantities that grew or shrank are tinted. False unless given. */
  isChangeShown?: boolean
  /** The panes that share the place, and the order count in a tab's name; a place of its own unless given. */
  shared?: { tabs: readonly PaneName[]; orderCount: string }
  /** The account's equity in words, from the longest form to the shortest; none unless given. */
  equity?: readonly string[]
  /** Hides the user's own amounts; false unless given. */
  isPrivate?: boolean
  reboundKeys: ReboundKeys
  /** The keys that open a ticket at the cursor; none unless given. */
  orderKeys?: string
  nowMs: number
}

type LadderSize = { width: number; height: number }

type Drawable = LadderSource & { instrument: Instrument; centerPrice: Decimal }

/** What a ladder keeps between redraws: its scale, and the lines that have not changed. */
type LadderMemory = {
  scale: (instrument: Instrument, groupTicks: number, centerPrice: Decimal, rowCount: number) => readonly Decimal[]
  own: (
    instrument: Instrument,
    groupTicks: number,
    orders: readonly Order[],
    stops: readonly OwnStop[] | undefined,
    unknown: readonly OwnUnknown[] | undefined,
  ) => OwnRows
  inBook: (
    book: Book | null,
    instrument: Instrument,
    groupTicks: number,
    prices: readonly Decimal[],
  ) => ReturnType<typeof bookRows>
  line: KeepRow
  changes: (book: Book | null, prices: readonly Decimal[], rows: readonly LadderRow[]) => readonly RowChange[] | null
}

const changed = (before: Decimal | null | undefined, now: Decimal | null): 'grew' | 'shrank' | undefined => {
  if (now === null || before === now) return undefined
  const order = before === null || before === undefined ? 1 : compareAmounts(now, before)
  return order === 0 ? undefined : order < 0 ? 'shrank' : 'grew'
}

/** What each book changed in the rows' quantities; null for the first book of a scale, and while nothing changed. */
function createChanges(): LadderMemory['changes'] {
  type Last = {
    book: Book
    prices: readonly Decimal[]
    rows: readonly LadderRow[]
    changes: readonly RowChange[] | null
  }
  let last: Last | null = null
  return (book, prices, rows) => {
    if (book === null) return null
    const before = last?.prices === prices ? last : null
    if (before?.book === book) return before.changes
    const changes =
      before === null
        ? null
        : rows.map(({ bidQuantity, askQuantity }, at): RowChange => {
            const row = before.rows[at]
            return { bid: changed(row?.bidQuantity, bidQuantity), ask: changed(row?.askQuantity, askQuantity) }
          })
    last = { book, prices, rows, changes }
    return changes
  }
}

/** An empty memory, for a ladder that has not been drawn yet. */
export const createMemory = (): LadderMemory => ({
  scale: memoizeLast((instrument, groupTicks, centerPrice, rowCount) =>
    scalePrices({ instrument, groupTicks, centerPrice, rowCount }),
  ),
  own: memoizeLast((instrument, groupTicks, orders, stops = [], unknown = []) =>
    ownRows({ instrument, groupTicks, orders, stops, unknown }),
  ),
  inBook: memoizeLast((book, instrument, groupTicks, prices) => bookRows({ book, instrument, groupTicks }, prices)),
  line: createRowKeeper(),
  changes: createChanges(),
})

/** Level 3 by rows if known: in its own view, and beside the user's orders while it is fresh. */
function queuesOf({ queue, orders, ladder, instrument, symbol }: Drawable, prices: readonly Decimal[]) {
  if (queue.value === null) return null
  const { groupTicks } = ladder
  const ownIds = new Set(orders.flatMap((order) => (order.symbol === symbol ? (order.orderId ?? []) : [])))
  return ladderQueues(queue.value, prices, instrument.tickSize.times(groupTicks), ownIds)
}

/** The user's first place in each row's queue, in the shortest form: `2/5`. */
function placesByRow({ bids, asks, places }: LadderQueues): { bid: string; ask: string }[] {
  const first = (queue: LadderQueues['bids'][number] | undefined): string => {
    const own = queue?.find(({ isOwn }) => isOwn)?.orderId ?? ''
    const at = places.get(own)
    return at === undefined ? '' : `${at.place}/${at.count}`
  }
  return bids.map((queue, at) => ({ bid: first(queue), ask: first(asks[at]) }))
}

function lastAgeOf({ lastPrice, isLastStale = false, book: { value: book }, instrument }: Drawable): LastAge {
  if (isLastStale) return 'leftBehind'
  if (lastPrice === null || book === null) return 'last'
  if (isLeftBehind(lastPrice, book, instrument.tickSize)) return 'leftBehind'
  const [bid, ask] = [bestBid(book), bestAsk(book)]
  return (bid !== null && lastPrice.lt(bid)) || (ask !== null && lastPrice.gt(ask)) ? 'older' : 'last'
}

/** The origin that prices count from; null if they are absolute, or if there is no origin yet. */
function originOf({ ladder: { prices, cursorPrice }, book }: Drawable): PriceOrigin | null {
  if (prices === 'absolute') return null
  const price = prices === 'cursor' ? cursorPrice : book.value === null ? null : midPrice(book.value)
  return price === null ? null : { price, name: prices === 'cursor' ? 'CURSOR' : 'MID' }
}

function drawn(input: Drawable, size: LadderSize, glyphs: BarGlyphs, memory: LadderMemory): Omit<PaneContent, 'title'> {
  const { book, queue, instrument, ladder, orders, stops, unknown, position, lastPrice, centerPrice, nowMs } = input
  const { groupTicks, cursorPrice, view } = ladder
  const width = size.width - 2
  const rowCount = size.height - ladderFrameLines
  const auctionPrice = isHalted(instrument) ? instrument.auction.price : null
  const prices = memory.scale(instrument, groupTicks, centerPrice, rowCount)
  const place = { instrument, groupTicks, centerPrice, rowCount }
  const marks = { lastPrice, auctionPrice, ownAveragePrice: input.isPrivate === true ? null : position.averagePrice }
  const own = memory.own(instrument, groupTicks, orders, stops, unknown)
  const inBook = memory.inBook(book.value, instrument, groupTicks, prices)
  const rows = ladderRows({ book: book.value, orders, ...place, ...marks }, prices, own, inBook)
  const queues = queuesOf(input, prices)
  if (view === 'queues' && queues === null)
    return { rows: words(waitingNote(`level 3 of ${input.symbol}`, queue), width) }
  const { isPrivate = false } = input
  const shown = { rows, instrument, cursorPrice, width, isPrivate, lastAge: lastAgeOf(input), origin: originOf(input) }
  const changes = memory.changes(book.value, prices, rows)
  const { head, lines }: LadderLines =
    view === 'queues' && queues !== null
      ? queueLines({ ...shown, queues })
      : ladderLines(
          {
            ...{ ...shown, glyphs, changes: input.isChangeShown === true ? changes : null },
            places: queues === null || queues.places.size === 0 ? null : placesByRow(queues),
          },
          memory.line,
        )
  const market = { book: book.value, rows, instrument, groupTicks, centerKey: keyOf(input.reboundKeys, 'center') }
  const above = marketPointer(market, 'above', width - 2)
  const pointer = marketPointer(market, 'below', size.width - 4)
  const { orderKeys = '', equity = [] } = input
  const foot = ladderFoot(
    { instrument, position, rows, queues, cursorPrice, orderKeys, pointer, equity, isPrivate },
    size.width - 4,
  )
  const isOld = isStale(book, 'book', nowMs) || (view === 'queues' && isStale(queue, 'queue', nowMs))
  // The column heads are familiar, so the market pointer may replace them.
  return { rows: [above.length === 0 ? head : [span(' '), ...above], ...lines], foot, isStale: isOld }
}

/**
 * The ladder's own title behind the names of the panes that share its place. Its facts about the book have priority
 * over those names, which shrink to digits, and vanish if even digits do not fit.
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

/** Why a ladder has no rows, without its symbol's rules. */
function noLadderText({ symbol, instruments, unread, reboundKeys }: LadderSource): string {
  if (instruments.value === null) return waitingNote('the symbols', instruments)
  const chooses = `${keyOf(reboundKeys, 'chooseSymbol')} chooses`
  if (symbol === '') return `No second symbol yet: ${chooses} one.`
  return `${capital(noRulesReason(symbol, instruments.value, unread))}: ${chooses} another symbol.`
}

/** A ladder's title, lines and foot for a pane of this size. */
export function ladderContent(
  input: LadderSource,
  size: LadderSize,
  glyphs: BarGlyphs,
  memory = createMemory(),
): PaneContent {
  const { symbol, book, queue, instruments, ladder, nowMs } = input
  const width = size.width - 2
  const instrument = instruments.value?.get(symbol)
  const isQueues = ladder.view === 'queues'
  const old = staleNote(book, 'book', nowMs)
  const stale = old.length === 0 && isQueues ? staleNote(queue, 'queue', nowMs) : old
  const { groupTicks, view } = ladder
  const named = { symbol, instrument, book, groupTicks, view, stale }
  const title = titleWithTabs(input, size.width - 4, (name, room) => ladderTitle({ ...named, name }, room))
  if (instrument === undefined) return { title, rows: words(noLadderText(input), width) }
  if (book.value === null) return { title, rows: words(waitingNote(`the book of ${symbol}`, book), width) }
  const { centerPrice } = ladder
  if (centerPrice === null) return { title, rows: words(`${symbol}: empty book, no trades yet.`, width) }
  return { title, ...drawn({ ...input, instrument, centerPrice }, size, glyphs, memory) }
}

type LadderPaneProps = PaneProps & { which: LadderName }

const noOrders: readonly never[] = []
const noWords: readonly string[] = []

/** How long, in ms, a quantity that grew or shrank stays tinted. */
const changeShownMs = 700

/** Whether the book has just changed; the first book of a symbol does not count as a change. */
function createChangeTimer(): (book: Book | null, nowMs: number) => boolean {
  let last: { book: Book | null; atMs: number } = { book: null, atMs: Number.NEGATIVE_INFINITY }
  return (book, nowMs) => {
    if (book !== last.book) {
      const isNext = book !== null && last.book?.symbol === book.symbol
      last = { book, atMs: isNext ? nowMs : Number.NEGATIVE_INFINITY }
    }
    return nowMs - last.atMs < changeShownMs
  }
}

/** The keys that open a ticket; empty on a read-only desk (MONITOR). */
const orderKeysOf = ({ mode, reboundKeys }: DeskState): string =>
  mode.kind === 'MONITOR' ? '' : `${keyOf(reboundKeys, 'buy')} ${keyOf(reboundKeys, 'sell')}`

/**
 * `eq 104,233 USD, day +121 +0.12%` and shorter forms, `since 01:22 +121` for part of a day; none without balances and
 * prices, or if they are stale.
 */
const equityForms = memoizeLast((change: Change, worth: Worth, isPrivate: boolean): readonly string[] => {
  const day = change.kind === 'unknown' ? '' : `${sinceText(change) || 'day'} ${changeText(change, isPrivate, 0)}`
  const now = isPrivate ? '' : `eq ${worthText(worth)}`
  return [[now, day].filter((text) => text !== '').join(', '), day, now].filter((text) => text !== '')
})

function equityWords(state: DeskState): readonly string[] {
  if (state.balances.value === null || state.tickers.value === null || isEquityStale(state)) return noWords
  return equityForms(equityDay(state), equityNow(state).worth, state.looks.isPrivate)
}

/** One ladder's inputs; each ladder needs a selector of its own, which memoizes its results. */
function ladderSelector(which: LadderName) {
  const positionOf = memoizeLast(ownPosition)
  const stopsOf = memoizeLast(ownStops)
  const unknownOf = memoizeLast(ownUnknown)
  const priceOf = memoizeLast((text: string) => new Decimal(text))
  // Joined as text, so that equal words give the same array and no redraw.
  const equityOf = memoizeLast((lines: string) => (lines === '' ? noWords : lines.split('\n')))
  const isJustChanged = createChangeTimer()
  return (state: DeskState): LadderSource & { orderCount: string } => {
    const { nowMs, tickers } = state
    const symbol = ladderSymbol(state, which) ?? ''
    const book = shownFeed(state.books.get(symbol) ?? emptyFeed, 'book', nowMs)
    const known = state.queues.get(symbol) ?? emptyFeed
    // In level 2 no one polls the queue: once stale, it counts as unknown.
    const isUsed = state[which].view === 'queues' || !isStale(known, 'queue', nowMs)
    const queue = isUsed ? shownFeed(known, 'queue', nowMs) : emptyFeed
    const orders = state.orders.value ?? noOrders
    const lastText = tickers.value?.get(symbol)?.lastPrice?.toString()
    return {
      which,
      symbol,
      book,
      queue,
      instruments: shownFeed(state.instruments, 'instruments', nowMs),
      unread: state.listedSymbols?.unread ?? noNames,
      orders,
      stops: stopsOf(orders, state.ownDrafts),
      unknown: unknownOf(state.unknownWrites, state.ownDrafts),
      position: positionOf(state.fills.value ?? noOrders, symbol),
      lastPrice: lastText === undefined ? null : priceOf(lastText),
      isLastStale: isStale(tickers, 'tickers', nowMs),
      ladder: state[which],
      isChangeShown: !state.looks.isMotionReduced && isJustChanged(book.value, nowMs),
      reboundKeys: state.reboundKeys,
      orderKeys: orderKeysOf(state),
      isPrivate: state.looks.isPrivate,
      equity: equityOf(equityWords(state).join('\n')),
      orderCount: orderCountText(state),
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
    const glyphs = { ...theme.glyphs, hasGround: theme.hasBarGround }
    const frame = createFrame(size, isFocused ? 'focus' : 'plain', theme)
    return ({ orderCount, ...source }: ReturnType<typeof select>): Row[] => {
      const shared = tabs === undefined ? {} : { shared: { tabs, orderCount } }
      return frame(ladderContent({ ...source, ...shared }, size, glyphs, memory))
    }
  }, [width, height, isFocused, tabs, theme])
  return <Region width={width} height={height} select={select} rows={rows} />
})
