import type { ExchangeClient } from '../api/exchange-client.ts'
import { createFeedPoller } from './feed-poller.ts'
import type { Poller } from './poller.ts'
import type { ServiceContext } from './service-context.ts'

export type MarketDataClient = Pick<ExchangeClient, 'fetchSymbols' | 'fetchBook' | 'fetchTickers'>
export type MarketData = { instruments: Poller; book: Poller; tickers: Poller }

/** Polls the rules of all symbols, all tickers, and the book of the symbol that `symbol` names at each poll. */
export function createMarketData(client: MarketDataClient, symbol: () => string, context: ServiceContext): MarketData {
  const { clock, emit } = context
  // Each symbol that cannot be read is told of once, not at every poll.
  const told = new Set<string>()
  return {
    instruments: createFeedPoller('instruments', context, async (signal) => {
      const { instruments, refused } = await client.fetchSymbols(signal)
      const atMs = clock.now()
      emit({ type: 'instruments', instruments, atMs })
      for (const sentence of refused) {
        if (!told.has(sentence)) emit({ type: 'leftOut', sentence, atMs })
        told.add(sentence)
      }
    }),
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
