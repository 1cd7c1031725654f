import { clockText } from '../../../base/text/time-text.ts'
import { type FeedName, feedNames, feeds } from '../../../domain/desk/feeds.ts'
import { dayRange } from '../../../domain/market/bar-list.ts'
import { type Book, bestAsk, bestBid, spread } from '../../../domain/market/book.ts'
import { exactPriceScale, type Instrument } from '../../../domain/market/instrument.ts'
import { change24h } from '../../../domain/market/ticker.ts'
import { type Decimal, formatGrouped } from '../../../domain/money.ts'
import { barsOfSymbol } from '../../../store/bars.ts'
import type { DeskState } from '../../../store/desk.ts'
import { ageMs, emptyFeed, type Feed, isOlderThan, isStale } from '../../../store/feeds/feed.ts'
import { feedOf } from '../../../store/feeds/feeds.ts'
import { percentText } from '../../text/amounts.ts'
import { cellText, nameText, wrapWords } from '../../text/cells.ts'
import { ageTime } from '../../text/desk-context.ts'
import { calmAgeText, exchangeAheadMs, wholeAgeText } from '../../text/moment.ts'
import { edges, fitWords, type KeepRow, makeEachRow, type Row, rowWidth, span } from '../../text/row.ts'
import { type Tone, toneInBar } from '../../text/theme.ts'
import { type BigGlyphs, bigSizeIn, bigText } from './big-text.ts'

export type Size = { width: number; height: number }

/** A wall part's content within its frame. */
export type WallContent = { title: string; note: Row; rows: readonly Row[]; isStale: boolean }

/** Large text as rows of one tone, left-aligned. */
export const bigRows = (text: string, size: number, glyphs: BigGlyphs, tone: Tone): Row[] =>
  bigText(text, size, glyphs).map((line) => [span(line, tone)])

/** As many leading parts as fit on the line, none of them cut. */
export function fittingParts(parts: readonly Row[], width: number, between = '   '): Row {
  let line: Row = []
  for (const part of parts) {
    if (part.length === 0) continue
    const next = line.length === 0 ? part : [...line, span(between), ...part]
    if (rowWidth(next) > width) break
    line = next
  }
  return line
}

/** The rows centered vertically in `height` lines. */
export function centered(rows: readonly Row[], height: number): readonly Row[] {
  const above = Math.max(0, Math.floor((height - rows.length) / 2))
  return [...Array.from({ length: above }, (): Row => []), ...rows].slice(0, height)
}

const bookOf = ({ books }: DeskState, symbol: string): Feed<Book> => books.get(symbol) ?? emptyFeed

/** `STALE 12s`; empty while the feed is fresh. */
const oldText = (state: DeskState, feed: Feed<unknown>, name: FeedName): string =>
  isStale(feed, name, state.nowMs) ? `STALE ${feedAge(state, feed)}` : ''

/** The age of a feed's last answer; `wait` before the first. */
export function feedAge(state: DeskState, feed: Feed<unknown>): string {
  const age = ageMs(feed, ageTime(state))
  return age === null ? 'wait' : state.looks.isMotionReduced ? calmAgeText(age) : wholeAgeText(age)
}

/** A price with the symbol's decimals and thousands separators; a wall has no narrow column that must omit them. */
export const priceIn = (price: Decimal | null | undefined, instrument: Instrument | undefined): string =>
  price === null || price === undefined
    ? '-'
    : formatGrouped(price, exactPriceScale(price, instrument ?? { priceScale: 0 }))

/** The strength of a 24-hour change as signs: none below 0.5%, one below 2%, two below 5%, else three. */
export function heatSign(change: Decimal | null): string {
  if (change === null) return ''
  const share = change.abs()
  const count = share.lt('0.005') ? 0 : share.lt('0.02') ? 1 : share.lt('0.05') ? 2 : 3
  return (change.lt(0) ? '-' : '+').repeat(count)
}

/** The change's color: none, that of its direction, and from 2% on over a background of that color. */
export function heatTone(change: Decimal | null): Tone {
  const sign = heatSign(change)
  if (sign === '') return 'text'
  const isUp = sign.startsWith('+')
  const tone = isUp ? 'bid' : 'ask'
  return sign.length === 1 ? tone : toneInBar(tone, isUp ? 'bidBar' : 'askBar')
}

