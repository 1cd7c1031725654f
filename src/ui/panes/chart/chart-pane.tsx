import { memo, useMemo } from 'react'
import { memoizeLast } from '../../../base/memoize.ts'
import { minuteMs } from '../../../base/text/time-text.ts'
import type { Watch } from '../../../domain/alerts/watch.ts'
import { type BarSeries, barSeries } from '../../../domain/market/bar-series.ts'
import { barStart } from '../../../domain/market/bars.ts'
import type { Book } from '../../../domain/market/book.ts'
import { baseOf, counterOf, formatPrice, formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { Decimal, zero } from '../../../domain/money.ts'
import type { Fill } from '../../../domain/orders/fills.ts'
import type { Order } from '../../../domain/orders/order.ts'
import { standsAt } from '../../../domain/orders/order-move.ts'
import type { OwnDrafts } from '../../../domain/orders/own-draft.ts'
import { barsOfSymbol } from '../../../store/bars.ts'
import { barLengths, type ChartState } from '../../../store/chart.ts'
import type { DeskState } from '../../../store/desk.ts'
import { emptyFeed, type Feed, isStale } from '../../../store/feeds/feed.ts'
import { percentText } from '../../text/amounts.ts'
import { cellText, nameText, wrapWords } from '../../text/cells.ts'
import { calmly, shownFeed, staleTime, useTheme } from '../../text/desk-context.ts'
import { momentText, pastText } from '../../text/moment.ts'
import { own } from '../../text/privacy.ts'
import { fitRow, type Row, span } from '../../text/row.ts'
import type { Theme } from '../../text/theme.ts'
import { type ListContent, type PaneProps, PaneView, staleNote, waitingNote, words } from '../pane-view.tsx'
import { type ChartWindow, chartPlan, chartWindow, gapCells, pricesAtMs, type Size } from './chart-window.ts'
import { depthPicture, depthRows } from './depth-curve.ts'
import type { DotGlyphs } from './dot-canvas.ts'
import { type PriceLine, type PricePicture, pricePicture } from './price-picture.ts'

type ChartInput = Pick<
  DeskState,
  'symbol' | 'instruments' | 'tickers' | 'fills' | 'nowMs' | 'chart' | 'ahead' | 'ownDrafts'
> & {
  book: Feed<Book> | undefined
  /** The symbol's bars, at the bar length shown. */
  series: BarSeries
  orders: readonly Order[]
  watches: readonly Watch[]
  /** Average cost per unit of the symbol's holdings; null if unknown. */
  averageCost: Decimal | null
  isZoomed: boolean
  /** Hides the user's own quantities; false unless given. */
  isPrivate?: boolean
}

/** The glyphs and tones the charts are drawn with. */
type Ink = { glyphs: DotGlyphs; isOneTone: boolean }

const dimmed = (rows: readonly Row[]): Row[] => rows.map((row) => row.map(({ text }) => span(text, 'dim')))

/** Names a part whose data is known to be stale; empty while it is fresh. */
const oldPart = (name: string, note: Row): Row => (note.length === 0 ? [] : [span(`  ${name}`, 'bad'), ...note])

type Part = { rows: Row[]; note: Row; picture?: PricePicture }

const noFills: readonly Fill[] = []

/** Where a working order acts: at its limit, a pending stop at its trigger; none where that is not known. */
function orderLine(order: Order, ownDrafts: OwnDrafts): PriceLine[] {
  const at = standsAt(order, ownDrafts)
  const isBuy = order.side === 'BUY'
  return at === null ? [] : [{ price: at.price, sign: isBuy ? 'B' : 'S', tone: isBuy ? 'bid' : 'ask' }]
}

/** Lines of working orders, of the average cost, and of alerts, in order of priority for a label on the axis. */
const linesOf = memoizeLast(
  (
    orders: readonly Order[],
    ownDrafts: OwnDrafts,
    watches: readonly Watch[],
    averageCost: Decimal | null,
    symbol: string,
  ): PriceLine[] => [
    ...orders.flatMap((order) => (order.symbol === symbol ? orderLine(order, ownDrafts) : [])),
    ...(averageCost === null ? [] : [{ price: averageCost, sign: '=', tone: 'own' } as const]),
    ...watches.flatMap(({ symbol: each, price, level, state }): PriceLine[] =>
      each === symbol && price !== 'spread' && state.kind !== 'fired'
        ? [{ price: level, sign: 'A', tone: 'warn' }]
        : [],
    ),
  ],
)

const windowOf = memoizeLast(chartWindow)

/** The price chart's window as it stands; answers within the same minute do not change it. */
function windowFor({ series, chart, instruments, symbol, tickers, ahead }: ChartInput, width: number) {
  const instrument = instruments.value?.get(symbol)
  const nowMs = pricesAtMs({ tickers, ahead })
  return instrument === undefined
    ? null
    : windowOf(series, chart, instrument, nowMs === null ? null : barStart(nowMs, minuteMs), width)
}

// Books arrive more often than prices: redraw only when one of the chart's own inputs changed.
const drawnPrices = memoizeLast(
  (
    window: ChartWindow,
    fills: readonly Fill[],
    lines: readonly PriceLine[],
    instrument: Instrument,
    last: Decimal | null,
    { markMs, style, width }: ChartState,
    { glyphs, isOneTone }: Ink,
    columns: number,
    height: number,
    isPrivate: boolean,
  ): PricePicture => {
    const own = fills.filter(({ symbol }) => symbol === instrument.symbol)
    const input = { window, fills: own, lines, instrument, last, markMs, style, width, glyphs, isOneTone, isPrivate }
    return pricePicture(input, { width: columns, height })
  },
)

/** Memoized apart from the prices, which change while the book stays the same. */
const drawnDepth = memoizeLast((book: Book, instrument: Instrument, width: number, height: number, glyphs: DotGlyphs) =>
  depthRows(book, instrument, { width, height }, glyphs),
)

const says = (sentence: string, { width, height }: Size): Row[] => words(sentence, width).slice(0, Math.max(1, height))

function pricePart(input: ChartInput, instrument: Instrument, size: Size, ink: Ink): Part {
  const { tickers, symbol, series, fills, chart, nowMs, orders, ownDrafts, watches, averageCost } = input
  const window = windowFor(input, size.width)
  if (window === null) {
    const sentence =
      tickers.value === null ? waitingNote('prices', tickers) : `Waiting for the first trade in ${cellText(symbol)}…`
    return { rows: says(sentence, size), note: [] }
  }
  const note = oldPart('prices', staleNote(tickers, 'tickers', nowMs))
  const numbers = numberRows(barNumbers(input, instrument, size.width), size)
  const { width, height } = { width: size.width, height: size.height - numbers.length }
  if (window.bars.length === 0) {
    const sentence = window.isUnread ? 'Reading older bars…' : `No prices of ${cellText(symbol)} are recorded here.`
    return { rows: [...numbers, ...says(sentence, { width, height })], note }
  }
  const lines = linesOf(orders, ownDrafts, watches, averageCost, symbol)
  const last = series.kept.running?.close ?? null
  const drawn = drawnPrices(
    window,
    fills.value ?? noFills,
    lines,
    instrument,
    last,
    chart,
    ink,
    width,
    height,
    input.isPrivate ?? false,
  )
  const rows = [...numbers, ...drawn.rows]
  return { rows: isStale(tickers, 'tickers', nowMs) ? dimmed(rows) : rows, note, picture: drawn }
}

function depthPart(input: ChartInput, instrument: Instrument, size: Size, { glyphs }: Ink): Part {
  const { book = emptyFeed, symbol, nowMs } = input
  if (book.value === null) return { rows: says(waitingNote('the book', book), size), note: [] }
  const rows = drawnDepth(book.value, instrument, size.width, size.height, glyphs)
  if (rows === null) return { rows: says(`Nothing rests in the book of ${cellText(symbol)}.`, size), note: [] }
  const note = oldPart('book', staleNote(book, 'book', nowMs))
  return { rows: isStale(book, 'book', nowMs) ? dimmed(rows) : rows, note }
}

const beside = (left: Part, leftWidth: number, right: Part, height: number): Row[] =>
  Array.from({ length: height }, (_, row) => [
    ...fitRow(left.rows[row] ?? [], leftWidth + gapCells),
    ...(right.rows[row] ?? []),
  ])

const below = (upper: Part, height: number, lower: Part): Row[] => [
  ...Array.from({ length: height }, (_, row) => upper.rows[row] ?? []),
  ...lower.rows,
]

function parts(input: ChartInput, instrument: Instrument, size: Size, ink: Ink): Part {
  const plan = chartPlan(input.chart, size, input.isZoomed)
  if (plan.kind === 'one') {
    const make = input.chart.view === 'price' ? pricePart : depthPart
    return make(input, instrument, plan.size, ink)
  }
  const price = pricePart(input, instrument, plan.price, ink)
  const depth = depthPart(input, instrument, plan.depth, ink)
  const rows =
    plan.kind === 'beside'
      ? beside(price, plan.price.width, depth, size.height)
      : below(price, plan.price.height, depth)
  return {
    rows,
    note: [...price.note, ...depth.note],
    ...(price.picture === undefined ? {} : { picture: price.picture }),
  }
}

/** `14:02`, with the date for bars of an hour or more and of another day, and the year of another year. */
function barTime(startMs: number, lengthMs: number, nowMs: number): string {
  const text = pastText(startMs, nowMs)
  if (text.includes(' ')) return text
  return `${lengthMs >= 60 * minuteMs ? `${momentText(startMs).slice(5, 10)} ` : ''}${text.slice(0, 5)}`
}

/** The user's own fills in a stretch of time, by side: `B 0.0500`, `S 0.0200`. */
function fillsIn(input: ChartInput, instrument: Instrument, fromMs: number, toMs: number): string[] {
  const { fills, isPrivate = false } = input
  const made = (fills.value ?? noFills).filter(
    ({ symbol, timestampMs }) => symbol === instrument.symbol && timestampMs >= fromMs && timestampMs < toMs,
  )
  return (['BUY', 'SELL'] as const).flatMap((side) => {
    const sum = made.reduce((total, fill) => (fill.side === side ? total.plus(fill.quantity) : total), zero)
    return sum.isZero() ? [] : [`${side === 'BUY' ? 'B' : 'S'} ${own(formatQuantity(sum, instrument), isPrivate)}`]
  })
}

/**
 * The numbers of the bar under the crosshair, one string each. Empty without a crosshair; `no prices` for a gap in the
 * recorded data.
 */
function barNumbers(input: ChartInput, instrument: Instrument, width: number): string[] {
  const { chart } = input
  if (chart.markMs === null) return []
  const window = windowFor(input, width)
  const nowMs = pricesAtMs(input) ?? chart.markMs
  const bar = window?.bars.find(({ startMs }) => startMs === chart.markMs)
  if (window === null || bar === undefined)
    return [barTime(chart.markMs, window?.lengthMs ?? minuteMs, nowMs), 'no prices']
  const text = (price: Decimal) => formatPrice(price, instrument)
  const { startMs, open, high, low, close, spread } = bar
  const change = open.isZero() ? [] : [percentText(close.minus(open).div(open), 2)]
  return [
    barTime(startMs, window.lengthMs, nowMs),
    ...[`O ${text(open)}`, `H ${text(high)}`, `L ${text(low)}`, `C ${text(close)}`],
    ...change,
    ...(spread === null ? [] : [`spread ${text(spread)}`]),
    ...fillsIn(input, instrument, startMs, startMs + window.lengthMs),
  ]
}

/** Chart lines that each line of numbers needs, and the maximum number of such lines. */
const linesForNumbers = 3
const numberLinesMax = 3

/** Numbers above the chart, never cut: those for which no line is left are omitted. */
function numberRows(numbers: readonly string[], { width, height }: Size): Row[] {
  const lines: string[] = []
  for (const number of numbers) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + number.length <= width) lines[lines.length - 1] = `${line} ${number}`
    else lines.push(number)
  }
  const most = Math.min(numberLinesMax, Math.floor(height / linesForNumbers))
  return lines.slice(0, most).map((line): Row => [span(line, 'cursor')])
}

