import { isLocked } from '../../../domain/desk/lock.ts'
import { ladderRows, type OwnInRow } from '../../../domain/ladder/ladder.ts'
import { isLeftBehind } from '../../../domain/market/book.ts'
import {
  formatExactPrice,
  formatPrice,
  formatQuantity,
  type Instrument,
  type SymbolStatus,
  statusWords,
} from '../../../domain/market/instrument.ts'
import type { Decimal } from '../../../domain/money.ts'
import { ownStops, ownUnknown } from '../../../domain/orders/own-draft.ts'
import type { DeskState } from '../../../store/desk.ts'
import { emptyFeed, isStale } from '../../../store/feeds/feed.ts'
import { activeLadder, activeSymbol, hasSecondLadder } from '../../../store/ladder/ladder.ts'
import { helpLinesOf } from '../../overlays/help/help-text.ts'
import type { Binding } from '../../tables/key-bindings.ts'
import { ownSentence } from '../../text/privacy.ts'
import { lockCounts } from '../blocking-screens.tsx'
import { feedAges } from '../header-row.ts'

const sentence = (parts: readonly (string | null)[]): string => `${parts.filter((part) => part !== null).join(', ')}.`

/** The ladder at the cursor: `64209.50: bid 1.9400, own buy 0.0500, last price.` */
export function cursorSentence(state: DeskState): string {
  const { cursorPrice, groupTicks } = state[activeLadder(state)]
  const symbol = activeSymbol(state)
  const instrument = state.instruments.value?.get(symbol)
  if (instrument === undefined) return 'The ladder is not loaded yet.'
  if (cursorPrice === null) return 'No cursor: orders join the touch.'
  const [row] = ladderRows({
    instrument,
    groupTicks,
    centerPrice: cursorPrice,
    rowCount: 1,
    book: state.books.get(symbol)?.value ?? null,
    orders: state.orders.value ?? [],
    stops: ownStops(state.orders.value ?? [], state.ownDrafts),
    unknown: ownUnknown(state.unknownWrites, state.ownDrafts),
    lastPrice: state.tickers.value?.get(symbol)?.lastPrice ?? null,
    ownAveragePrice: null,
    auctionPrice: instrument.auction.price,
  })
  if (row === undefined) return 'The cursor is not on a price.'
  const said = (name: string, quantity: Decimal | null | undefined) =>
    quantity === null || quantity === undefined ? null : `${name} ${formatQuantity(quantity, instrument)}`
  const ownSaid = (side: string, own: OwnInRow | null) => {
    if (own === null) return null
    const name = own.isOffTick === true ? `${side} off the tick` : side
    // An order of unknown quantity is there all the same.
    return state.looks.isPrivate ? name : (said(name, own.quantity) ?? `${name} of unknown quantity`)
  }
  const parts = [
    said('bid', row.bidQuantity),
    said('ask', row.askQuantity),
    ownSaid('own buy', row.ownBuy),
    ownSaid('own sell', row.ownSell),
    ownSaid('own buy stop pending', row.stopBuy),
    ownSaid('own sell stop pending', row.stopSell),
    row.unknownBuy === null ? null : 'own buy UNKNOWN',
    row.unknownSell === null ? null : 'own sell UNKNOWN',
    row.isLast ? 'last price' : null,
    row.isAuction ? 'auction price' : null,
  ]
  const price = formatExactPrice(row.price, instrument)
  return `${price}: ${parts.every((part) => part === null) ? 'nothing rests here.' : sentence(parts)}`
}

const side = (
  name: string,
  level: { price: Decimal; quantity: Decimal } | undefined,
  instrument: Instrument,
): string =>
  level === undefined
    ? `no ${name}`
    : `best ${name} ${formatPrice(level.price, instrument)} for ${formatQuantity(level.quantity, instrument)}`

/** The market in a few sentences: symbol and status, best prices, spread, last price, and the row at the cursor. */
export function ladderSentences(state: DeskState): string[] {
  const symbol = activeSymbol(state)
  const instrument = state.instruments.value?.get(symbol)
  const feed = state.books.get(symbol) ?? emptyFeed
  const book = feed.value
  if (instrument === undefined || book === null) return [`Ladder ${symbol}: waiting for the book.`]
  const [bid] = book.bids
  const [ask] = book.asks
  const last = state.tickers.value?.get(symbol)?.lastPrice ?? null
  const isLastOld =
    last !== null && (isStale(state.tickers, 'tickers', state.nowMs) || isLeftBehind(last, book, instrument.tickSize))
  const old = isStale(feed, 'book', state.nowMs) ? ['This book is old: STALE.'] : []
  return [
    `Ladder ${symbol}, ${instrument.status}.`,
    ...old,
    sentence([
      side('bid', bid, instrument),
      side('ask', ask, instrument),
      bid === undefined || ask === undefined ? null : `spread ${formatPrice(ask.price.minus(bid.price), instrument)}`,
      last === null ? null : `last ${formatPrice(last, instrument)}${isLastOld ? ', old' : ''}`,
    ]),
    state[activeLadder(state)].cursorPrice === null ? cursorSentence(state) : `Cursor at ${cursorSentence(state)}`,
  ]
}