/** The large price's inputs, all text: while they are equal, nothing is redrawn. */
export type PriceView = {
  symbol: string
  price: string
  change: string
  tone: Tone
  bid: string
  ask: string
  spread: string
  low: string
  high: string
  /** The start of the day's record, if that is within the day; otherwise empty. */
  since: string
  status: string
  old: string
  waiting: string
}

/** `STALE` notes for the price's sources, prices first. */
function oldPrices(state: DeskState): string {
  const tickers = oldText(state, state.tickers, 'tickers')
  const book = oldText(state, bookOf(state, state.symbol), 'book')
  return [tickers === '' ? '' : `prices ${tickers}`, book === '' ? '' : `book ${book}`]
    .filter((text) => text !== '')
    .join('  ')
}

export function priceView(state: DeskState): PriceView {
  const { symbol } = state
  const instrument = state.instruments.value?.get(symbol)
  const ticker = state.tickers.value?.get(symbol)
  const book = bookOf(state, symbol).value
  const change = ticker === undefined ? null : change24h(ticker)
  const range = dayRange(barsOfSymbol(state, symbol))
  const text = (price: Decimal | null | undefined) => priceIn(price, instrument)
  return {
    symbol: nameText(symbol),
    price: text(ticker?.lastPrice),
    change: change === null ? '' : percentText(change),
    tone: change === null || change.isZero() ? 'title' : change.lt(0) ? 'ask' : 'bid',
    bid: text(book === null ? null : bestBid(book)),
    ask: text(book === null ? null : bestAsk(book)),
    spread: text(book === null ? null : spread(book)),
    low: text(range?.low),
    high: text(range?.high),
    since: range === null || range.isWhole ? '' : clockText(range.sinceMs - exchangeAheadMs(state.ahead)).slice(0, 5),
    status: instrument === undefined || instrument.status === 'open' ? '' : instrument.status.toUpperCase(),
    old: oldPrices(state),
    waiting: state.tickers.value === null ? (state.tickers.failure?.sentence ?? 'Waiting for prices…') : '',
  }
}

export const labeled = (label: string, text: string, tone: Tone = 'text'): Row => [
  span(`${label} `, 'label'),
  span(text, tone),
]

/** Symbol and change side by side, large if both fit above a blank line. */
function priceHead({ symbol, change, tone }: PriceView, { width, height }: Size, glyphs: BigGlyphs): readonly Row[] {
  const both = `${symbol} ${change}`
  const size = bigSizeIn(both, { width, height: height - 1 }, 2)
  if (size === 0) return height < 2 ? [] : [[span(symbol, 'title'), span('  '), span(change, tone)], []]
  const gap = ' '.repeat(size * 4)
  const [left, right] = [bigText(symbol, size, glyphs), bigText(change, size, glyphs)]
  return [...left.map((line, at): Row => [span(line, 'title'), span(gap), span(right[at] ?? '', tone)]), []]
}

/** Bid, ask, spread and the day's range: in one line, or in two if one is too short. */
function quoteRows(view: PriceView, hasHead: boolean, { width, height }: Size): readonly Row[] {
  const between = width < 60 ? ' ' : '   '
  const quote = [
    hasHead || view.change === '' ? [] : [span(view.change, view.tone)],
    labeled('bid', view.bid, 'bid'),
    labeled('ask', view.ask, 'ask'),
    labeled('spread', view.spread),
  ]
  const since = view.since === '' ? 'range 24h' : `range since ${view.since}`
  const range = view.low === '-' ? [] : labeled(since, `${view.low} - ${view.high}`)
  const whole = fittingParts([...quote, range], width, between)
  const isAll = rowWidth(whole) === rowWidth(fittingParts([...quote, range], Number.POSITIVE_INFINITY, between))
  return isAll || height < 2 ? [whole] : [fittingParts(quote, width, between), fittingParts([range], width)]
}

/** Largest dots: larger digits would leave no room for the lines around the price. */
const priceMax = 4

