import { renameSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { FillQuery } from '../../../src/api/exchange-client.ts'
import { hourMs, minuteMs } from '../../../src/base/time-text.ts'
import type { HistoryEvent } from '../../../src/domain/desk/events.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import { compareIds, type Order } from '../../../src/domain/orders/order.ts'
import { openHistory } from '../../../src/history/history-file.ts'
import { createRecorder, type RecorderOptions } from '../../../src/services/history/recorder.ts'
import { aBook } from '../../fakes/books.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { anOrder } from '../../fakes/orders.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { aBar, aFill, dayStartMs, opened } from '../../history/aids.ts'

const failure = () =>
  new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/fills', reason: 'is away', outcome: null })

/** An exchange with these executions and orders, which counts what it is asked. */
function anExchange(fillCount: number) {
  const exchange = {
    fills: Array.from({ length: fillCount }, (_, at) => aFill(at + 1)),
    orders: [] as Order[],
    fillCalls: 0,
    orderPages: 0,
    /** After so many pages it is away. */
    pagesLeft: Number.POSITIVE_INFINITY,
    fetchFills: async ({ fromExecId, toExecId, limit = 100 }: FillQuery) => {
      exchange.fillCalls += 1
      exchange.pagesLeft -= 1
      if (exchange.pagesLeft < 0) throw failure()
      const asked = exchange.fills.filter(
        ({ execId }) =>
          (toExecId === undefined || compareIds(execId, toExecId) <= 0) &&
          (fromExecId === undefined || compareIds(execId, fromExecId) >= 0),
      )
      return readableListing(asked.slice(-limit).toReversed())
    },
    fetchOrderPage: async ({ orderId = '0' }: { orderId?: string }) => {
      exchange.orderPages += 1
      const orders = exchange.orders.filter((order) => compareIds(order.orderId ?? '0', orderId) > 0).slice(0, 100)
      return { orders, nextOrderId: orders.at(-1)?.orderId ?? orderId }
    },
    fetchOrder: async (id: string) => {
      const order = exchange.orders.find(({ orderId }) => orderId === id)
      if (order !== undefined) return order
      throw new ExchangeError({ kind: 'notFound', method: 'GET', path: '/orders', reason: 'no', outcome: null })
    },
  }
  return exchange
}

/** A desk's recorder on a folder, run until `stop`. */
function aRecorder(folder: string, client: ReturnType<typeof anExchange>, more: Partial<RecorderOptions> = {}) {
  const clock = new FakeClock(dayStartMs)
  const stopping = new AbortController()
  const events: HistoryEvent[] = []
  const told: string[] = []
  const recorder = createRecorder({
    open: async (options) => openHistory(folder, options),
    client,
    mayBeginAnew: false,
    clock,
    signal: stopping.signal,
    toUtcMs: (atMs) => atMs,
    emit: (event) => events.push(event),
    tell: (_level, sentence) => told.push(sentence),
    ...more,
  })
  const done = recorder.run()
  const stop = async () => {
    stopping.abort()
    await done
  }
  onTestFinished(stop)
  return { clock, recorder, events, told, stop }
}

const beginning = async (clock: FakeClock, turns = 200) => {
  await clock.advance(1_500)
  for (let turn = 0; turn < turns; turn += 1) await settle()
}

const idsIn = (folder: string): number[] => {
  const file = opened(folder)
  const ids = [...file.fills()].map(({ execId }) => Number(execId))
  file.close()
  return ids
}
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

test('all fills are read once, with progress; the next start asks only for what is new', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(2_345)
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  expect(first.events.at(-1)).toEqual({ type: 'historyProgress', readCount: 2_345, isWhole: true })
  expect(first.told).toEqual([
    'History: all own fills are read once, in the background.',
    'History: all own fills are read, 2345.',
  ])
  await first.stop()
  expect(idsIn(folder)).toEqual(upTo(2_345))
  exchange.fills.push(...Array.from({ length: 250 }, (_, at) => aFill(2_346 + at)))
  exchange.fillCalls = 0
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  expect(exchange.fillCalls).toBe(2)
  expect(second.told).toEqual([])
  await second.stop()
  expect(idsIn(folder)).toEqual(upTo(2_595))
})

