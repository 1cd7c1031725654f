import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { FillQuery } from '../../../src/api/exchange-client.ts'
import { err } from '../../../src/base/result.ts'
import { dayMs, hourMs, minuteMs } from '../../../src/base/text/time-text.ts'
import type { HistoryEvent } from '../../../src/domain/desk/events.ts'
import { readableListing, type UnreadableEntry } from '../../../src/domain/listing.ts'
import type { EquityPoint } from '../../../src/domain/market/bar.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { type Fill, newestFillFirst } from '../../../src/domain/orders/fills.ts'
import { compareIds, type Order } from '../../../src/domain/orders/order.ts'
import { HistoryError } from '../../../src/history/history-database.ts'
import { openHistory } from '../../../src/history/history-file.ts'
import { Bookkeeping, type BooksTold } from '../../../src/services/history/bookkeeping.ts'
import { readMissingFills, readMissingOrders, readOrderCount } from '../../../src/services/history/read-all.ts'
import { createRecorder, type RecorderOptions } from '../../../src/services/history/recorder.ts'
import { clocksOf } from '../../../src/services/history/recording.ts'
import { symbolsWanted } from '../../../src/store/bars.ts'
import { emptyFeed } from '../../../src/store/feeds/feed.ts'
import { worldRules } from '../../domain/positions/worlds.ts'
import { aBook } from '../../fakes/books.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { anOrder } from '../../fakes/orders.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { aBar, aFill, dayStartMs, opened } from '../../history/aids.ts'

/** Decimals that no amount that is read back has. */
const beyond = 2_000

const failure = () =>
  new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/fills', reason: 'is away', outcome: null })

/** One execution a minute. */
const spread = (number: number) => aFill(number, { timestampMs: dayStartMs - 30 * dayMs + number * minuteMs })

/** An exchange with these executions and orders, which counts what it is asked. */
function anExchange(fillCount: number) {
  const exchange = {
    fills: Array.from({ length: fillCount }, (_, at) => spread(at + 1)),
    orders: [] as Order[],
    fillCalls: 0,
    orderPages: 0,
    orderReads: 0,
    /** After so many pages it is away. */
    pagesLeft: Number.POSITIVE_INFINITY,
    listedBy: newestFillFirst,
    fetchFills: async ({ fromExecId, toExecId, fromMs = 0, toMs = Infinity, limit = 100 }: FillQuery) => {
      exchange.fillCalls += 1
      exchange.pagesLeft -= 1
      // Nothing is asked of before 1970, which a service may refuse.
      if (exchange.pagesLeft < 0 || fromMs < 0 || toMs < 0) throw failure()
      const asked = exchange.fills.filter(
        ({ execId, timestampMs }) =>
          timestampMs >= fromMs &&
          timestampMs <= toMs &&
          (toExecId === undefined || compareIds(execId, toExecId) <= 0) &&
          (fromExecId === undefined || compareIds(execId, fromExecId) >= 0),
      )
      return readableListing(asked.toSorted(exchange.listedBy).slice(0, limit))
    },
    fetchOrderPage: async ({ orderId = '0' }: { orderId?: string }) => {
      exchange.orderPages += 1
      const orders = exchange.orders.filter((order) => compareIds(order.orderId ?? '0', orderId) > 0).slice(0, 100)
      return { orders, nextOrderId: orders.at(-1)?.orderId ?? orderId }
    },
    fetchOrder: async (id: string) => {
      exchange.orderReads += 1
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
  exchange.fills.push(...Array.from({ length: 250 }, (_, at) => spread(2_346 + at)))
  exchange.fillCalls = 0
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  // The last one tells that there are no more.
  expect(exchange.fillCalls).toBe(3)
  expect(second.told).toEqual([])
  await second.stop()
  expect(idsIn(folder)).toEqual(upTo(2_595))
})

/** Fills by id, those of one symbol above all of another, whenever they were. */
const byId = (left: Fill, right: Fill) => compareIds(right.execId, left.execId)
const ofSymbols = (count: number, firstAt: number): Fill[] =>
  upTo(count).map((at) => {
    const number = firstAt + at
    const { timestampMs } = spread(number)
    return at % 5 > 0 ? aFill(number, { timestampMs }) : aFill(number + 1_000_000, { timestampMs, symbol: 'ETH-USD' })
  })

test('of a list by id nothing new is passed over, whatever ids a symbol has', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(0)
  exchange.listedBy = byId
  exchange.fills = ofSymbols(1_200, 0)
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  await first.stop()
  expect(idsIn(folder)).toHaveLength(1_200)
  exchange.fills.push(...ofSymbols(150, 1_200))
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  await second.stop()
  expect(idsIn(folder)).toHaveLength(1_350)
})

