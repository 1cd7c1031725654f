import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { LadderWants } from '../../domain/desk/feeds.ts'
import { type Listing, noneUnreadable } from '../../domain/listing.ts'
import type { Book, OrderByOrderBook } from '../../domain/market/book.ts'
import type { Ticker } from '../../domain/market/ticker.ts'
import { feedSentence } from '../failure-sentences.ts'
import {
  createFeedPoller,
  createPoller,
  defaultIntervalMaxMs,
  type FeedPoller,
  leftOutTeller,
  type Poller,
  pollOnce,
  type ServiceContext,
  unknownSymbol,
} from './poller.ts'
import { type SeenClient, seenAtMs } from './seen.ts'

export type MarketDataClient = Pick<ExchangeClient, 'fetchSymbols' | 'fetchBook' | 'fetchTickers'> & SeenClient
export type MarketData = { instruments: FeedPoller; book: FeedPoller; tickers: FeedPoller }

/** What is looked at: the symbol whose book is asked for, and whether an auction is among what is shown. */
export type MarketView = { symbol: () => string; isAuctionShown: () => boolean }

/** The rules of a symbol tell of its auction, whose price and size change with every order. */
const auctionMs = 1_000

/**
 * Polls the rules of all symbols, faster while an auction is shown, all tickers, and the book of the symbol that `view`
 * names at each poll.
 */
export function createMarketData(client: MarketDataClient, view: MarketView, context: ServiceContext): MarketData {
  const { clock, emit } = context
  const { symbol, isAuctionShown } = view
  const pauseMaxMs = () => (isAuctionShown() ? auctionMs : null)
  const rules = async (signal: AbortSignal) => {
    const answer = await client.fetchSymbols(signal)
    const { instruments, unread } = answer
    emit({ type: 'instruments', instruments, unread, atMs: seenAtMs(client, answer, clock.now()) })
    tellLeftOut(unread.values())
    return instruments
  }
  const tellLeftOut = leftOutTeller(context)
  const bookOf = bookAsker(client, context)
  const bySymbol = createTickerMaps()
  const tickers = async (signal: AbortSignal) => {
    const answer = await client.fetchTickers(signal)
    const tickers = bySymbol(answer.entries)
    const { unreadable } = answer
    emit({ type: 'tickers', tickers, unreadable, atMs: seenAtMs(client, answer, clock.now()) })
    return tickers
  }
  return {
    instruments: createFeedPoller('instruments', context, rules, { pauseMaxMs }),
    book: createFeedPoller('book', context, (signal) => bookOf(symbol(), signal), { symbol }),
    tickers: createFeedPoller('tickers', context, tickers),
  }
}

/** Entries of a book that cannot be read, for the report of it. */
const unreadableOf = ({ unreadable }: Book | OrderByOrderBook): Pick<Listing<never>, 'unreadable'> => ({
  unreadable: unreadable ?? noneUnreadable,
})

/** Asks for the book of a symbol, reports it, and gives it. */
const bookAsker =
  (client: WatchedBooksClient, { clock, emit }: ServiceContext) =>
  async (symbol: string, signal: AbortSignal): Promise<Book> => {
    const book = await client.fetchBook(symbol, signal)
    emit({ type: 'book', symbol, book, ...unreadableOf(book), atMs: seenAtMs(client, book, clock.now()) })
    return book
  }

/** The tickers by their symbols: the same map again for the same list. */
function createTickerMaps(): (list: readonly Ticker[]) => ReadonlyMap<string, Ticker> {
  let last: { list: readonly Ticker[]; map: ReadonlyMap<string, Ticker> } | null = null
  return (list) => {
    if (last?.list !== list) last = { list, map: new Map(list.map((ticker) => [ticker.symbol, ticker])) }
    return last.map
  }
}

export type LadderDataClient = Pick<ExchangeClient, 'fetchBook' | 'fetchOrderByOrderBook'> & SeenClient

/** A poller for each of them: one that nothing needs makes no calls. */
export type LadderData = Record<keyof LadderWants, FeedPoller>

/** Polls what ladders show beside the first one's book, for as long as `wants` names a symbol. */
export function createLadderData(
  client: LadderDataClient,
  wants: () => LadderWants,
  context: ServiceContext,
): LadderData {
  const { clock, emit } = context
  const bookOf = bookAsker(client, context)
  const queueOf = async (symbol: string, signal: AbortSignal) => {
    const book = await client.fetchOrderByOrderBook(symbol, signal)
    emit({ type: 'queue', symbol, book, ...unreadableOf(book), atMs: seenAtMs(client, book, clock.now()) })
    return book
  }
  const pollerOf = (name: keyof LadderWants): FeedPoller => {
    const symbol = () => wants()[name]
    const fetch = name === 'otherBook' ? bookOf : queueOf
    const poll = async (signal: AbortSignal) => {
      const wanted = symbol()
      return wanted === null ? null : await fetch(wanted, signal)
    }
    return createFeedPoller(name, context, poll, { symbol })
  }
  return { otherBook: pollerOf('otherBook'), queue: pollerOf('queue'), otherQueue: pollerOf('otherQueue') }
}

export type WatchedBooksClient = Pick<ExchangeClient, 'fetchBook'> & SeenClient

/** Each watched book is asked for this often, however many there are, down to `watchedPauseMinMs` between two calls. */
const watchedRoundMs = 5_000
const watchedPauseMinMs = 500
/** Nothing is watched most of the time: a new watch wakes the poller. */
const watchedRestMs = 60_000

/** Watched books of which one can be asked for out of its turn. */
export type WatchedBooks = Poller & {
  /** There is news of a symbol: where it is watched its book is asked for now. */
  look(symbol: string): void
}

/** Polls the books of symbols that alerts or a wall look at and no ladder shows, all of them once in `roundMs`. */
export function createWatchedBooks(
  client: WatchedBooksClient,
  symbols: () => readonly string[],
  context: ServiceContext,
  roundMs = watchedRoundMs,
): WatchedBooks {
  const { clock, random, signal, emit, beat } = context
  const bookOf = bookAsker(client, context)
  let turn = 0
  const first = new Set<string>()
  /** The next symbol: one of which there is news, else the one whose turn it is. */
  const next = (watched: readonly string[]): string | undefined => {
    for (const symbol of first) {
      first.delete(symbol)
      if (watched.includes(symbol)) return symbol
    }
    const symbol = watched[turn % Math.max(1, watched.length)]
    if (symbol !== undefined) turn += 1
    return symbol
  }
  const poll = async () => {
    const symbol = next(symbols())
    if (symbol === undefined) return true
    const askedAtMs = clock.now()
    return await pollOnce(
      signal,
      async () => void (await bookOf(symbol, signal)),
      (error) => {
        const sentence = feedSentence(error)
        emit({
          type: 'feedFailed',
          feed: 'book',
          symbol,
          sentence,
          askedAtMs,
          ...unknownSymbol(symbol, error),
          atMs: clock.now(),
        })
      },
    )
  }
  const intervalMs = () => {
    const { length } = symbols()
    if (first.size > 0) return 0
    return length === 0 ? watchedRestMs : Math.max(watchedPauseMinMs, roundMs / length)
  }
  // Many books are many calls: their round is kept, and others may begin with them.
  const mayBeEarly = () => false
  const poller = createPoller(poll, {
    ...{ intervalMs, intervalMaxMs: defaultIntervalMaxMs, clock, random, signal, beat, mayBeEarly },
  })
  return {
    ...poller,
    look(symbol) {
      if (!symbols().includes(symbol)) return
      first.add(symbol)
      poller.wake()
    },
  }
}