/** What the marks mean, and on which side lines lie outside the chart: the longest wording that fits. */
function legend({ far: { above, below }, hasFills }: PricePicture, width: number): string {
  const lines = (count: number) => (count === 1 ? '1 line' : `${count} lines`)
  const where = above === 0 ? 'below' : 'above'
  const both = above > 0 && below > 0 ? `${lines(above)} above the chart, ${below} below` : ''
  const off = above + below === 0 ? '' : both || `${lines(above + below)} ${where} the chart`
  const short = above + below === 0 ? '' : `${above + below} off`
  const said = [
    [hasFills ? 'B S your fills' : '', off],
    [hasFills ? 'B S fills' : '', short],
    ['', short],
  ].map((parts) => parts.filter((part) => part !== '').join(', '))
  return said.find((text) => text.length + 4 <= width) ?? ''
}

/** The symbol's charts in `height` rows of `width` cells. Stale data is dim and named in the title. */
export function chartContent(input: ChartInput, size: Size, ink: Ink): ListContent {
  const { symbol, instruments, chart } = input
  const instrument = instruments.value?.get(symbol)
  if (instrument === undefined) {
    return {
      note: [],
      rows: says(waitingNote(`the rules of ${cellText(symbol)}`, instruments), size),
      isStale: false,
    }
  }
  const { rows, note, picture } = parts(input, instrument, size, ink)
  const title: Row = [
    span(`  ${nameText(symbol)} ${chart.length}`, 'label'),
    ...(chart.endMs === null ? [] : [span(' earlier', 'warn')]),
  ]
  const foot = picture === undefined ? '' : legend(picture, size.width)
  return { note: [...note, ...title], foot: foot === '' ? [] : [span(foot, 'label')], rows, isStale: false }
}