test('an end in the middle, and an exchange that is away: it goes on where it stopped', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(3_000)
  exchange.pagesLeft = 3
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  await first.stop()
  const read = idsIn(folder)
  expect([read.length < 3_000, read.at(-1)]).toEqual([true, 3_000])
  exchange.fills.push(aFill(3_001))
  exchange.pagesLeft = 1
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  exchange.pagesLeft = Number.POSITIVE_INFINITY
  exchange.fillCalls = 0
  await second.clock.advance(minuteMs)
  for (let turn = 0; turn < 100; turn += 1) await settle()
  expect(exchange.fillCalls).toBeLessThan(6)
  await second.stop()
  expect(idsIn(folder)).toEqual(upTo(3_001))
})

test('polled fills are kept, and what lies below them unread is read', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(10)
  const { clock, recorder, stop } = aRecorder(folder, exchange)
  await beginning(clock)
  const later = upTo(40).map((number) => aFill(number))
  exchange.fills = later
  const poll = (fills: readonly Fill[]) => recorder.observe({ type: 'fills', fills, atMs: clock.now() })
  // The poll was away for long: it brings the newest alone.
  poll(later.slice(-5).toReversed())
  await clock.advance(minuteMs)
  for (let turn = 0; turn < 50; turn += 1) await settle()
  exchange.fillCalls = 0
  poll([aFill(41), aFill(40)])
  await clock.advance(minuteMs)
  expect(exchange.fillCalls).toBe(0)
  await stop()
  expect(idsIn(folder)).toEqual(upTo(41))
})

test('bars of what was polled are written each minute and at the end; a minute without a look has none', async () => {
  const folder = temporaryFolder('recorder')
  const { clock, recorder, stop } = aRecorder(folder, anExchange(0))
  await beginning(clock)
  const look = (price: string) => {
    const ticker = { symbol: 'BTC-USD', lastPrice: new Decimal(price), price24h: null, volume24h: null }
    recorder.observe({ type: 'tickers', tickers: new Map([['BTC-USD', ticker]]), atMs: clock.now() })
  }
  recorder.observe({ type: 'book', symbol: 'BTC-USD', book: aBook([['99', '1']], [['101', '1']]), atMs: clock.now() })
  look('100')
  await clock.advance(2_000)
  look('103')
  await clock.advance(3 * minuteMs)
  look('90')
  const file = opened(folder)
  expect(file.bars('BTC-USD', 0, Number.MAX_SAFE_INTEGER)).toMatchObject([{ lookCount: 2 }])
  file.close()
  await clock.advance(1_000)
  look('95')
  await stop()
  const after = opened(folder)
  const bars = after.bars('BTC-USD', 0, Number.MAX_SAFE_INTEGER)
  after.close()
  expect(
    bars.map(({ startMs, open, high, low, close, spread }) => [
      startMs - dayStartMs,
      ...[open, high, low, close, spread].map((each) => each?.toFixed()),
    ]),
  ).toEqual([
    [0, '100', '103', '100', '103', '2'],
    [3 * minuteMs, '90', '95', '90', '95', undefined],
  ])
  const next = aRecorder(folder, anExchange(0))
  await next.clock.advance(5 * minuteMs)
  expect(next.events.find(({ type }) => type === 'barsLoaded')).toMatchObject({ symbol: 'BTC-USD' })
})

