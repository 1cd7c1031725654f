import { expect, test } from 'vitest'
import type { FillQuery } from '../../../src/api/exchange-client.ts'
import { minuteMs, secondMs } from '../../../src/base/text/time-text.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { type Fill, newestFillFirst } from '../../../src/domain/orders/fills.ts'
import { compareIds } from '../../../src/domain/orders/order.ts'
import { createNewFills } from '../../../src/services/polling/account.ts'

const fill = (execId: number): Fill => ({
  orderId: '1',
  tradeId: `${execId}`,
  execId: `${execId}`,
  symbol: 'BTC-USD',
  side: 'BUY',
  price: new Decimal(1),
  quantity: new Decimal(1),
  fee: new Decimal(0),
  timestampMs: execId,
})

const { signal } = new AbortController()
const idsOf = ({ entries }: { entries: readonly Fill[] }) => entries.map(({ execId }) => execId)

/** An exchange with executions that a test changes, newest first by time or as said; what it is asked is kept. */
function anExchange(fills: readonly Fill[], order = newestFillFirst) {
  const exchange = {
    fills,
    queries: [] as FillQuery[],
    async fetchFills(query: FillQuery) {
      exchange.queries.push(query)
      const asked = exchange.fills
        .filter(({ timestampMs }) => timestampMs >= (query.fromMs ?? 0) && timestampMs <= (query.toMs ?? Infinity))
        .filter(({ execId }) => compareIds(execId, query.toExecId ?? '9999999999999999999') <= 0)
      return readableListing(asked.toSorted(order).slice(0, query.limit))
    },
  }
  return exchange
}

test('after the first look only what is new is asked for, through as many pages as it takes', async () => {
  const spread = (execId: number) => ({ ...fill(execId), timestampMs: execId * 20 * secondMs })
  const exchange = anExchange([3, 2, 1].map(spread))
  let nowMs = minuteMs
  const newFills = createNewFills(exchange, () => nowMs)
  expect((await newFills(signal)).entries.length).toBe(3)
  nowMs = 2_503 * 20 * secondMs
  exchange.fills = Array.from({ length: 2_503 }, (_, index) => spread(2_503 - index))
  const { entries: fresh } = await newFills(signal)
  // The newest ones of before come once more.
  expect(fresh).toHaveLength(2_502)
  // Twice more for the day of the first look: that a short page is the last is only known from the next.
  expect(exchange.queries.length).toBe(6)
  expect(idsOf(await newFills(signal))).toEqual(['2503', '2502'])
  expect(exchange.queries.length).toBe(7)
})

test('one huge id hides none that come after it, and a smaller id that comes late is taken', async () => {
  const at = (execId: number, seconds: number) => ({ ...fill(execId), timestampMs: seconds * secondMs })
  const odd = { ...at(0, 3), execId: '9223372036854775000' }
  const exchange = anExchange([at(5, 5), odd, at(1, 1)])
  const newFills = createNewFills(exchange, () => 100 * secondMs)
  await newFills(signal)
  exchange.fills = [at(7, 21), at(6, 20), ...exchange.fills]
  expect(idsOf(await newFills(signal))).toEqual(expect.arrayContaining(['7', '6']))
  exchange.fills = [...exchange.fills, at(4, 15)]
  expect(idsOf(await newFills(signal))).toContain('4')
  // It is gone again, and with it whatever was known last.
  exchange.fills = [at(9, 60), at(8, 50)]
  expect(idsOf(await newFills(signal))).toEqual(['9', '8'])
  exchange.fills = [at(10, 61), ...exchange.fills]
  expect(idsOf(await newFills(signal))).toEqual(['10', '9', '8'])
})

test('some that are dated years ahead hide none either', async () => {
  const odd = [3, 5].map((execId) => ({ ...fill(execId), timestampMs: (400 + execId) * 86_400_000 }))
  const exchange = anExchange([...odd, fill(2), fill(1)])
  const newFills = createNewFills(exchange, () => 10)
  await newFills(signal)
  exchange.fills = [...odd, fill(4), fill(2), fill(1)]
  expect(idsOf(await newFills(signal))).toContain('4')
})

test('the first look brings the whole UTC day, however many fills it has, and not the day before', async () => {
  const noon = 86_400_000 * 20_000 + 43_200_000
  const perDay = 2_300
  const all = Array.from({ length: 2 * perDay }, (_, index) => {
    const execId = 2 * perDay - index
    return { ...fill(execId), timestampMs: execId > perDay ? noon : noon - 86_400_000 }
  })
  const exchange = anExchange(all)
  const { entries: fills } = await createNewFills(exchange, () => noon + 1_000)(signal)
  expect(new Set(fills.map(({ execId }) => execId)).size).toBe(perDay)
  const { entries: quiet } = await createNewFills(exchange, () => noon + 86_400_000)(signal)
  expect(quiet).toHaveLength(100)
})

test('the whole day is the exchange’s, also where its clock came to be known after the first look', async () => {
  const midnight = 86_400_000 * 20_000
  const perDay = 300
  const day = Array.from({ length: perDay }, (_, index) => ({
    ...fill(perDay - index),
    timestampMs: midnight - 1_000_000 - index,
  }))
  // The desk's clock is three hours ahead: there the next day has begun.
  let aheadMs = 0
  const newFills = createNewFills(anExchange(day), () => midnight + 3_600_000 + aheadMs)
  expect((await newFills(signal)).entries).toHaveLength(100)
  aheadMs = -3 * 3_600_000
  expect((await newFills(signal)).entries).toHaveLength(perDay)
})

test('an execution of before among those of the day does not pass for the end of it', async () => {
  const midnight = 86_400_000 * 20_000
  const perDay = 300
  // Listed by id: the eleventh was told of late.
  const day = Array.from({ length: perDay }, (_, index) => ({
    ...fill(perDay - index),
    timestampMs: midnight + 1_000_000 - index * 1_000 - (index === 10 ? 86_400_000 : 0),
  }))
  const newFills = createNewFills(
    anExchange(day, (left, right) => compareIds(right.execId, left.execId)),
    () => midnight + 3_600_000,
  )
  expect((await newFills(signal)).entries.filter(({ timestampMs }) => timestampMs >= midnight)).toHaveLength(perDay - 1)
})

test('a day without end is read for so many pages, and counts as not whole: it would fill memory', async () => {
  let calls = 0
  const nowMs = 3 * 24 * 60 * minuteMs - 1
  const exchange = {
    fetchFills: async ({ toMs = nowMs }: FillQuery) => {
      calls += 1
      return readableListing([1, 2].map((number) => ({ ...fill(toMs - number), timestampMs: toMs - number })))
    },
  }
  const { unreadable } = await createNewFills(exchange, () => nowMs)(signal)
  expect(calls).toBe(1_101)
  expect(unreadable.map(({ reason }) => reason)).toEqual([expect.stringContaining('has no end')])
})