test('a list by id that a desk has not read to its end is read again from its beginning', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(0)
  exchange.listedBy = byId
  exchange.fills = ofSymbols(1_600, 0)
  exchange.pagesLeft = 3
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  await first.stop()
  exchange.pagesLeft = Number.POSITIVE_INFINITY
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  await second.stop()
  expect(idsIn(folder)).toHaveLength(1_600)
})

test('a history of five million fills is given no more, and asks for none', async () => {
  const file = opened(temporaryFolder('recorder'))
  file.addGap({ aboveMs: null, belowMs: null })
  const exchange = anExchange(3)
  const context = { clock: new FakeClock(dayStartMs), signal: new AbortController().signal, onPage: () => undefined }
  const count = vi.spyOn(file, 'fillCount').mockReturnValue(5_000_000)
  await readMissingFills(exchange, file, context)
  expect(exchange.fillCalls).toBe(0)
  count.mockReturnValue(4_999_999)
  await readMissingFills(exchange, file, context)
  expect(exchange.fillCalls).toBeGreaterThan(0)
  file.close()
})

test('a history that was given five million orders is given no more, and says so once', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(0)
  exchange.orders = upTo(250).map((id) => anOrder({ orderId: String(id), status: 'FILLED' }))
  const file = opened(folder)
  const context = { clock: new FakeClock(dayStartMs), signal: new AbortController().signal }
  const read = () => readMissingOrders(exchange, file, { ...context, isWorkingNow: () => false })
  await read()
  expect(readOrderCount(file)).toBe(250)
  file.putEndedOrders([], { marks: { ordersReadTo: '250', ordersReadCount: '4999850' } })
  exchange.orders.push(...upTo(400).map((id) => anOrder({ orderId: String(250 + id), status: 'FILLED' })))
  await read()
  // The second page reaches five million; two more would be there.
  expect([...file.endedOrders()]).toHaveLength(450)
  file.close()
  exchange.orderPages = 0
  const { clock, told, stop } = aRecorder(folder, exchange)
  await beginning(clock)
  await clock.advance(hourMs)
  for (let turn = 0; turn < 200; turn += 1) await settle()
  expect(exchange.orderPages).toBe(0)
  expect(told).toEqual(['History: 5000000 orders are recorded and the exchange lists more: no more are read.'])
  await stop()
})

test('a list of orders of which none can be read is passed over in parts', async () => {
  const file = opened(temporaryFolder('recorder'))
  const context = { clock: new FakeClock(dayStartMs), signal: new AbortController().signal }
  let pages = 0
  const endless = {
    ...anExchange(0),
    fetchOrderPage: async ({ orderId = '0' }: { orderId?: string }) => {
      pages += 1
      if (pages > 1_500) throw new Error('this list was read for good')
      const unreadable = upTo(100).map((at) => ({ reason: 'odd', atMs: null, fields: { exOrdId: `x${pages}-${at}` } }))
      return { orders: [], unreadable, nextOrderId: String(Number(orderId) + 100) }
    },
  }
  const read = () => readMissingOrders(endless, file, { ...context, isWorkingNow: () => false })
  await read()
  expect(pages).toBe(500)
  await read()
  expect(pages).toBe(1_000)
  expect(readOrderCount(file)).toBe(100_000)
  file.close()
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
  exchange.fills.push(spread(3_001))
  exchange.pagesLeft = 1
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  exchange.pagesLeft = Number.POSITIVE_INFINITY
  exchange.fillCalls = 0
  await second.clock.advance(minuteMs)
  for (let turn = 0; turn < 100; turn += 1) await settle()
  expect(exchange.fillCalls).toBeLessThan(10)
  await second.stop()
  expect(idsIn(folder)).toEqual(upTo(3_001))
})