test('a start shows the recorded minutes of two days, and hours of what was before them', async () => {
  const folder = temporaryFolder('recorder')
  const file = opened(folder)
  const hours = 24 * 4
  file.putBars(
    Array.from({ length: hours * 2 }, (_, at) => ['BTC-USD', aBar(dayStartMs - (at + 1) * 30 * minuteMs)] as const),
  )
  file.close()
  const { clock, events, stop } = aRecorder(folder, anExchange(0))
  await clock.advance(minuteMs)
  await clock.advance(minuteMs)
  await clock.advance(minuteMs)
  await stop()
  const loaded = events.flatMap((event) => (event.type === 'barsLoaded' ? [event.bars] : []))
  expect(loaded).toHaveLength(2)
  const [minutes = [], older = []] = loaded
  expect(minutes).toHaveLength(96)
  expect(minutes.every(({ lookCount }) => lookCount === 30)).toBe(true)
  expect(older).toHaveLength(48)
  expect(older.every(({ startMs, lookCount }) => startMs % (60 * minuteMs) === 0 && lookCount === 60)).toBe(true)
  const starts = older.map(({ startMs }) => startMs)
  expect(starts).toEqual(starts.toSorted((one, two) => one - two))
})

test('ended orders are read onwards and kept as they end; one that was working is asked for at the next start', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(0)
  exchange.orders = upTo(120).map((id) => anOrder({ orderId: String(id), status: id === 7 ? 'OPEN' : 'FILLED' }))
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  first.recorder.observe({ type: 'orderEnded', order: anOrder({ orderId: '121', status: 'CANCELED' }), atMs: 0 })
  await first.stop()
  const count = () => {
    const file = opened(folder)
    const orders = [...file.endedOrders()]
    file.close()
    return orders.length
  }
  expect(count()).toBe(120)
  exchange.orders = exchange.orders.map((order) => ({ ...order, status: 'FILLED' }))
  exchange.orderPages = 0
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  expect(exchange.orderPages).toBe(1)
  await second.stop()
  expect(count()).toBe(121)
})

test('a file that is taken away: one sentence, the desk goes on, and a new file is written from what the exchange has', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(20)
  const { clock, recorder, told, stop } = aRecorder(folder, exchange)
  await beginning(clock)
  renameSync(`${folder}/history.sqlite`, `${folder}/away`)
  const ticker = { symbol: 'BTC-USD', lastPrice: new Decimal(1), price24h: null, volume24h: null }
  recorder.observe({ type: 'tickers', tickers: new Map([['BTC-USD', ticker]]), atMs: clock.now() })
  await clock.advance(minuteMs)
  expect(told).toEqual([
    `No history is recorded: ${folder}/history.sqlite was removed or replaced. Trading goes on; the desk tries again every minute.`,
  ])
  await clock.advance(minuteMs)
  for (let turn = 0; turn < 50; turn += 1) await settle()
  expect(told.slice(1)).toEqual(['History is recorded again.'])
  await stop()
  expect(idsIn(folder)).toEqual(upTo(20))
  const file = opened(folder)
  expect(file.bars('BTC-USD', 0, Number.MAX_SAFE_INTEGER)).toHaveLength(1)
  file.close()
})

test('a disk that refuses is told of once, however often it is tried', async () => {
  const { clock, told } = aRecorder('/dev/null/nowhere', anExchange(1))
  await clock.advance(hourMs)
  expect(told).toEqual([expect.stringMatching(/^No history is recorded: \/dev\/null\/nowhere.* Trading goes on/)])
})

test('a practice exchange that has begun anew gets a new file, and the one of before is kept', async () => {
  const folder = temporaryFolder('recorder')
  const first = aRecorder(folder, anExchange(20))
  await beginning(first.clock)
  await first.stop()
  const anew = anExchange(5)
  anew.fills = anew.fills.map((fill) => ({ ...fill, timestampMs: fill.timestampMs + hourMs }))
  const second = aRecorder(folder, anew, { mayBeginAnew: true })
  await beginning(second.clock)
  await second.stop()
  expect(second.told).toEqual([
    `The practice exchange has begun anew: the history of before is kept as ${folder}/history.sqlite.earlier-1.`,
  ])
  expect(idsIn(folder)).toEqual(upTo(5))
})