/** The large price with its change, bid, ask, spread, and the range of the last 24 hours as far as recorded. */
export function priceContent(view: PriceView, { width, height }: Size, glyphs: BigGlyphs): WallContent {
  const inner = { width: width - 1, height }
  const title = view.symbol
  const note: Row = [
    ...(view.status === '' ? [] : [span(`  ${view.status}`, 'warn')]),
    ...(view.old === '' ? [] : [span(`  ${view.old}`, 'bad')]),
  ]
  if (view.waiting !== '') {
    const rows = wrapWords(cellText(view.waiting), inner.width).map((line): Row => [span(` ${line}`, 'dim')])
    return { title, note, rows, isStale: false }
  }
  const size = bigSizeIn(view.price, { width: inner.width, height: height - 1 }, priceMax)
  const price = size === 0 ? [[span(view.price, view.tone)]] : bigRows(view.price, size, glyphs, view.tone)
  const head = priceHead(view, { width: inner.width, height: height - price.length - 2 }, glyphs)
  const hasHead = head.length > 0
  const quotes = quoteRows(view, hasHead, { width: inner.width, height: height - head.length - price.length })
  const air: readonly Row[] = hasHead && head.length + price.length + quotes.length + 1 <= height ? [[]] : []
  const rows = centered([...head, ...price, ...air, ...quotes], height).map((row): Row => [span(' '), ...row])
  return { title, note, rows, isStale: view.old !== '' }
}

/** Feeds whose age matters to a viewer. */
export const watchedFeeds = feedNames.filter((name) => name !== 'queue')

/** A row of the tickers list, as text. */
type TickerCells = { symbol: string; last: string; change: string; heat: string; tone: Tone; isShown: boolean } & {
  quote: readonly string[]
  /** The span of its range: `24h`, or the start of the record, `20:39`; null without a record. */
  rangeOf: string | null
}

export type TickersView = Pick<DeskState, 'instruments' | 'tickers' | 'bars' | 'books' | 'symbol'> & {
  old: string
  aheadMs: number
  nowMs: number
}

export function tickersView(state: DeskState): TickersView {
  const { instruments, tickers, bars, books, symbol } = state
  // A book ages once it is no longer polled: checking once a second is enough.
  return {
    instruments,
    tickers,
    bars,
    books,
    symbol,
    old: oldText(state, tickers, 'tickers'),
    aheadMs: exchangeAheadMs(state.ahead),
    nowMs: ageTime(state),
  }
}

/** The list's books are polled in turn: each counts as current for this long. */
const quoteMaxMs = 30_000

/** The first of all symbols, at most `most`; the one of the large price is always among them. */
function listedOf(symbols: readonly string[], shown: string, most: number): readonly string[] {
  const head = symbols.slice(0, most)
  return head.includes(shown) || !symbols.includes(shown) ? head : [...head.slice(0, -1), shown]
}

function tickerCells(view: TickersView, symbols: readonly string[]): TickerCells[] {
  const { instruments, tickers, bars, books, symbol: shown, nowMs, aheadMs } = view
  return symbols.map((symbol) => {
    const instrument = instruments.value?.get(symbol)
    const ticker = tickers.value?.get(symbol)
    const change = ticker === undefined ? null : change24h(ticker)
    const feed = books.get(symbol) ?? emptyFeed
    // A book that is no longer polled says nothing about the current quote.
    const book = isOlderThan(feed, quoteMaxMs, nowMs) ? null : feed.value
    const range = dayRange(barsOfSymbol({ bars }, symbol))
    const text = (price: Decimal | null | undefined) => priceIn(price, instrument)
    return {
      symbol: nameText(symbol),
      last: text(ticker?.lastPrice),
      change: change === null ? '-' : percentText(change),
      heat: heatSign(change),
      tone: heatTone(change),
      isShown: symbol === shown,
      rangeOf: range === null ? null : range.isWhole ? wholeDay : clockText(range.sinceMs - aheadMs).slice(0, 5),
      quote: [
        text(book === null ? null : bestBid(book)),
        text(book === null ? null : bestAsk(book)),
        text(range?.low),
        text(range?.high),
        instrument === undefined || instrument.status === 'open' ? '' : instrument.status.toUpperCase(),
      ],
    }
  })
}

/** The span common to all ranges; empty if it differs, so that the heads claim none. */
function rangeTime(cells: readonly TickerCells[]): string {
  const times = new Set(cells.flatMap(({ rangeOf }) => rangeOf ?? []))
  return times.size === 1 ? ([...times][0] ?? '') : times.size === 0 ? wholeDay : ''
}

/** Where low and high start in `quote`. */
const rangeFrom = 2

/** The span of a range recorded from its start. */
const wholeDay = '24h'

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length))

/**
 * Every symbol with its last price and 24-hour change, with color and signs by its strength, and as many further
 * columns as fit whole. The symbol of the large price is always included.
 */