test('polled fills are kept, and what lies below them unread is read', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(10)
  const { clock, recorder, stop } = aRecorder(folder, exchange)
  await beginning(clock)
  const later = upTo(40).map(spread)
  exchange.fills = later
  const poll = (fills: readonly Fill[]) => recorder.observe({ type: 'fills', fills, atMs: clock.now() })
  // The poll was away for long: it brings the newest alone.
  poll(later.slice(-5).toReversed())
  await clock.advance(minuteMs)
  for (let turn = 0; turn < 50; turn += 1) await settle()
  exchange.fillCalls = 0
  poll([spread(41), spread(40)])
  await clock.advance(minuteMs)
  expect(exchange.fillCalls).toBe(0)
  await stop()
  expect(idsIn(folder)).toEqual(upTo(41))
})

test('the first fills of a new account, of which a poll brings the newest alone, are all read', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(0)
  const { clock, recorder, stop } = aRecorder(folder, exchange)
  await beginning(clock)
  exchange.fills = upTo(40).map(spread)
  recorder.observe({ type: 'fills', fills: exchange.fills.slice(-5).toReversed(), atMs: clock.now() })
  await clock.advance(minuteMs)
  for (let turn = 0; turn < 50; turn += 1) await settle()
  await stop()
  expect(idsIn(folder)).toEqual(upTo(40))
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
  const loaded = next.events.find((event) => event.type === 'barsLoaded')
  expect([...(loaded?.bars.keys() ?? [])]).toEqual(['BTC-USD'])
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
  const loaded = events.flatMap((event) => (event.type === 'barsLoaded' ? [...event.bars.values()] : []))
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

test('of hundreds that were working when last read the list by id tells at the next start, not each by itself', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(0)
  exchange.orders = upTo(450).map((id) => anOrder({ orderId: String(id), status: 'OPEN' }))
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  await first.stop()
  exchange.orders = exchange.orders.map((order) => ({ ...order, status: 'CANCELED' }))
  const gone = exchange.orders.splice(200, 1)
  exchange.orderPages = 0
  exchange.orderReads = 0
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  await second.stop()
  // Five pages of reports, one that was looked for by its id, and the page onwards.
  expect([exchange.orderPages, exchange.orderReads]).toEqual([6, 1])
  const file = opened(folder)
  expect([[...file.endedOrders()].length, file.workingOrderIds()]).toEqual([450 - gone.length, []])
  file.close()
})

test('of orders that the exchange knows no more none is asked for before what is new is read', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(0)
  exchange.orders = upTo(30).map((id) => anOrder({ orderId: String(id), status: 'OPEN' }))
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  await first.stop()
  exchange.orders = [anOrder({ orderId: '31', status: 'FILLED' })]
  exchange.orderReads = 0
  const readsAtNews: number[] = []
  const { fetchOrderPage } = exchange
  exchange.fetchOrderPage = (query) => {
    if (query?.orderId === '30') readsAtNews.push(exchange.orderReads)
    return fetchOrderPage(query)
  }
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  await second.stop()
  expect(readsAtNews).toEqual([0])
  expect(exchange.orderReads).toBe(30)
  const file = opened(folder)
  expect([[...file.endedOrders()].length, file.workingOrderIds()]).toEqual([1, []])
  file.close()
})