function priceSentence(input: ChartInput, width: number): string {
  const { symbol, tickers, instruments, chart } = input
  const instrument = instruments.value?.get(symbol)
  if (instrument === undefined) return waitingNote(`the rules of ${symbol}`, instruments)
  const window = windowFor(input, width)
  if (window === null && tickers.value === null) return waitingNote('prices', tickers)
  const bars = window?.bars ?? []
  const [first, last] = [bars[0], bars.at(-1)]
  if (window?.isUnread === true && first === undefined) return 'Reading older bars…'
  if (window !== null && first === undefined) return `No prices of ${symbol} are recorded here.`
  if (first === undefined || last === undefined) return `Waiting for the first trade in ${symbol}…`
  const text = (price: Decimal) => formatPrice(price, instrument)
  const [from, to] = [first.open, last.close]
  const way = to.gt(from) ? 'up' : to.lt(from) ? 'down' : 'level'
  const low = Decimal.min(...bars.map((bar) => bar.low))
  const high = Decimal.max(...bars.map((bar) => bar.high))
  const since = barTime(first.startMs, window?.lengthMs ?? 0, pricesAtMs(input) ?? last.startMs)
  const numbers = barNumbers(input, instrument, width)
  const range = `${way} from ${text(from)} to ${text(to)}, between ${text(low)} and ${text(high)}`
  const bar = numbers.length === 0 ? '' : ` Bar ${numbers.join(' ')}.`
  return `${symbol} in bars of ${chart.length} since ${since}: ${range}.${bar}`
}

