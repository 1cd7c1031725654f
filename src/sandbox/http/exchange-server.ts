import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { WireMode } from '../../wire/exact-json.ts'
import type { PracticeExchange } from '../practice-exchange.ts'
import { createApp } from './app.ts'
import type { Faults } from './faults.ts'
import { marketRoutes } from './market-routes.ts'
import { historyRoutes, orderRoutes } from './order-routes.ts'
import { paymentRoutes } from './payment-routes.ts'
import { type Admit, failure, type Guest, settledFirst } from './route.ts'
import { hashToken } from './token.ts'

export type ExchangeServerOptions = {
  exchange: PracticeExchange
  clock: Clock
  wire: WireMode
  /** Requests a second for each key; undefined: no limit. */
  rateLimit?: number
  faults: Faults
  log: (line: string) => void
}

export const exchangeBasePath = '/v3'

/** The exchange's HTTP interface on this exchange, not yet listening. */
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
    faults,
  })
}

/** Lets in who holds a verified key, as often as the limit allows. */
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
    const waitMs = rateLimit.waitMs(key.keyId, exchange.nowMs())
    if (waitMs === 0) return { guest: { account: key.account } }
    const seconds = String(Math.ceil(waitMs / 1_000))
    return { refused: failure(429, 'too many requests', { 'retry-after': seconds }) }
  }
}

/** Lets at most so many requests a second through for each key. */
export type RateLimit = {
  /** 0 when the request may pass, and is counted; otherwise the milliseconds until one may. */
  waitMs(keyId: number, nowMs: number): number
}

type Bucket = { tokens: number; filledAtMs: number }

/** Token buckets of one second's worth, full at first. Without a number there is no limit. */
function createRateLimit(requestsPerSecond: number | undefined): RateLimit {
  if (requestsPerSecond === undefined) return { waitMs: () => 0 }
  const buckets = new Map<number, Bucket>()
  return {
    waitMs: (keyId, nowMs) => {
      const bucket = buckets.get(keyId) ?? { tokens: requestsPerSecond, filledAtMs: nowMs }
      buckets.set(keyId, bucket)
      const earned = (Math.max(0, nowMs - bucket.filledAtMs) / 1_000) * requestsPerSecond
      bucket.tokens = Math.min(requestsPerSecond, bucket.tokens + earned)
      bucket.filledAtMs = nowMs
      if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / requestsPerSecond) * 1_000)
      bucket.tokens -= 1
      return 0
    },
  }
}