test.each(['unauthorized', 'connectivity'] as const)(
  'a list by id that answers %s keeps no end of an order from being read, and where the key may not read it is asked hourly',
  async (kind) => {
    const folder = temporaryFolder('recorder')
    const exchange = anExchange(0)
    exchange.orders = upTo(30).map((id) => anOrder({ orderId: String(id), status: 'OPEN' }))
    const first = aRecorder(folder, exchange)
    await beginning(first.clock)
    await first.stop()
    exchange.orders = exchange.orders.map((order) => ({ ...order, status: 'CANCELED' }))
    let pages = 0
    exchange.fetchOrderPage = async () => {
      pages += 1
      throw new ExchangeError({ kind, method: 'GET', path: '/internal/orders', reason: 'no', outcome: null })
    }
    const second = aRecorder(folder, exchange)
    await beginning(second.clock)
    const file = opened(folder)
    expect([[...file.endedOrders()].length, file.workingOrderIds()]).toEqual([30, []])
    file.close()
    for (let minute = 0; minute < 30; minute += 1) await second.clock.advance(minuteMs)
    if (kind === 'unauthorized') expect(pages).toBe(2)
    else expect(pages).toBeGreaterThan(20)
    await second.stop()
  },
)

test('an order whose report cannot be read, and one that is not told, keep no other end from being read', async () => {
  const file = opened(temporaryFolder('recorder'))
  const exchange = anExchange(0)
  const context = { clock: new FakeClock(dayStartMs), signal: new AbortController().signal, isWorkingNow: () => false }
  exchange.orders = upTo(6).map((id) => anOrder({ orderId: String(id), status: 'OPEN' }))
  await readMissingOrders(exchange, file, context)
  exchange.orders = exchange.orders.map((order) => ({ ...order, status: 'CANCELED' }))
  const { fetchOrder } = exchange
  const odd = new Map<string, ExchangeError['kind']>([
    ['1', 'protocol'],
    ['2', 'protocol'],
    ['4', 'connectivity'],
  ])
  exchange.fetchOrder = async (id) => {
    const kind = odd.get(id)
    if (kind === undefined) return fetchOrder(id)
    throw new ExchangeError({ kind, method: 'GET', path: '/orders', reason: 'no', outcome: null })
  }
  await readMissingOrders(exchange, file, context)
  expect(file.workingOrderIds()).toEqual(['1', '2', '4'])
  // What this key may not read is left alone until the next look.
  for (const id of ['1', '2', '4']) odd.set(id, 'unauthorized')
  await readMissingOrders(exchange, file, context)
  // An exchange that is away is not asked for each of them.
  for (const id of ['1', '2', '4']) odd.set(id, 'connectivity')
  await expect(readMissingOrders(exchange, file, context)).rejects.toBeInstanceOf(ExchangeError)
  file.close()
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

test('a file that another program does not let go of is told of once, and again when it does', async () => {
  const folder = temporaryFolder('recorder')
  const { clock, recorder, told, stop } = aRecorder(folder, anExchange(3))
  await beginning(clock)
  const other = new DatabaseSync(`${folder}/history.sqlite`)
  other.exec('BEGIN IMMEDIATE')
  const ticker = { symbol: 'BTC-USD', lastPrice: new Decimal(1), price24h: null, volume24h: null }
  recorder.observe({ type: 'tickers', tickers: new Map([['BTC-USD', ticker]]), atMs: clock.now() })
  await clock.advance(minuteMs)
  expect(told).toEqual([])
  await clock.advance(minuteMs)
  await clock.advance(minuteMs)
  expect(told).toEqual([
    `No history is recorded: ${folder}/history.sqlite is in use by another program, or by a desk that was stopped. ` +
      'Trading goes on; the desk tries again until it is let go.',
  ])
  other.exec('ROLLBACK')
  other.close()
  await clock.advance(minuteMs)
  expect(told.slice(1)).toEqual(['History is recorded again.'])
  await stop()
  const file = opened(folder)
  expect(file.bars('BTC-USD', 0, Number.MAX_SAFE_INTEGER)).toHaveLength(1)
  file.close()
})

test('a file that another program keeps from being opened is told of from the second time on', async () => {
  const busy = new HistoryError('busy', 'history.sqlite is in use')
  const { clock, told } = aRecorder('/nowhere', anExchange(1), { open: async () => err(busy) })
  await beginning(clock)
  expect(told).toEqual([])
  await clock.advance(hourMs)
  expect(told).toEqual([expect.stringMatching(/^No history is recorded: history.sqlite is in use by another program/)])
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
  await beginning(second.clock)
  await second.stop()
  expect(second.told).toEqual([
    `The practice exchange started over: the earlier history is kept as ${folder}/history.sqlite.earlier-1.`,
  ])
  expect(idsIn(folder)).toEqual(upTo(5))
})

const aTicker = (symbol: string, price: string) =>
  [symbol, { symbol, lastPrice: new Decimal(price), price24h: null, volume24h: null }] as const

test('a price that cannot be read back costs itself alone, and nothing is put aside', async () => {
  const folder = temporaryFolder('recorder')
  const equity = [{ startMs: dayStartMs, equityUsd: null, knownUsd: new Decimal(`1e-${beyond}`), unknown: [] }]
  const exchange = anExchange(3)
  exchange.fills.push({ ...spread(4), price: new Decimal(`1e-${beyond}`) })
  const { clock, recorder, told, stop } = aRecorder(folder, exchange, { equity: () => equity })
  await beginning(clock)
  const tickers = new Map([aTicker('BTC-USD', '100'), aTicker('LTC-USD', `1e-${beyond}`)])
  for (let look = 0; look < 3; look += 1) {
    recorder.observe({ type: 'tickers', tickers, atMs: clock.now() })
    await clock.advance(minuteMs)
  }
  await stop()
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([])
  expect(told).toEqual([expect.stringMatching(/^History: \d rows? with values that cannot be kept or read/)])
  const file = opened(folder)
  expect([file.symbols(), file.equity(0, Infinity), file.fillCount(), file.unreadableFills]).toEqual([
    ['BTC-USD'],
    [],
    3,
    1,
  ])
  file.close()
})

test('rows of an older program that cannot be read cost themselves alone', async () => {
  const folder = temporaryFolder('recorder')
  const first = opened(folder)
  first.putBars([
    ['BTC-USD', aBar(dayStartMs - 2 * minuteMs)],
    ['BTC-USD', aBar(dayStartMs - minuteMs)],
  ])
  first.close()
  const database = new DatabaseSync(first.path)
  database.exec(
    `UPDATE bars SET low = '${new Decimal(`1e-${beyond}`).toFixed()}' WHERE start_ms < ${dayStartMs - minuteMs}`,
  )
  database.close()
  const { clock, events, told, stop } = aRecorder(folder, anExchange(0))
  await beginning(clock)
  await clock.advance(minuteMs)
  await stop()
  const loaded = events.flatMap((event) => (event.type === 'barsLoaded' ? [...event.bars.values()] : []))
  expect(loaded[0]).toMatchObject([{ startMs: dayStartMs - minuteMs }])
  expect(told).toEqual([expect.stringMatching(/^History: \d rows? with values that cannot be kept or read/)])
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toEqual([])
})

/** Overwrites pages of a table in the middle of the file. */
function damage(path: string, table: string): void {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const pages = database.prepare('SELECT pageno FROM dbstat WHERE name = ? ORDER BY pageno').all(table)
  database.close()
  const bytes = readFileSync(path)
  // Not the root, which says where the others are.
  for (const { pageno } of pages.slice(1)) bytes.fill(0xff, (Number(pageno) - 1) * 4_096, Number(pageno) * 4_096)
  writeFileSync(path, bytes)
}

test('damage that does not end is put aside once, with pauses, and told once', async () => {
  const folder = temporaryFolder('recorder')
  const { clock, recorder, told, stop } = aRecorder(folder, anExchange(3))
  await beginning(clock)
  const error = new HistoryError('damaged', 'it is damaged: once more')
  for (let round = 0; round < 20; round += 1) {
    recorder.reportDamage(error)
    for (let turn = 0; turn < 20; turn += 1) await settle()
    await clock.advance(minuteMs)
    for (let turn = 0; turn < 20; turn += 1) await settle()
  }
  await stop()
  expect(readdirSync(folder).filter((name) => /damaged-\d+$/.test(name))).toEqual(['history.sqlite.damaged-1'])
  expect(told).toEqual([expect.stringMatching(/^The history .* is damaged: kept as .*damaged-1/)])
  expect(idsIn(folder)).toEqual(upTo(3))
})

test('what another desk has put aside and begun anew is not put aside again', async () => {
  const folder = temporaryFolder('recorder')
  const { clock, recorder, told, stop } = aRecorder(folder, anExchange(3))
  await beginning(clock)
  opened(folder, { putAside: 'damaged' }).close()
  recorder.reportDamage(new HistoryError('damaged', 'it is damaged'))
  await clock.advance(minuteMs)
  await beginning(clock)
  await stop()
  expect(readdirSync(folder).filter((name) => /damaged-\d+$/.test(name))).toEqual(['history.sqlite.damaged-1'])
  expect(told[0]).toMatch(/was removed or replaced/)
  expect(idsIn(folder)).toEqual(upTo(3))
})

test('damage found by whoever reckons is put aside, and all fills are read again', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(3_000)
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  await first.stop()
  damage(`${folder}/history.sqlite`, 'fills')
  const { clock, recorder, told, events, stop } = aRecorder(folder, exchange)
  const source = { deposits: [], withdrawals: [], statedCosts: [], rules: worldRules }
  const tell: BooksTold[] = []
  const stopping = new AbortController()
  const books = new Bookkeeping({
    open: async (options) => openHistory(folder, options),
    ...{ method: 'fifo', clock, signal: stopping.signal, source: () => source },
    times: () => ({ dayStartMs, sessionStartMs: dayStartMs, nowMs: dayStartMs }),
    tell: (each) => tell.push(each),
    onDamage: (error) => recorder.reportDamage(error),
  })
  const running = books.run()
  onTestFinished(async () => {
    stopping.abort()
    await running
  })
  for (let round = 0; round < 6; round += 1) {
    await beginning(clock)
    for (const event of events.splice(0)) if (event.type === 'historyProgress') books.observe(event)
    await clock.advance(minuteMs)
  }
  expect(told[0]).toMatch(/is damaged: kept as .*damaged-1/)
  const last = tell.at(-1)
  expect(last?.kind === 'standing' ? last.standing.positions.length : last).toBeGreaterThan(0)
  await stop()
  expect(idsIn(folder)).toHaveLength(3_000)
})

test('a clock that is wrong dates and thins nothing, is told of once, and the points after it are written', async () => {
  const folder = temporaryFolder('recorder')
  const before = opened(folder)
  before.putBars(upTo(60).map((minute) => ['BTC-USD', aBar(dayStartMs - minute * minuteMs)] as const))
  before.close()
  let apartMs = 0
  const points: EquityPoint[] = []
  const { clock, recorder, told, stop } = aRecorder(folder, anExchange(0), {
    toUtcMs: (atMs) => atMs + apartMs,
    clocksApartMs: () => apartMs,
    equity: () => points,
  })
  const goOn = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      const startMs = Math.floor((clock.now() + apartMs) / minuteMs) * minuteMs
      points.push({ startMs, equityUsd: new Decimal(1), knownUsd: new Decimal(1), unknown: [] })
      recorder.observe({ type: 'tickers', tickers: new Map([aTicker('BTC-USD', '100')]), atMs: clock.now() })
      await clock.advance(minuteMs)
    }
  }
  await beginning(clock)
  await goOn(3)
  apartMs = 400 * dayMs + 2_000
  await goOn(3)
  apartMs = 0
  points.splice(3)
  await goOn(3)
  await stop()
  expect(told).toEqual([
    "The exchange's clock is 9600 h ahead of this machine's: no prices and no equity are recorded until they agree. " +
      'Turn on NTP, or ask the exchange.',
    "The exchange's clock and this machine's agree again: prices are recorded.",
  ])
  const file = opened(folder)
  const bars = file.bars('BTC-USD', 0, Infinity)
  expect(bars.filter(({ startMs }) => startMs < dayStartMs)).toHaveLength(60)
  expect(bars.filter(({ startMs }) => startMs >= dayStartMs)).toHaveLength(6)
  expect(file.equity(0, Infinity)).toHaveLength(6)
  file.close()
})

