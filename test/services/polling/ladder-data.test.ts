import { expect, onTestFinished, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import type { LadderWants } from '../../../src/domain/desk/feeds.ts'
import { createLadderData } from '../../../src/services/polling/market-data.ts'
import { aBook } from '../../fakes/books.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

const nothing: LadderWants = { otherBook: null, queue: null, otherQueue: null }

/** Ladder data over a venue that writes down what it is asked. */
function polled(wants: LadderWants) {
  const clock = new FakeClock()
  const calls: string[] = []
  const events: FeedEvent[] = []
  const stopping = new AbortController()
  const state = { wants, isDown: false }
  const answer = async <T>(what: string, value: T): Promise<T> => {
    calls.push(what)
    if (state.isDown)
      throw new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/l3', reason: 'reset', outcome: null })
    return value
  }
  const data = createLadderData(
    {
      fetchBook: (symbol) => answer(`l2 ${symbol}`, aBook([], [], symbol)),
      fetchOrderByOrderBook: (symbol) => answer(`l3 ${symbol}`, { symbol, bids: [], asks: [] }),
    },
    () => state.wants,
    {
      clock,
      random: () => 0.5,
      signal: stopping.signal,
      emit: (event) => events.push(event),
      need: (name) => (name === 'book' || state.wants[name as keyof LadderWants] === null ? 'none' : 'visible'),
    },
  )
  const loops = Object.values(data).map((poller) => poller.run())
  onTestFinished(async () => {
    stopping.abort()
    await Promise.all(loops)
  })
  return { clock, calls, events, data, state }
}

test('while no ladder shows level 3 and there is no second one, nobody is called', async () => {
  const { clock, calls, events } = polled(nothing)
  await clock.advance(120_000)
  expect([...calls, ...events]).toEqual([])
})

test('what a ladder begins to show is asked for at once and then every half second; what it no longer shows is not', async () => {
  const { clock, calls, events, data, state } = polled(nothing)
  await clock.advance(1_000)
  state.wants = { otherBook: 'ETH-USD', queue: 'BTC-USD', otherQueue: null }
  data.otherBook.wake()
  data.queue.wake()
  await clock.advance(1)
  expect(calls).toEqual(['l2 ETH-USD', 'l3 BTC-USD'])
  await clock.advance(1_000)
  expect(calls.filter((call) => call === 'l3 BTC-USD')).toHaveLength(3)
  expect(new Set(events.map((event) => event.type))).toEqual(new Set(['book', 'queue']))
  state.wants = nothing
  await clock.advance(500)
  const before = calls.length
  await clock.advance(60_000)
  expect(calls).toHaveLength(before)
})

test('a venue that is down is told of by feed and symbol, and asked again', async () => {
  const { clock, calls, events, state } = polled({ ...nothing, otherQueue: 'ETH-USD' })
  state.isDown = true
  await clock.advance(600)
  expect(events.at(-1)).toMatchObject({ type: 'feedFailed', feed: 'queue', symbol: 'ETH-USD' })
  const before = calls.length
  await clock.advance(5_000)
  expect(calls.length).toBeGreaterThan(before)
})
