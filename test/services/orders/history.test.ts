import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExchangeError, type Fault } from '../../../src/api/errors.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import {
  compareIds,
  isWorking,
  type Order,
  type OrderStatus,
  orderHistoryMax,
} from '../../../src/domain/orders/order.ts'
import { createOrderHistory } from '../../../src/services/orders/history.ts'
import type { OrderListClient } from '../../../src/services/orders/order-pages.ts'
import { anOrder } from '../../fakes/orders.ts'

const ids = (orders: readonly Order[]) => orders.map(({ orderId }) => orderId ?? '').toSorted(compareIds)
const newestFirst = (left: Order, right: Order) =>
  (right.timestampMs ?? 0) - (left.timestampMs ?? 0) || compareIds(right.orderId ?? '', left.orderId ?? '')

/** An exchange with these orders, which answers as the interface says; `calls` counts what it was asked. */
function anExchange(orders: Order[]) {
  /** `isEndless`: each page of filled orders has other ones, whatever was asked for; its asking ends nowhere. */
  const state = {
    ...{ calls: 0, isDown: false, callsUntilDown: Number.POSITIVE_INFINITY, isEndless: false },
    idListFailure: null as ExchangeError | null,
    /** Lists that fail, and with what. */
    failing: new Map<OrderStatus | undefined, ExchangeError>(),
  }
  let newest = 1_000_000
  const answer = <T>(value: T): Promise<T> => {
    state.calls += 1
    state.callsUntilDown -= 1
    if (!state.isDown && state.callsUntilDown >= 0) return Promise.resolve(value)
    const details = {
      kind: 'connectivity',
      reason: 'no answer',
      method: 'GET',
      path: '/orders',
      outcome: null,
    } as const
    return Promise.reject(new ExchangeError({ ...details, fault: 'connectionRefused' }))
  }
  const client: OrderListClient = {
    fetchOrders({ status, toMs = Number.POSITIVE_INFINITY, limit = 100 }) {
      const failure = state.failing.get(status)
      if (failure !== undefined) {
        state.calls += 1
        return Promise.reject(failure)
      }
      if (state.isEndless && status === 'FILLED') {
        newest -= limit
        if (newest < 0) throw new Error('this list was read for ten thousand pages')
        return answer(
          readableListing(Array.from({ length: limit }, (_, at) => order(2 + newest + at, 'FILLED', 2 + newest + at))),
        )
      }
      const listed = orders.filter((order) => order.status === status && (order.timestampMs ?? 0) <= toMs)
      return answer(readableListing(listed.toSorted(newestFirst).slice(0, limit)))
    },
    fetchOrderPage({ fromMs = 0, orderId = '0', limit = 100 }) {
      if (state.idListFailure !== null) return Promise.reject(state.idListFailure)
      const after = orders.filter(
        (order) => (order.timestampMs ?? 0) >= fromMs && compareIds(order.orderId ?? '', orderId) > 0,
      )
      const page = after.toSorted((left, right) => compareIds(left.orderId ?? '', right.orderId ?? '')).slice(0, limit)
      return answer({ orders: page, nextOrderId: page.at(-1)?.orderId ?? orderId })
    },
  }
  return { state, history: createOrderHistory(client, new AbortController().signal) }
}

const order = (id: number, status: OrderStatus, timestampMs: number) =>
  anOrder({ orderId: String(id), clientOrderId: `c${id}`, status, timestampMs })

async function older(history: ReturnType<typeof anExchange>['history']) {
  const page = await history.older()
  if (!page.ok) throw new Error(page.error)
  return page.value
}

test('page by page every ended order comes exactly once, and none is missing between those that are there', async () => {
  const statuses = fc.constantFrom<OrderStatus>('FILLED', 'CANCELED', 'REJECTED', 'EXPIRED', 'OPEN', 'PENDING')
  // Few moments for many orders: crowds of one status in one millisecond, larger than a page.
  const many = fc.array(fc.tuple(statuses, fc.integer({ min: 1, max: 6 })), { maxLength: 900, size: 'max' })
  await fc.assert(
    fc.asyncProperty(many, async (drawn) => {
      const orders = drawn.map(([status, atMs], index) => order(index + 1, status, atMs * 1_000))
      const ended = orders.filter((each) => !isWorking(each))
      const { history } = anExchange(orders)
      const got: Order[] = []
      for (let pages = 0; ; pages += 1) {
        const page = await older(history)
        got.push(...page.orders)
        expect(pages).toBeLessThan(100)
        if (page.isLast) break
        const fromMs = Math.min(...got.map(({ timestampMs }) => timestampMs ?? 0))
        // Others of the oldest moment may follow with the next page.
        const isNewer = ({ timestampMs }: Order) => (timestampMs ?? 0) > fromMs
        expect(ids(got.filter(isNewer))).toEqual(ids(ended.filter(isNewer)))
      }
      expect(ids(got)).toEqual(ids(ended))
    }),
    { numRuns: 25 },
  )
})

test('a page asks no more than it needs: one list each at first, then only the ones that are used up', async () => {
  const orders = Array.from({ length: 350 }, (_, index) => order(index + 1, 'CANCELED', 1_000 + index))
  const { history, state } = anExchange([...orders, order(900, 'FILLED', 1)])
  expect((await older(history)).orders).toHaveLength(100)
  expect(state.calls).toBe(4)
  await older(history)
  expect(state.calls).toBe(5)
})

test('what came since is found from the front, and only that', async () => {
  const orders = Array.from({ length: 130 }, (_, index) => order(index + 1, 'FILLED', 1_000 + index))
  const { history } = anExchange(orders)
  await older(history)
  orders.push(order(500, 'FILLED', 5_000), order(501, 'REJECTED', 5_001))
  const page = await history.newer()
  expect(page.ok && ids(page.value.orders)).toEqual(['500', '501'])
  // What the front brought does not come again from behind.
  expect(ids((await older(history)).orders)).toEqual(ids(orders.slice(0, 30)))
})