test('clocks agree while they are within five minutes of each other', () => {
  const told: string[] = []
  const agreeAt = (apartMs: number) =>
    clocksOf(
      () => apartMs,
      (_level, sentence) => told.push(sentence),
    ).agree()
  expect([0, 300_000, -300_000, 300_001, -300_001].map(agreeAt)).toEqual([true, true, true, false, false])
  expect(told).toHaveLength(2)
})

test('a start with a wrong clock thins nothing; what one has dated after now is taken out once it is right', async () => {
  const folder = temporaryFolder('recorder')
  const before = opened(folder)
  before.putBars(upTo(60).map((minute) => ['BTC-USD', aBar(dayStartMs - minute * minuteMs)] as const))
  before.putBars([['BTC-USD', aBar(dayStartMs + 400 * dayMs)]])
  before.close()
  let apartMs = 400 * dayMs
  const { clock, told, stop } = aRecorder(folder, anExchange(0), {
    toUtcMs: (atMs) => atMs + apartMs,
    clocksApartMs: () => apartMs,
  })
  await beginning(clock)
  const count = () => {
    const file = opened(folder)
    const bars = file.bars('BTC-USD', 0, Infinity)
    file.close()
    return bars.length
  }
  expect(count()).toBe(61)
  apartMs = 0
  await clock.advance(2 * minuteMs)
  await stop()
  expect(count()).toBe(60)
  expect(told.at(-1)).toBe('History: 1 prices and points of equity, dated after now by a wrong clock, were taken out.')
})