function depthSentence({ symbol, instruments, book = emptyFeed }: ChartInput): string {
  const instrument = instruments.value?.get(symbol)
  if (book.value === null || instrument === undefined) return waitingNote('the book', book)
  const picture = depthPicture(book.value, instrument, 1)
  if (picture === null) return `Nothing rests in the book of ${symbol}.`
  const [bids, asks] = [picture.bids[0], picture.asks[0]].map((sum) =>
    sum === undefined ? '0' : formatQuantity(sum, instrument),
  )
  const [low, high] = [picture.low ?? zero, picture.high].map((price) => formatPrice(price, instrument))
  return `Bids of ${bids} down to ${low}, asks of ${asks} up to ${high}.`
}

/** The charts described in words, for the screen reader mode. */
export const chartSentences = (input: ChartInput, width: number): Row[] =>
  [priceSentence(input, width), depthSentence(input)].flatMap((sentence) =>
    wrapWords(cellText(sentence), Math.max(1, width - 1)).map((line) => [span(` ${line}`)]),
  )

const bookOf = ({ books, symbol }: DeskState): Feed<Book> => books.get(symbol) ?? emptyFeed

/** Minimum time in ms between redraws while only market data changes. */
const beatMs = 1_000

const noOrders: readonly Order[] = []

/** Average cost of a unit of the symbol's base, known only for symbols priced in USD; null in privacy mode. */
const averageCostOf = ({ positions, looks }: DeskState, symbol: string): Decimal | null =>
  counterOf(symbol) === 'USD' && !looks.isPrivate
    ? (positions.reckoned?.positions.find(({ currency }) => currency === baseOf(symbol))?.averageCostUsd ?? null)
    : null