test('of a list that has no end no more is read than a screen keeps, each time that it is looked at', async () => {
  const { history, state } = anExchange([order(1, 'FILLED', 1_000)])
  await older(history)
  state.isEndless = true
  state.calls = 0
  const page = await history.newer()
  expect(page.ok && page.value.orders).toHaveLength(orderHistoryMax)
  // A page of each hundred, and one each of the three other lists.
  expect(state.calls).toBe(50 + 3)
})

test('what came since is found whole also after a failure behind its first page', async () => {
  const orders = [order(1, 'FILLED', 1_000)]
  const { history, state } = anExchange(orders)
  await older(history)
  for (let id = 2; id <= 251; id += 1) orders.push(order(id, 'FILLED', 1_000 + id))
  state.callsUntilDown = 1
  expect(await history.newer()).toMatchObject({ ok: false })
  state.callsUntilDown = Number.POSITIVE_INFINITY
  const page = await history.newer()
  expect(page.ok && ids(page.value.orders)).toEqual(ids(orders.slice(1)))
})

test('a failure is a sentence, and loses nothing that had come before it', async () => {
  const orders = Array.from({ length: 150 }, (_, index) => order(index + 1, 'EXPIRED', 1_000 + index))
  const { history, state } = anExchange(orders)
  const got = [...(await older(history)).orders]
  state.isDown = true
  expect(await history.older()).toMatchObject({ ok: false, error: expect.stringMatching(/\w/) })
  expect(await history.newer()).toMatchObject({ ok: false })
  state.isDown = false
  for (let isLast = false; !isLast; ) {
    const page = await older(history)
    got.push(...page.orders)
    isLast = page.isLast
  }
  expect(ids(got)).toEqual(ids(orders))
})

const failed = (details: { status?: number; fault: Fault }) =>
  new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/orders', reason: 'no', outcome: null, ...details })
const unavailable = failed({ status: 503, fault: 'status' })
const late = failed({ fault: 'answerTimeout' })

test.each([
  ['answers 503', unavailable, 'EXPIRED, not available (503)'],
  ['takes too long', late, 'EXPIRED, no answer'],
])('a list that %s hides no order of the others, and what it has comes once it answers', async (_, error, failure) => {
  const orders = [
    ...Array.from({ length: 120 }, (_, index) => order(index + 1, 'FILLED', 1_000 + index)),
    ...Array.from({ length: 5 }, (_, index) => order(500 + index, 'EXPIRED', 1_050 + index)),
  ]
  const { history, state } = anExchange(orders)
  state.failing.set('EXPIRED', error)
  const got: Order[] = []
  for (let round = 0; round < 3; round += 1) {
    const page = await older(history)
    got.push(...page.orders)
    expect([page.failure, page.isLast]).toEqual([failure, false])
  }
  expect(ids(got)).toEqual(ids(orders.filter(({ status }) => status === 'FILLED')))
  orders.push(order(900, 'CANCELED', 9_000))
  const since = await history.newer()
  expect(since.ok && [ids(since.value.orders), since.value.failure]).toEqual([['900'], failure])
  state.failing.clear()
  const page = await older(history)
  expect([ids(page.orders), page.failure, page.isLast]).toEqual([['500', '501', '502', '503', '504'], undefined, true])
})

test('an exchange that is away is asked for no other list after a few, and one that refuses all of them tells why', async () => {
  const { history, state } = anExchange([order(1, 'FILLED', 1_000)])
  const statuses: readonly OrderStatus[] = ['FILLED', 'CANCELED', 'REJECTED', 'EXPIRED']
  for (const status of statuses) state.failing.set(status, late)
  expect(await history.older()).toEqual({ ok: false, error: 'no answer' })
  expect(state.calls).toBe(2)
  for (const status of statuses) state.failing.set(status, unavailable)
  expect(await history.older()).toEqual({ ok: false, error: 'not available (503)' })
  expect(await history.newer()).toEqual({ ok: false, error: 'not available (503)' })
})

test('orders of one moment that fill more than a page are all there also after the list by id has failed once', async () => {
  const orders = Array.from({ length: 250 }, (_, index) => order(index + 1, 'FILLED', 5_000))
  orders.push(order(300, 'FILLED', 1_000))
  const { history, state } = anExchange(orders)
  const got: Order[] = []
  state.idListFailure = unavailable
  for (let round = 0; round < 4; round += 1) {
    const page = await history.older()
    if (page.ok) got.push(...page.value.orders)
  }
  state.idListFailure = null
  for (let isLast = false; !isLast; ) {
    const page = await older(history)
    got.push(...page.orders)
    isLast = page.isLast
  }
  expect(ids(got)).toEqual(ids(orders))
})

test('a key that may not read the list by id reads on behind a moment that fills more than a page', async () => {
  const orders = Array.from({ length: 250 }, (_, index) => order(index + 1, 'CANCELED', 5_000))
  orders.push(order(300, 'CANCELED', 1_000))
  const { history, state } = anExchange(orders)
  state.idListFailure = new ExchangeError({
    ...{ kind: 'unauthorized', status: 401, method: 'GET', path: '/internal/orders', reason: 'no', outcome: null },
  })
  const got: Order[] = []
  for (let isLast = false; !isLast; ) {
    const page = await older(history)
    got.push(...page.orders)
    isLast = page.isLast
    expect(page.failure).toBeUndefined()
  }
  expect(ids(got)).toContain('300')
})