test('among very many symbols, those that a desk shows or values keep their minutes, as the recorder notes', async () => {
  const folder = temporaryFolder('recorder')
  const before = opened(folder)
  const symbols = upTo(250).map((at) => `S${at}-USD`)
  before.putBars(symbols.map((symbol) => [symbol, aBar(dayStartMs - 10 * dayMs)] as const))
  before.close()
  const desk = { symbol: 'S3-USD', recentSymbols: ['S4-USD'], otherAccounts: new Map(), balances: emptyFeed }
  const { clock, stop } = aRecorder(
    folder,
    anExchange(0),
    symbolsWanted(() => desk),
  )
  await beginning(clock)
  // Withdrawals are not polled here: what they were worth is waited for.
  await clock.advance(hourMs + 2 * minuteMs)
  for (let turn = 0; turn < 300; turn += 1) await settle()
  await stop()
  const file = opened(folder)
  expect(symbols.filter((symbol) => file.bars(symbol, 0, Infinity)[0]?.spanMs === undefined)).toEqual([
    'S3-USD',
    'S4-USD',
  ])
  file.close()
})

test('a fill that cannot be read counts once, whether a poll brings it, a gap, or a look at what came late', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(5)
  const oddOne = (execId: string) => ({ reason: 'field "side" is missing', atMs: null, fields: { execId } })
  let unreadable: UnreadableEntry[] = []
  const client = {
    ...exchange,
    fetchFills: async (query: FillQuery) => ({ ...(await exchange.fetchFills(query)), unreadable }),
  }
  const counted = () => {
    const file = opened(folder)
    const count = file.unreadableFills
    file.close()
    return count
  }
  const first = aRecorder(folder, client)
  await beginning(first.clock)
  first.recorder.observe({ type: 'fills', fills: [spread(6)], unreadable: [oddOne('8')], atMs: first.clock.now() })
  await first.stop()
  expect(counted()).toBe(1)
  unreadable = [oddOne('8')]
  const second = aRecorder(folder, client)
  await beginning(second.clock)
  expect(counted()).toBe(1)
  unreadable = [oddOne('8'), oddOne('9')]
  await second.clock.advance(hourMs)
  for (let turn = 0; turn < 50; turn += 1) await settle()
  expect(counted()).toBe(2)
  // An answer that was distorted once does not leave a history that is said to lack a fill for good.
  second.recorder.observe({ type: 'fills', fills: [spread(8)], unreadable: [oddOne('9')], atMs: second.clock.now() })
  await second.stop()
  expect(counted()).toBe(1)
  const third = aRecorder(folder, { ...exchange })
  await beginning(third.clock)
  third.recorder.observe({ type: 'fills', fills: [spread(8)], unreadable: [oddOne('8')], atMs: third.clock.now() })
  await third.stop()
  expect(counted()).toBe(1)
})

