import { memo, useCallback, useMemo } from 'react'
import type { Book } from '../../../domain/market/book.ts'
import { formatPrice, formatQuantity, type Instrument } from '../../../domain/market/instrument.ts'
import { Decimal } from '../../../domain/money.ts'
import type { Fill } from '../../../domain/orders/fills.ts'
import type { ChartState, PricePoint } from '../../../store/chart.ts'
import type { DeskState } from '../../../store/desk.ts'
import { emptyFeed, type Feed, isStale } from '../../../store/feeds/feed.ts'
import { memoizeLast } from '../../tables/memoize.ts'
import { cellText, nameText, wrapWords } from '../../text/cells.ts'
import { calmly, shownFeed, staleTime, useTheme } from '../../text/desk-context.ts'
import { fitRow, type Row, span } from '../../text/row.ts'
import { type ListContent, type PaneProps, PaneView, staleNote, waitingNote, words } from '../pane-view.tsx'
import { depthPicture, depthRows } from './depth-curve.ts'
import type { DotGlyphs } from './dot-canvas.ts'
import { priceLineRows, stretches } from './price-line.ts'

type ChartInput = Pick<
  DeskState,
  'symbol' | 'instruments' | 'tickers' | 'priceHistory' | 'fills' | 'nowMs' | 'chart'
> & { book: Feed<Book> | undefined }

type Size = { width: number; height: number }

/** Where the two pictures stand, in cells: one of them alone, beside each other, or below each other. */
type ChartPlan =
  | { kind: 'one'; size: Size }
  | { kind: 'beside'; price: Size; depth: Size }
  | { kind: 'below'; price: Size; depth: Size }

/** Narrower, or lower, than twice this a second picture would tell nothing. */
const widthLeast = 36
const heightLeast = 9
/** The part of the room that the picture in front takes. */
const frontShare = 0.62
const gapCells = 2

/** How the room is shared; the picture in front is the larger one where both fit. */
export function chartPlan({ view }: Pick<ChartState, 'view'>, { width, height }: Size): ChartPlan {
  const [whole, kind] =
    width >= 2 * widthLeast + gapCells
      ? [width - gapCells, 'beside' as const]
      : height >= 2 * heightLeast
        ? [height, 'below' as const]
        : [0, 'one' as const]
  if (kind === 'one') return { kind, size: { width, height } }
  const least = kind === 'beside' ? widthLeast : heightLeast
  const front = Math.min(whole - least, Math.round(whole * frontShare))
  const [price, depth] = view === 'price' ? [front, whole - front] : [whole - front, front]
  return kind === 'beside'
    ? { kind, price: { width: price, height }, depth: { width: depth, height } }
    : { kind, price: { width, height: price }, depth: { width, height: depth } }
}

const dimmed = (rows: readonly Row[]): Row[] => rows.map((row) => row.map(({ text }) => span(text, 'dim')))

/** Everything of a part that is known to be old, in words. */
const oldPart = (name: string, note: Row): Row => (note.length === 0 ? [] : [span(`  ${name}`, 'bad'), ...note])

type Part = { rows: Row[]; note: Row }

const noPoints: readonly PricePoint[] = []
const noFills: readonly Fill[] = []

// A book comes more often than a price does: the line is drawn anew only when something of it changed.
const drawnLine = memoizeLast(
  (
    points: readonly PricePoint[],
    fills: readonly Fill[],
    instrument: Instrument,
    endMs: number,
    spanMs: number,
    width: number,
    height: number,
    glyphs: DotGlyphs,
  ): Row[] | null => {
    const own = fills.filter(({ symbol }) => symbol === instrument.symbol)
    return priceLineRows({ points, fills: own, instrument, endMs, spanMs }, { width, height }, glyphs)
  },
)

/** The same for the other picture: prices come while the book stays. */
const drawnDepth = memoizeLast((book: Book, instrument: Instrument, width: number, height: number, glyphs: DotGlyphs) =>
  depthRows(book, instrument, { width, height }, glyphs),
)

const says = (sentence: string, { width, height }: Size): Row[] => words(sentence, width).slice(0, Math.max(1, height))

function pricePart(input: ChartInput, instrument: Instrument, size: Size, glyphs: DotGlyphs): Part {
  const { tickers, symbol, priceHistory, fills, chart, nowMs } = input
  if (tickers.value === null || tickers.atMs === null)
    return { rows: says(waitingNote('prices', tickers), size), note: [] }
  const points = priceHistory.get(symbol) ?? noPoints
  const { width, height } = size
  const own = fills.value ?? noFills
  const rows = drawnLine(points, own, instrument, tickers.atMs, chart.spanMs, width, height, glyphs)
  if (rows === null) return { rows: says(`Waiting for the first trade in ${cellText(symbol)}…`, size), note: [] }
  const note = oldPart('prices', staleNote(tickers, 'tickers', nowMs))
  return { rows: isStale(tickers, 'tickers', nowMs) ? dimmed(rows) : rows, note }
}