export function tickersContent(view: TickersView, { width, height }: Size, keep: KeepRow = makeEachRow): WallContent {
  const title = 'Tickers, 24h'
  const note: Row = view.old === '' ? [] : [span(`  ${view.old}`, 'bad')]
  if (view.tickers.value === null) return { title, note, rows: [[span(' Waiting for prices…', 'dim')]], isStale: false }
  const all = [...(view.instruments.value?.keys() ?? view.tickers.value.keys())]
  const listed = tickerCells(view, listedOf(all, view.symbol, Math.max(1, height - 1)))
  const names = widest(['SYMBOL', ...listed.map(({ symbol }) => symbol)])
  const lasts = widest(['LAST', ...listed.map(({ last }) => last)])
  const changes = widest(['24h', ...listed.map(({ change }) => change)])
  let left = width - 2 - (names + 2 + lasts + 2 + changes + 4)
  const time = rangeTime(listed)
  const heads = time === wholeDay ? ['24h LOW', '24h HIGH'] : ['LOW', 'HIGH']
  const columns = ['BID', 'ASK', ...heads, ''].flatMap((text, at) => {
    const cells = widest([text, ...listed.map(({ quote }) => quote[at] ?? '')])
    if (cells === 0 || cells + 2 > left) {
      if (cells > 0) left = 0
      return []
    }
    left -= cells + 2
    return [{ at, cells, text }]
  })
  const titled = columns.map(({ cells, text }) => `  ${text.padStart(cells)}`).join('')
  const titles = ` ${'SYMBOL'.padEnd(names)}  ${'LAST'.padStart(lasts)}  ${'24h'.padStart(changes)}    ${titled}`
  const rows = listed.map((each, at): Row => {
    const start = `${each.symbol.padEnd(names)}  `
    const heated = `${each.last.padStart(lasts)}  ${each.change.padStart(changes)} ${each.heat.padEnd(3)}`
    const rest = columns.map(({ at: from, cells }) => `  ${(each.quote[from] ?? '').padStart(cells)}`).join('')
    return keep(at + 1, [each.isShown, start, heated, each.tone, rest], () => [
      span(each.isShown ? '*' : ' ', 'title'),
      span(start, each.isShown ? 'title' : 'text'),
      span(heated, each.tone),
      span(rest, 'text'),
    ])
  })
  const more = all.length - listed.length
  const isSince = time !== '' && time !== wholeDay && columns.some(({ at }) => at === rangeFrom)
  const count = more === 0 ? '' : `, ${listed.length} of ${all.length}`
  return {
    title: `${title}${count}${isSince ? `, range since ${time}` : ''}`,
    note,
    rows: [keep(0, [titles], () => [span(titles, 'label')]), ...rows],
    isStale: view.old !== '',
  }
}

/** The first combination of a start and an end that fits one line; if none does, the last start, cut at words. */
export function fittingLine(starts: readonly Row[], ends: readonly Row[], width: number): Row {
  for (const start of starts) {
    const end = ends.find((each) => rowWidth(start) + rowWidth(each) < width)
    if (end !== undefined) return edges(start, end, width)
  }
  return fitWords(starts.at(-1) ?? [], width)
}

/**
 * Every feed's age in one line, in shorter words if the full ones do not fit. Stale ones come first, and what still
 * does not fit is dropped from the end.
 */
export function agesRow(state: DeskState, width: number): Row {
  const [long, short] = [ageParts(state, 'label'), ageParts(state, 'shortLabel')]
  const whole = fittingParts(long, width, '  ')
  return rowWidth(whole) < rowWidth(fittingParts(long, Number.MAX_SAFE_INTEGER, '  '))
    ? fittingParts(short, width, '  ')
    : whole
}

function ageParts(state: DeskState, label: 'label' | 'shortLabel'): Row[] {
  const parts = watchedFeeds
    .map((name) => ({ name, feed: feedOf(state, name), isOld: isStale(feedOf(state, name), name, state.nowMs) }))
    .toSorted((one, other) => Number(other.isOld) - Number(one.isOld) || feeds[one.name].rank - feeds[other.name].rank)
    .map(({ name, feed, isOld }): Row => {
      const mark = feed.failure === null ? '' : '!'
      return labeled(
        feeds[name][label],
        `${feedAge(state, feed)}${mark}`,
        isOld ? 'bad' : mark === '' ? 'text' : 'warn',
      )
    })
  return [[span(' ages', 'label')], ...parts]
}