test('one huge id, and one dated years ahead, keep nothing from being recorded; what comes late is', async () => {
  const folder = temporaryFolder('recorder')
  const exchange = anExchange(5)
  exchange.fills.push({ ...spread(6), execId: '9223372036854775000' })
  exchange.fills.push({ ...spread(7), timestampMs: dayStartMs + 400 * dayMs })
  const first = aRecorder(folder, exchange)
  await beginning(first.clock)
  await first.stop()
  exchange.fills.push(...upTo(20).map((number) => spread(number + 10)))
  const second = aRecorder(folder, exchange)
  await beginning(second.clock)
  second.recorder.observe({ type: 'fills', fills: [spread(31), spread(30)], atMs: second.clock.now() })
  exchange.fills.push(spread(31), aFill(8, { timestampMs: dayStartMs - 30 * dayMs + 20 * minuteMs }))
  await second.clock.advance(minuteMs)
  const count = () => idsIn(folder).length
  expect(count()).toBe(28)
  await second.clock.advance(hourMs)
  for (let turn = 0; turn < 50; turn += 1) await settle()
  expect(count()).toBe(29)
  await second.stop()
})

test('a fill that is told again with other terms stays as it was first: said once, and with both terms', async () => {
  const folder = temporaryFolder('recorder')
  const { clock, recorder, told, stop } = aRecorder(folder, anExchange(3))
  await beginning(clock)
  const again = { ...spread(2), quantity: new Decimal('7') }
  for (let turn = 0; turn < 3; turn += 1) {
    recorder.observe({ type: 'fills', fills: [again], unreadable: [], atMs: clock.now() })
    await clock.advance(minuteMs)
  }
  await stop()
  const file = opened(folder)
  expect(file.fill('2')?.quantity.toFixed()).toBe('0.05')
  expect(file.toldOtherwise).toEqual([expect.stringMatching(/^execution 2 was told first as BUY 0.05 .* as BUY 7 /)])
  expect(told.filter((sentence) => sentence.includes('execution 2'))).toHaveLength(1)
  file.close()
})

test('a recorder that leaves a newer file alone keeps nothing of what is polled later', async () => {
  let looks = 0
  const newer = new HistoryError('newer', 'history.sqlite was written by a newer pitdesk')
  const clocksApartMs = () => {
    looks += 1
    return 0
  }
  const { clock, recorder, told } = aRecorder(temporaryFolder('history'), anExchange(0), {
    open: () => Promise.resolve(err(newer)),
    clocksApartMs,
  })
  const tickers = { type: 'tickers', tickers: new Map(), unreadable: [], atMs: 0 } as const
  recorder.observe(tickers)
  expect(looks).toBe(1)
  await beginning(clock, 3)
  recorder.observe(tickers)
  expect(looks).toBe(1)
  expect(told).toEqual(['No history is recorded: history.sqlite was written by a newer pitdesk.'])
})
