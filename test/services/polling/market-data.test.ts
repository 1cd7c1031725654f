import { expect, onTestFinished, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import type { FeedName } from '../../../src/domain/desk/feeds.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { createMarketData } from '../../../src/services/polling/market-data.ts'
import { aBook } from '../../fakes/books.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

/** The rules as they are polled: when they were asked for. */
function polled(pollMs: Partial<Record<FeedName, number>> = {}) {
  const clock = new FakeClock()
  const stopping = new AbortController()
  const view = { isAuction: false }
  const askedAtMs: number[] = []
  const { instruments } = createMarketData(
    {
      fetchSymbols: async () => {
        askedAtMs.push(clock.now())
        return { instruments: new Map(), unread: new Map() }
      },
      fetchBook: async (symbol) => aBook([], [], symbol),
      fetchTickers: async () => readableListing([]),
    },
    { symbol: () => 'BTC-USD', isAuctionShown: () => view.isAuction },
    { clock, random: () => 0.5, signal: stopping.signal, emit: () => undefined, need: () => 'visible', pollMs },
  )
  const loop = instruments.run()
  onTestFinished(async () => {
    stopping.abort()
    await loop
  })
  return { clock, view, askedAtMs, instruments }
}

test('rules are asked for every five seconds, and every second while they tell of an auction', async () => {
  const { clock, view, askedAtMs, instruments } = polled()
  await clock.advance(10_000)
  expect(askedAtMs).toEqual([0, 5_000, 10_000])
  view.isAuction = true
  instruments.wake()
  await clock.advance(3_000)
  expect(askedAtMs.slice(3)).toEqual([10_000, 11_000, 12_000, 13_000])
  view.isAuction = false
  await clock.advance(6_000)
  expect(askedAtMs.slice(7)).toEqual([14_000, 19_000])
})

test('a pause that was asked for stays as it is', async () => {
  const { clock, view, askedAtMs } = polled({ instruments: 3_000 })
  view.isAuction = true
  await clock.advance(6_000)
  expect(askedAtMs).toEqual([0, 3_000, 6_000])
})

test('that a symbol is not known is told apart from an exchange that does not answer', async () => {
  const clock = new FakeClock()
  const stopping = new AbortController()
  const events: FeedEvent[] = []
  const { book } = createMarketData(
    {
      fetchSymbols: async () => ({ instruments: new Map(), unread: new Map() }),
      fetchBook: (symbol) =>
        Promise.reject(
          new ExchangeError({
            kind: symbol === 'FOO' ? 'notFound' : 'connectivity',
            ...{ reason: 'no', method: 'GET', path: `/l2/${symbol}`, outcome: null },
          }),
        ),
      fetchTickers: async () => readableListing([]),
    },
    { symbol: () => (clock.now() === 0 ? 'FOO' : 'BTC-USD'), isAuctionShown: () => false },
    { clock, random: () => 0.5, signal: stopping.signal, emit: (event) => events.push(event), need: () => 'visible' },
  )
  const loop = book.run()
  await clock.advance(1_000)
  stopping.abort()
  await loop
  expect(events).toMatchObject([
    { symbol: 'FOO', isUnknownSymbol: true },
    { symbol: 'BTC-USD', askedAtMs: 1_000 },
  ])
  expect(events[1]).not.toHaveProperty('isUnknownSymbol')
})

test.each([
  { status: 503, kind: 'connectivity', retryAfterMs: 20_000, asked: [0, 20_000, 40_000] },
  // Maintenance may be over before its time, and until it is asked nobody knows.
  { status: 503, kind: 'connectivity', retryAfterMs: 3_600_000, asked: [0, 30_000, 60_000] },
  { status: 503, kind: 'connectivity', retryAfterMs: null, asked: [0, 1_000, 3_000] },
  // Rested by the gate, which ends that as soon as a call of a person is answered.
  { status: 429, kind: 'rateLimited', retryAfterMs: 20_000, asked: [0, 1_000, 3_000] },
] as const)('after $status with Retry-After $retryAfterMs a feed rests as asked', async ({ status, kind, ...each }) => {
  const clock = new FakeClock()
  const stopping = new AbortController()
  const askedAtMs: number[] = []
  const more = each.retryAfterMs === null ? {} : { retryAfterMs: each.retryAfterMs }
  const { book } = createMarketData(
    {
      fetchSymbols: async () => ({ instruments: new Map(), unread: new Map() }),
      fetchBook: async (symbol) => {
        askedAtMs.push(clock.now())
        if (askedAtMs.length > 2) return aBook([], [], symbol)
        throw new ExchangeError({ status, kind, ...more, reason: 'no', method: 'GET', path: '/l2', outcome: null })
      },
      fetchTickers: async () => readableListing([]),
    },
    { symbol: () => 'BTC-USD', isAuctionShown: () => false },
    { clock, random: () => 0.5, signal: stopping.signal, emit: () => undefined, need: () => 'visible' },
  )
  const loop = book.run()
  await clock.advance(each.asked[2])
  stopping.abort()
  await loop
  expect(askedAtMs).toEqual(each.asked)
})
