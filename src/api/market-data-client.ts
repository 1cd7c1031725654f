import type { Ticker } from '../domain/balance.ts'
import type { Listing } from '../domain/listing.ts'
import type { Book, OrderByOrderBook } from '../domain/market/book.ts'
import type { Instrument } from '../domain/market/instrument.ts'
import { readBook, readOrderByOrderBook } from '../wire/book.ts'
import { readSymbol, readSymbols, type SymbolsReading } from '../wire/symbol.ts'
import { readTicker, readTickers } from '../wire/ticker.ts'
import type { Caller } from './caller.ts'
import { endpointPath } from './endpoint-path.ts'
import { remembering, rememberingEach } from './remembering.ts'

export type MarketDataClient = {
  /** GET /l2/{symbol}: the book by price. */
  fetchBook(symbol: string, signal?: AbortSignal): Promise<Book>
  /** GET /l3/{symbol}: the book order by order. */
  fetchOrderByOrderBook(symbol: string, signal?: AbortSignal): Promise<OrderByOrderBook>
  /** GET /tickers */
  fetchTickers(signal?: AbortSignal): Promise<Listing<Ticker>>
  /** GET /tickers/{symbol} */
  fetchTicker(symbol: string, signal?: AbortSignal): Promise<Ticker>
  /** GET /symbols: every symbol that can be read, and a sentence for each that cannot. */
  fetchSymbols(signal?: AbortSignal): Promise<SymbolsReading>
  /** GET /symbols/{symbol} */
  fetchSymbol(symbol: string, signal?: AbortSignal): Promise<Instrument>
}

/** What is polled comes as the very object of before while the service says the same, letter by letter. */
export function createMarketDataClient(caller: Caller): MarketDataClient {
  const bookOf = rememberingEach(readBook)
  const queueOf = rememberingEach(readOrderByOrderBook)
  const tickers = remembering(readTickers)
  const symbols = remembering(readSymbols)
  return {
    fetchBook: (symbol, signal) => caller.get(endpointPath`/l2/${symbol}`, (json) => bookOf(json, symbol), signal),
    fetchOrderByOrderBook: (symbol, signal) =>
      caller.get(endpointPath`/l3/${symbol}`, (json) => queueOf(json, symbol), signal),
    fetchTickers: (signal) => caller.get(endpointPath`/tickers`, tickers, signal),
    fetchTicker: (symbol, signal) =>
      caller.get(endpointPath`/tickers/${symbol}`, (json) => readTicker(json, symbol), signal),
    fetchSymbols: (signal) => caller.get(endpointPath`/symbols`, symbols, signal),
    fetchSymbol: (symbol, signal) =>
      caller.get(endpointPath`/symbols/${symbol}`, (json) => readSymbol(json, symbol), signal),
  }
}