const staleNames = (state: DeskState): string[] =>
  feedAges(state).flatMap(({ name, isStale }) => (isStale ? [name] : []))

function newLogLines(before: DeskState, after: DeskState): string[] {
  if (after.log === before.log) return []
  const last = before.log.at(-1)
  const from = last === undefined ? 0 : after.log.lastIndexOf(last) + 1
  return after.log.slice(from).map(({ text }) => ownSentence(text, after.looks.isPrivate))
}

/** The lines that the lock itself writes: an answer to a try, and what it takes to halt there. */
const ofLock = /^Lock(?:ed)?: /

/** What may be heard behind a lock: what its screen shows too. */
function lockedNews(before: DeskState, after: DeskState): string[] {
  const [counted, counts] = [lockCounts(before), lockCounts(after)]
  return [
    ...newLogLines(before, after).filter((text) => ofLock.test(text)),
    ...counts.filter((text) => !counted.includes(text)),
  ]
}

/** How many lines of the log were not told because the desk was locked. */
function untoldNews(before: DeskState, after: DeskState): string[] {
  if (!isLocked(before.lock) || isLocked(after.lock)) return []
  const since = before.log.slice(before.log.findLastIndex(({ text }) => text.startsWith('Locked.')) + 1)
  const count = since.filter(({ text }) => !ofLock.test(text)).length
  return count === 0 ? [] : [`While locked: ${count} new, see 7 Log.`]
}

/** The symbols of the ladders on screen. */
const shownSymbols = (state: DeskState): string[] =>
  [state.symbol, hasSecondLadder(state) ? state.symbol2 : null].flatMap((symbol) => symbol ?? [])

const statusOf = ({ instruments }: DeskState, symbol: string): SymbolStatus | undefined =>
  instruments.value?.get(symbol)?.status

/** What became of the status of a symbol whose ladder was and is on screen. */
function statusNews(before: DeskState, after: DeskState): string[] {
  const known = shownSymbols(before)
  return [...new Set(shownSymbols(after))].flatMap((symbol) => {
    const [was, status] = [statusOf(before, symbol), statusOf(after, symbol)]
    if (!known.includes(symbol) || was === undefined || status === was) return []
    return [`${symbol} ${status === undefined ? 'is gone' : statusWords[status]} now.`]
  })
}

/**
 * Changes between two states that the user must hear unasked: new log lines, a change of mode or of a shown symbol's
 * status, data that became stale or fresh again. Behind a lock anyone may hear it: counts instead of lines.
 */
export function announcements(before: DeskState, after: DeskState): string[] {
  const isHidden = isLocked(before.lock) && isLocked(after.lock)
  const said = isHidden
    ? lockedNews(before, after)
    : [...newLogLines(before, after), ...untoldNews(before, after), ...statusNews(before, after)]
  if (before.mode.kind !== after.mode.kind && !said.some((text) => text.includes(after.mode.kind))) {
    said.push(`Mode is ${after.mode.kind}.`)
  }
  // Ages change only when time passes or an answer arrives.
  if (before.nowMs === after.nowMs && before.books === after.books) return said
  const [old, now] = [staleNames(before), staleNames(after)]
  const grown = now.filter((name) => !old.includes(name))
  const back = old.filter((name) => !now.includes(name))
  if (grown.length > 0) said.push(`STALE: ${grown.join(', ')}. Old data, do not rely on it.`)
  if (back.length > 0) said.push(`Fresh again: ${back.join(', ')}.`)
  return said
}

/**
 * All keys, or those that match the query, one after the other: a screen reader would read the help's columns across.
 */
export function helpSentences(bindings: readonly Binding[], query: string, first: readonly string[]): string[] {
  const typed = query === '' ? 'Keys. Type to filter.' : `Keys with ${query}:`
  const lines = helpLinesOf(bindings, query, first).flatMap((line) => {
    // A continuation line is already spoken as part of its entry.
    if (line.kind === 'gap' || line.kind === 'more') return []
    if (line.kind === 'title') return [`${line.text}:`]
    return [`${line.keys}: ${line.label}${line.isDanger ? ', sends or cancels orders' : ''}.`]
  })
  return [typed, ...(lines.length === 0 ? ['No key matches.'] : lines)]
}
