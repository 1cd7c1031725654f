import type { ExchangeClient } from '../api/exchange-client.ts'
import { createFeedPoller } from './feed-poller.ts'
import type { Poller } from './poller.ts'
import { pauseMs, type ServiceContext } from './service-context.ts'

export type MarketDataClient = Pick<ExchangeClient, 'fetchSymbols' | 'fetchBook' | 'fetchTickers'>
export type MarketData = { instruments: Poller; book: Poller; tickers: Poller }

/** What is looked at: the symbol whose book is asked for, and whether an auction is among what is shown. */
export type MarketView = { symbol: () => string; isAuctionShown: () => boolean }

/** The rules of a symbol tell of its auction, whose price and size change with every order. */
const auctionMs = 1_000

/** Polls the rules of all symbols, faster while an auction is shown, all tickers, and the book of the symbol that `view` names at each poll. */
export function createMarketData(client: MarketDataClient, view: MarketView, context: ServiceContext): MarketData {
  const { clock, emit, pollMs } = context
  const { symbol, isAuctionShown } = view
  const rulesMs = () => {
    const usualMs = pauseMs('instruments', context)
    // A pause that somebody asked for is kept.
    return isAuctionShown() && pollMs?.instruments === undefined ? Math.min(auctionMs, usualMs) : usualMs
  }
  // Each symbol that cannot be read is told of once, not at every poll.
  const told = new Set<string>()
  return {
    instruments: createFeedPoller(
      'instruments',
      context,
      async (signal) => {
        const { instruments, refused } = await client.fetchSymbols(signal)
        const atMs = clock.now()
        emit({ type: 'instruments', instruments, atMs })
        for (const sentence of refused) {
          if (!told.has(sentence)) emit({ type: 'leftOut', sentence, atMs })
          told.add(sentence)
        }
      },
      () => null,
      rulesMs,
    ),
    book: createFeedPoller(
      'book',
      context,
      async (signal) => {
        const asked = symbol()
        const book = await client.fetchBook(asked, signal)
        emit({ type: 'book', symbol: asked, book, atMs: clock.now() })
      },
      symbol,
    ),
    tickers: createFeedPoller('tickers', context, async (signal) => {
      const tickers = await client.fetchTickers(signal)
      emit({ type: 'tickers', tickers: new Map(tickers.map((ticker) => [ticker.symbol, ticker])), atMs: clock.now() })
    }),
  }
}
