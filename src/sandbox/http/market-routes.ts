import { writeBook, writeOrderByOrderBook } from '../../wire/book.ts'
import { writeSymbol, writeSymbols } from '../../wire/symbol.ts'
import { writeTicker, writeTickers } from '../../wire/ticker.ts'
import { type Answer, type ExchangeContext, type ExchangeRoute, failure, json, type RouteRequest } from './route.ts'
import { toBook, toInstrument, toOrderByOrderBook, toTicker } from './to-domain.ts'

export const unknownSymbol = (symbol: string): Answer => failure(404, `${symbol} is not a symbol of this exchange`)

/** Books, tickers and symbols: the same for every account. */
export function marketRoutes({ exchange, wire }: ExchangeContext): ExchangeRoute[] {
  /** An operation on the symbol in the path. */
  const ofSymbol = <View>(path: string, read: (symbol: string) => View | undefined, write: (view: View) => string) => ({
    method: 'GET' as const,
    path,
    handle: ({ params }: RouteRequest<unknown>): Answer => {
      const symbol = params.symbol ?? ''
      const view = read(symbol)
      return view === undefined ? unknownSymbol(symbol) : json(write(view))
    },
  })
  return [
    ofSymbol(
      '/l2/:symbol',
      (symbol) => exchange.read().l2(symbol),
      (book) => writeBook(toBook(book), wire),
    ),
    ofSymbol(
      '/l3/:symbol',
      (symbol) => exchange.read().l3(symbol),
      (book) => writeOrderByOrderBook(toOrderByOrderBook(book), wire),
    ),
    ofSymbol(
      '/tickers/:symbol',
      (symbol) => exchange.read().ticker(symbol, exchange.nowMs()),
      (ticker) => writeTicker(toTicker(ticker), wire),
    ),
    ofSymbol(
      '/symbols/:symbol',
      (symbol) => exchange.read().symbol(symbol),
      (symbol) => writeSymbol(toInstrument(symbol), wire),
    ),
    {
      method: 'GET',
      path: '/tickers',
      handle: () => json(writeTickers(exchange.read().tickers(exchange.nowMs()).map(toTicker), wire)),
    },
    {
      method: 'GET',
      path: '/symbols',
      handle: () => json(writeSymbols(exchange.read().symbols().map(toInstrument), wire)),
    },
  ]
}
