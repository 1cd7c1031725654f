import type { Ticker } from '../domain/balance.ts'
import type { Book, OrderByOrderBook } from '../domain/book.ts'
import type { Instrument } from '../domain/instrument.ts'
import { readBook, readOrderByOrderBook } from '../wire/book.ts'
import { readSymbol, readSymbols, type SymbolsReading } from '../wire/symbol.ts'
import { readTicker, readTickers } from '../wire/ticker.ts'
import type { Caller } from './caller.ts'
import { endpointPath } from './endpoint-path.ts'

export type MarketDataClient = {
  /** GET /l2/{symbol}: the book by price. */
  fetchBook(symbol: string, signal?: AbortSignal): Promise<Book>
  /** GET /l3/{symbol}: the book order by order. */
  fetchOrderByOrderBook(symbol: string, signal?: AbortSignal): Promise<OrderByOrderBook>
  /** GET /tickers */
  fetchTickers(signal?: AbortSignal): Promise<Ticker[]>
  /** GET /tickers/{symbol} */
  fetchTicker(symbol: string, signal?: AbortSignal): Promise<Ticker>
  /** GET /symbols: every symbol that can be read, and a sentence for each that cannot. */
  fetchSymbols(signal?: AbortSignal): Promise<SymbolsReading>
  /** GET /symbols/{symbol} */
  fetchSymbol(symbol: string, signal?: AbortSignal): Promise<Instrument>
}

export function createMarketDataClient(caller: Caller): MarketDataClient {
  return {
    fetchBook: (symbol, signal) => caller.get(endpointPath`/l2/${symbol}`, (json) => readBook(json, symbol), signal),
    fetchOrderByOrderBook: (symbol, signal) =>
      caller.get(endpointPath`/l3/${symbol}`, (json) => readOrderByOrderBook(json, symbol), signal),
    fetchTickers: (signal) => caller.get(endpointPath`/tickers`, readTickers, signal),
    fetchTicker: (symbol, signal) =>
      caller.get(endpointPath`/tickers/${symbol}`, (json) => readTicker(json, symbol), signal),
    fetchSymbols: (signal) => caller.get(endpointPath`/symbols`, readSymbols, signal),
    fetchSymbol: (symbol, signal) =>
      caller.get(endpointPath`/symbols/${symbol}`, (json) => readSymbol(json, symbol), signal),
  }
}
