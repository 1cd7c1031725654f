import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Ticker } from '../domain/balance.ts'
import { type Listing, noneUnreadable } from '../domain/listing.ts'
import type { Book, OrderByOrderBook } from '../domain/market/book.ts'
import { createFeedPoller, type FeedPoller } from './feed-poller.ts'
import type { ServiceContext } from './service-context.ts'

export type MarketDataClient = Pick<ExchangeClient, 'fetchSymbols' | 'fetchBook' | 'fetchTickers'>
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
  const pauseMostMs = () => (isAuctionShown() ? auctionMs : null)
  const rules = async (signal: AbortSignal) => {
    const { instruments, refused } = await client.fetchSymbols(signal)
    const atMs = clock.now()
    emit({ type: 'instruments', instruments, atMs })
    for (const sentence of refused) {
      if (!told.has(sentence)) emit({ type: 'leftOut', sentence, atMs })
      told.add(sentence)
    }
    return instruments
  }
  // Each symbol that cannot be read is told of once, not at every poll.
  const told = new Set<string>()
  const book = async (signal: AbortSignal) => {
    const asked = symbol()
    const book = await client.fetchBook(asked, signal)
    emit({ type: 'book', symbol: asked, book, ...unreadableOf(book), atMs: clock.now() })
    return book
  }
  const bySymbol = createTickerMaps()
  const tickers = async (signal: AbortSignal) => {
    const { entries, unreadable } = await client.fetchTickers(signal)
    const tickers = bySymbol(entries)
    emit({ type: 'tickers', tickers, unreadable, atMs: clock.now() })
    return tickers
  }
  return {
    instruments: createFeedPoller('instruments', context, rules, { pauseMostMs }),
    book: createFeedPoller('book', context, book, { symbol }),
    tickers: createFeedPoller('tickers', context, tickers),
  }
}

/** Entries of a book that cannot be read, for the report of it. */
export const unreadableOf = ({ unreadable }: Book | OrderByOrderBook): Pick<Listing<never>, 'unreadable'> => ({
  unreadable: unreadable ?? noneUnreadable,
})

/** The tickers by their symbols: the same map again for the same list. */
function createTickerMaps(): (list: readonly Ticker[]) => ReadonlyMap<string, Ticker> {
  let last: { list: readonly Ticker[]; map: ReadonlyMap<string, Ticker> } | null = null
  return (list) => {
    if (last?.list !== list) last = { list, map: new Map(list.map((ticker) => [ticker.symbol, ticker])) }
    return last.map
  }
}