function depthPart(input: ChartInput, instrument: Instrument, size: Size, glyphs: DotGlyphs): Part {
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

/** `15m`, `4h`: how much time the line covers. */
function spanText(spanMs: number): string {
  const minutes = Math.round(spanMs / 60_000)
  return minutes < 60 ? `${minutes}m` : `${Math.round(minutes / 60)}h`
}

function parts(input: ChartInput, instrument: Instrument, size: Size, glyphs: DotGlyphs): Part {
  const plan = chartPlan(input.chart, size)
  if (plan.kind === 'one') {
    const make = input.chart.view === 'price' ? pricePart : depthPart
    return make(input, instrument, plan.size, glyphs)
  }
  const price = pricePart(input, instrument, plan.price, glyphs)
  const depth = depthPart(input, instrument, plan.depth, glyphs)
  const rows =
    plan.kind === 'beside'
      ? beside(price, plan.price.width, depth, size.height)
      : below(price, plan.price.height, depth)
  return { rows, note: [...price.note, ...depth.note] }
}

/** What the chart shows of the symbol in `height` rows of `width` cells. What is old is dim and named in the title. */
export function chartContent(input: ChartInput, size: Size, glyphs: DotGlyphs): ListContent {
  const { symbol, instruments, chart, fills } = input
  const instrument = instruments.value?.get(symbol)
  if (instrument === undefined) {
    return {
      note: [],
      rows: says(waitingNote(`the rules of ${cellText(symbol)}`, instruments), size),
      isStale: false,
    }
  }
  const { rows, note } = parts(input, instrument, size, glyphs)
  const title = span(`  ${nameText(symbol)} ${spanText(chart.spanMs)}`, 'label')
  const hasFills = fills.value?.some((fill) => fill.symbol === symbol) === true
  const foot: Row = hasFills ? [span('B S your fills', 'label')] : []
  return { note: [title, ...note], foot, rows, isStale: false }
}

function priceSentence({ symbol, tickers, priceHistory, instruments, chart }: ChartInput): string {
  const instrument = instruments.value?.get(symbol)
  if (instrument === undefined) return waitingNote(`the rules of ${symbol}`, instruments)
  if (tickers.value === null || tickers.atMs === null) return waitingNote('prices', tickers)
  const window = { startMs: tickers.atMs - chart.spanMs, endMs: tickers.atMs }
  const prices = stretches(priceHistory.get(symbol) ?? [], window).map(({ price }) => price)
  const [first] = prices
  const last = prices.at(-1)
  if (first === undefined || last === undefined) return `Waiting for the first trade in ${symbol}…`
  const text = (price: Decimal) => formatPrice(price, instrument)
  const way = last.gt(first) ? 'up' : last.lt(first) ? 'down' : 'level'
  const range = `between ${text(Decimal.min(...prices))} and ${text(Decimal.max(...prices))}`
  return `${symbol} over ${spanText(chart.spanMs)}: ${way} from ${text(first)} to ${text(last)}, ${range}.`
}

function depthSentence({ symbol, instruments, book = emptyFeed }: ChartInput): string {
  const instrument = instruments.value?.get(symbol)
  if (book.value === null || instrument === undefined) return waitingNote('the book', book)
  const picture = depthPicture(book.value, instrument, 1)
  if (picture === null) return `Nothing rests in the book of ${symbol}.`
  const [bids, asks] = [picture.bids[0], picture.asks[0]].map((sum) =>
    sum === undefined ? '0' : formatQuantity(sum, instrument),
  )
  const [low, high] = [picture.low, picture.high].map((price) => formatPrice(price, instrument))
  return `Bids of ${bids} down to ${low}, asks of ${asks} up to ${high}.`
}

/** What the pictures show in words, for those who hear the desk. */
export const chartSentences = (input: ChartInput, width: number): Row[] =>
  [priceSentence(input), depthSentence(input)].flatMap((sentence) =>
    wrapWords(cellText(sentence), Math.max(1, width - 1)).map((line) => [span(` ${line}`)]),
  )

const bookOf = ({ books, symbol }: DeskState): Feed<Book> => books.get(symbol) ?? emptyFeed

/** How long, in ms, both pictures stand while nothing but the market changes. */
const beatMs = 1_000

/** What the pictures are drawn from; one selector for each pane. */
function chartSelector() {
  const marketOf = calmly(
    (state) => ({ tickers: state.tickers, priceHistory: state.priceHistory, book: bookOf(state) }),
    beatMs,
    (state) => `${state.symbol} ${state.tickers.value === null} ${bookOf(state).value === null}`,
  )
  return (state: DeskState) => {
    const { symbol, chart, nowMs, looks } = state
    const market = marketOf(state)
    // What is old says so at once.
    const tickers = isStale(state.tickers, 'tickers', nowMs) ? state.tickers : market.tickers
    const book = shownFeed(isStale(bookOf(state), 'book', nowMs) ? bookOf(state) : market.book, 'book', nowMs)
    return {
      instruments: shownFeed(state.instruments, 'instruments', nowMs),
      fills: shownFeed(state.fills, 'fills', nowMs),
      priceHistory: market.priceHistory,
      ...{ symbol, tickers, chart, book },
      nowMs: isStale(tickers, 'tickers', nowMs) ? nowMs : staleTime([book], nowMs),
      isSpoken: looks.isSpoken,
    }
  }
}

/** Price line and depth curve of the symbol in view. */
export const ChartPane = memo(function ChartPane(props: PaneProps) {
  const theme = useTheme()
  const select = useMemo(chartSelector, [])
  const content = useCallback(
    ({ isSpoken, ...input }: ReturnType<typeof select>, width: number, rowCount: number): ListContent => {
      const drawn = chartContent(input, { width, height: rowCount }, theme.glyphs.isAscii ? 'ascii' : 'braille')
      return isSpoken ? { ...drawn, rows: chartSentences(input, width) } : drawn
    },
    [theme],
  )
  return <PaneView {...props} pane="chart" select={select} content={content} />
})
