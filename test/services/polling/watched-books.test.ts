import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { createWatchedBooks } from '../../../src/services/polling/market-data.ts'
import { aBook } from '../../fakes/books.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

function scene(symbols: string[], fetchBook = async (symbol: string) => aBook([], [], symbol)) {
  const clock = new FakeClock(0)
  const stop = new AbortController()
  const events: FeedEvent[] = []
  const asked: string[] = []
  const poller = createWatchedBooks(
    {
      fetchBook(symbol) {
        asked.push(`${clock.now()} ${symbol}`)
        return fetchBook(symbol)
      },
    },
    () => symbols,
    {
      clock,
      random: () => 0.5,
      signal: stop.signal,
      emit: (event) => events.push(event),
      need: () => 'hidden',
    },
  )
  const done = poller.run()
  const end = () => {
    stop.abort()
    return done
  }
  return { clock, poller, events, asked, symbols, stop: end }
}

test('with nothing to watch nobody is called, and a new watch is asked for at once', async () => {
  const { clock, poller, asked, symbols, stop } = scene([])
  await clock.advance(120_000)
  expect(asked).toEqual([])
  symbols.push('ETH-USD')
  poller.wake()
  await clock.advance(5_000)
  expect(asked).toEqual(['120000 ETH-USD', '125000 ETH-USD'])
  await stop()
})

test('several take turns, each once in five seconds', async () => {
  const { clock, asked, events, stop } = scene(['A', 'B'])
  await clock.advance(7_500)
  expect(asked).toEqual(['0 A', '2500 B', '5000 A', '7500 B'])
  expect(events.map((event) => event.type)).toEqual(['book', 'book', 'book', 'book'])
  await stop()
})

test('a failure is told of with its symbol, waits longer, and lets the next symbol have its turn', async () => {
  const { clock, asked, events, stop } = scene(['A', 'B'], () =>
    Promise.reject(
      new ExchangeError({ kind: 'connectivity', reason: 'down', method: 'GET', path: '/l2/A', outcome: null }),
    ),
  )
  await clock.advance(6_000)
  expect(asked).toEqual(['0 A', '5000 B'])
  expect(events.map((event) => event.type === 'feedFailed' && event.symbol)).toEqual(['A', 'B'])
  await stop()
})

test('entries of a watched book that cannot be read are told of, and its mending too', async () => {
  const odd = { reason: 'field "px" must be a number', atMs: null, fields: { px: 'soon', qty: '1' } }
  const books = [{ ...aBook([], [], 'A'), unreadable: [odd] }, aBook([], [], 'A')]
  const { clock, events, stop } = scene(['A'], async () => books.shift() ?? aBook([], [], 'A'))
  await clock.advance(5_000)
  expect(events.map((event) => event.type === 'book' && event.unreadable)).toEqual([[odd], []])
  await stop()
})

test('many are asked for twice a second together, and no more', async () => {
  const { clock, asked, stop } = scene(Array.from({ length: 30 }, (_, at) => `S${at}`))
  await clock.advance(14_750)
  expect(asked).toHaveLength(30)
  expect(new Set(asked.map((each) => each.split(' ')[1])).size).toBe(30)
  await stop()
})