/** The charts' inputs; each pane needs a selector of its own. */
function chartSelector() {
  const seriesOf = memoizeLast(barSeries)
  const marketOf = calmly(
    (state) => ({ tickers: state.tickers, kept: barsOfSymbol(state, state.symbol), book: bookOf(state) }),
    beatMs,
    (state) => `${state.symbol} ${state.bars.has(state.symbol)} ${bookOf(state).value === null}`,
  )
  return (state: DeskState) => {
    const { symbol, chart, nowMs, looks, ahead } = state
    const market = marketOf(state)
    // Stale data must show at once, not with the next beat.
    const tickers = isStale(state.tickers, 'tickers', nowMs) ? state.tickers : market.tickers
    const book = shownFeed(isStale(bookOf(state), 'book', nowMs) ? bookOf(state) : market.book, 'book', nowMs)
    return {
      instruments: shownFeed(state.instruments, 'instruments', nowMs),
      fills: shownFeed(state.fills, 'fills', nowMs),
      series: seriesOf(
        market.kept,
        state.olderBars?.symbol === symbol ? state.olderBars : null,
        barLengths[chart.length],
      ),
      orders: state.orders.value ?? noOrders,
      ownDrafts: state.ownDrafts,
      watches: state.alerts.watches,
      averageCost: averageCostOf(state, symbol),
      isZoomed: state.view.isZoomed,
      ...{ symbol, tickers, chart, book, ahead },
      nowMs: isStale(tickers, 'tickers', nowMs) ? nowMs : staleTime([book], nowMs),
      isSpoken: looks.isSpoken,
      isPrivate: looks.isPrivate,
    }
  }
}

const inkOf = ({ glyphs, on }: Theme, { dots }: ChartState): Ink => ({
  glyphs: glyphs.isAscii ? 'ascii' : dots,
  isOneTone: on.bid === on.ask,
})

/** The price bars and the depth curve of the symbol in view. */
export const ChartPane = memo(function ChartPane(props: PaneProps) {
  const theme = useTheme()
  const select = useMemo(chartSelector, [])
  const content = useMemo(() => {
    const ink = memoizeLast((chart: ChartState) => inkOf(theme, chart))
    return ({ isSpoken, ...input }: ReturnType<typeof select>, width: number, rowCount: number): ListContent => {
      const drawn = chartContent(input, { width, height: rowCount }, ink(input.chart))
      return isSpoken ? { ...drawn, rows: chartSentences(input, width) } : drawn
    }
  }, [theme])
  return <PaneView {...props} pane="chart" select={select} content={content} />
})
