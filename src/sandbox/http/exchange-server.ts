import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { createTokenBucket, type TokenBucket } from '../../base/token-bucket.ts'
import { createApp } from '../../http-server/app.ts'
import { type Admit, type Answer, failure, json, type RouteRequest, settledFirst } from '../../http-server/route.ts'
import { writeOrderByOrderBook } from '../../wire/book.ts'
import type { WireMode } from '../../wire/exact-json.ts'
import { writeSymbol, writeSymbols } from '../../wire/symbol.ts'
import { writeTicker, writeTickers } from '../../wire/ticker.ts'
import type { PracticeExchange } from '../practice-exchange.ts'
import type { ExchangeContext, ExchangeRoute, Guest } from './exchange-route.ts'
import { type Faults, withFaults } from './faults.ts'
import { historyRoutes, orderRoutes } from './order-routes.ts'
import { paymentRoutes } from './payment-routes.ts'
import { createBookWriter, toInstrument, toOrderByOrderBook, toTicker } from './to-domain.ts'
import { hashToken } from './token.ts'

type ExchangeServerOptions = {
  exchange: PracticeExchange
  clock: Clock
  wire: WireMode
  /** Requests per second and key; undefined: no limit. */
  rateLimit?: number
  faults: Faults
  log: (line: string) => void
}

export const exchangeBasePath = '/v3'

/** The exchange's HTTP interface, not yet listening. */
export function createExchangeServer(options: ExchangeServerOptions): Promise<FastifyInstance> {
  const { exchange, clock, wire, rateLimit, faults, log } = options
  const desk = { exchange, wire }
  return createApp<Guest>({
    basePath: exchangeBasePath,
    routes: [...marketRoutes(desk), ...orderRoutes(desk), ...historyRoutes(desk), ...paymentRoutes(desk)].map((route) =>
      settledFirst(route, () => exchange.settled()),
    ),
    admit: admitByKey(exchange, rateLimit),
    clock,
    log,
    around: withFaults(faults, clock),
  })
}

/** Admits requests with a verified key, up to the rate limit. */
function admitByKey(exchange: PracticeExchange, requestsPerSecond: number | undefined): Admit<Guest> {
  const rateLimit = createRateLimit(requestsPerSecond)
  return (headers) => {
    const token = headers['x-api-token']
    if (typeof token !== 'string' || token === '') return { refused: failure(401, 'the header X-API-Token is missing') }
    const key = exchange.read().keyByHash(hashToken(token))
    if (key === undefined || key.state === 'revoked') return { refused: failure(401, 'the API key is not known') }
    if (key.state === 'unverified') {
      return { refused: failure(401, 'the API key has not been verified by e-mail yet') }
    }
    const waitMs = rateLimit(key.keyId, exchange.nowMs())
    if (waitMs === 0) return { guest: { account: key.account } }
    const seconds = String(Math.ceil(waitMs / 1_000))
    return { refused: failure(429, 'too many requests', { 'retry-after': seconds }) }
  }
}

/** Milliseconds until the key may send again; 0 if it may now, in which case the request is counted. */
type RateLimit = (keyId: number, nowMs: number) => number

/** Allows each key that many requests per second, with bursts of one second's worth; unlimited if undefined. */
function createRateLimit(requestsPerSecond: number | undefined): RateLimit {
  if (requestsPerSecond === undefined) return () => 0
  const buckets = new Map<number, TokenBucket>()
  return (keyId, nowMs) => {
    const bucket = buckets.get(keyId) ?? createTokenBucket(requestsPerSecond, requestsPerSecond)
    buckets.set(keyId, bucket)
    return bucket.take(nowMs) ? 0 : bucket.waitMs(nowMs)
  }
}

const unknownSymbol = (symbol: string): Answer => failure(404, `${symbol} is not a symbol of this exchange`)

/** Books, tickers and symbols: the same for every account. */
function marketRoutes({ exchange, wire }: ExchangeContext): ExchangeRoute[] {
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
    ofSymbol('/l2/:symbol', (symbol) => exchange.read().l2(symbol), createBookWriter(wire)),
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
