import { expect, test } from 'vitest'
import type { FillQuery } from '../../../src/api/exchange-client.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
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

test('after the first look only what is new is asked for, through as many pages as it takes', async () => {
  const signal = new AbortController().signal
  const queries: FillQuery[] = []
  let all = [fill(3), fill(2), fill(1)]
  const fetchFills = (query: FillQuery) => {
    queries.push(query)
    const from = query.fromExecId ?? '0'
    const to = query.toExecId ?? '999999'
    const inRange = all.filter(({ execId }) => compareIds(execId, from) >= 0 && compareIds(execId, to) <= 0)
    return Promise.resolve(readableListing(inRange.slice(0, query.limit)))
  }
  const newFills = createNewFills({ fetchFills }, () => 0)
  expect((await newFills(signal)).entries.length).toBe(3)
  all = Array.from({ length: 2_503 }, (_, index) => fill(2_503 - index))
  const { entries: fresh } = await newFills(signal)
  expect(new Set(fresh.map(({ execId }) => execId)).size).toBe(2_501)
  // Twice more for the day of the first look: that a short page is the last is only known from the next.
  expect(queries.length).toBe(6)
  expect((await newFills(signal)).entries.map(({ execId }) => execId)).toEqual(['2503'])
})

test('the first look brings the whole UTC day, however many fills it has, and not the day before', async () => {
  const noon = 86_400_000 * 20_000 + 43_200_000
  const perDay = 2_300
  const all = Array.from({ length: 2 * perDay }, (_, index) => {
    const execId = 2 * perDay - index
    return { ...fill(execId), timestampMs: execId > perDay ? noon : noon - 86_400_000 }
  })
  const fetchFills = (query: FillQuery) =>
    Promise.resolve(
      readableListing(
        all
          .filter(({ timestampMs }) => timestampMs >= (query.fromMs ?? 0))
          .filter(({ execId }) => compareIds(execId, query.toExecId ?? '999999') <= 0)
          .slice(0, query.limit),
      ),
    )
  const { entries: fills } = await createNewFills({ fetchFills }, () => noon + 1_000)(new AbortController().signal)
  expect(new Set(fills.map(({ execId }) => execId)).size).toBe(perDay)
  const { entries: quiet } = await createNewFills({ fetchFills }, () => noon + 86_400_000)(new AbortController().signal)
  expect(quiet).toHaveLength(100)
})
