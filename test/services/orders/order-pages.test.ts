import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { findOrders, ordersSinceMs, whyHidden } from '../../../src/services/orders/find-orders.ts'
import {
  fetchAllWorking,
  fetchCrowd,
  type OrderSource,
  OrderWalk,
  walkEngineOrders,
  walkOrders,
} from '../../../src/services/orders/order-pages.ts'
import { anOrder } from '../../fakes/orders.ts'

const callsMax = 500

const numbered = (number: number, timestampMs: number | null): Order =>
  anOrder({ orderId: String(number), timestampMs })
const spread = (count: number, perMs: number): Order[] =>
  Array.from({ length: count }, (_, index) => numbered(index + 1, 1_000 + Math.floor(index / perMs)))

/** Newest first, by time and then by id, as the interface lists. */
const listed = (orders: readonly Order[]): Order[] =>
  orders.toSorted(
    (left, right) => (right.timestampMs ?? 0) - (left.timestampMs ?? 0) || Number(right.orderId) - Number(left.orderId),
  )
const idsOf = (orders: Iterable<Order>) => new Set([...orders].map(({ orderId }) => orderId))

/**
 * Walks a list of these orders at a service that gives at most `cap()` of them in an answer, whatever it is asked for.
 */
async function walk(orders: readonly Order[], cap: () => number, crowd?: OrderSource['crowd']) {
  let calls = 0
  const list = await walkOrders({
    fetch(toMs) {
      calls += 1
      if (calls > callsMax) throw new Error('the walk has no end')
      const inTime = listed(orders).filter(
        ({ timestampMs }) => (timestampMs ?? 0) <= (toMs ?? Number.POSITIVE_INFINITY),
      )
      return Promise.resolve(readableListing(inTime.slice(0, cap())))
    },
    crowd: crowd ?? ((atMs) => Promise.resolve(readableListing(orders.filter((order) => order.timestampMs === atMs)))),
  })
  return { ids: idsOf(list.orders.values()), isWhole: list.isWhole, calls }
}

test.each([100, 37, 3, 2])('pages of at most %i bring every order once', async (most) => {
  const orders = spread(230, 2)
  expect(await walk(orders, () => most)).toMatchObject({ ids: idsOf(orders), isWhole: true })
})

test('pages that come short now and then do not end the walk', async () => {
  const orders = spread(300, 1)
  let calls = 0
  const cap = () => {
    calls += 1
    return calls % 3 === 0 ? 100 : 2 + (calls % 40)
  }
  expect(await walk(orders, cap)).toMatchObject({ ids: idsOf(orders), isWhole: true })
})

test('a list that ends needs one page more than it fills, an empty one a single page', async () => {
  expect((await walk(spread(5, 1), () => 100)).calls).toBe(2)
  expect(await walk([], () => 100)).toEqual({ ids: new Set(), isWhole: true, calls: 1 })
})

/** Ninety in one millisecond, at a service that gives forty at a time. */
const crowded = [...spread(20, 1), ...Array.from({ length: 90 }, (_, index) => numbered(100 + index, 1_010))]

test('more orders in a millisecond than a page holds come from where they can be had by id', async () => {
  expect(await walk(crowded, () => 40)).toMatchObject({ ids: idsOf(crowded), isWhole: true })
})

const noWay = new ExchangeError({
  kind: 'notFound',
  method: 'GET',
  path: '/internal/orders',
  reason: 'not found',
  outcome: null,
})

test.each([
  ['is no such way', () => Promise.reject(noWay)],
  ['is one that lacks what was listed', () => Promise.resolve(readableListing([numbered(7, 1_010)]))],
])('where there %s, the list is not called whole, and what lies behind is there', async (_, crowd) => {
  const walked = await walk(crowded, () => 40, crowd)
  expect(walked.isWhole).toBe(false)
  for (const order of spread(10, 1)) expect(walked.ids).toContain(order.orderId)
})

test('what was cut off before a short page without any time stays cut off', async () => {
  const spare = numbered(1, null)
  const pages = [crowded.slice(-40), crowded.slice(-40), [spare]]
  const list = await walkOrders({
    fetch: () => Promise.resolve(readableListing(pages.shift() ?? [])),
    crowd: () => Promise.reject(noWay),
  })
  expect([...list.orders.values()]).toContain(spare)
  expect(list.isWhole).toBe(false)
})

test('an order is found behind any number of others in the list by id', async () => {
  const firstId = (query: { orderId?: string }) => Number(query.orderId ?? 0) + 1
  const client = {
    fetchOrders: () => Promise.resolve(readableListing([])),
    fetchOrderPage: (query: { orderId?: string }) => {
      const orders = Array.from({ length: 1_000 }, (_, index) => numbered(firstId(query) + index, 1_000))
      const ids = orders.map(({ orderId }) => Number(orderId))
      return Promise.resolve({
        nextOrderId: String(ids.at(-1)),
        orders: orders.map((order, index) => ({ ...order, clientOrderId: `c${ids[index]}` })),
      })
    },
  }
  const found = await findOrders(client, new Set(['c45000']), 0, new AbortController().signal)
  expect(found).toMatchObject({ isWhole: true })
  expect(found.orders.get('c45000')?.orderId).toBe('45000')
})

test('an entry of the list by id that cannot be read and may be the order is told of, another one is not', async () => {
  const odd = (clOrdId?: string) => ({
    reason: 'no side',
    atMs: null,
    fields: clOrdId === undefined ? {} : { clOrdId },
  })
  const [own, nameless, other] = [odd('sought'), odd(), odd('other')]
  const client = {
    fetchOrders: () => Promise.resolve(readableListing([])),
    fetchOrderPage: ({ orderId }: { orderId?: string }) =>
      Promise.resolve({ nextOrderId: '9', orders: [], unreadable: orderId === '9' ? [] : [own, nameless, other] }),
  }
  const found = await findOrders(client, new Set(['sought']), 0, new AbortController().signal)
  expect(found).toMatchObject({ isWhole: true, unreadable: [own, nameless] })
  expect(whyHidden(found)).toBe('an order listed is unreadable and may be it (clOrdId sought)')
})

test.each([
  [{ kind: 'notFound', status: 404 }, true],
  [{ kind: 'unauthorized', status: 401 }, true],
  [{ kind: 'rejected', status: 403 }, true],
  [{ kind: 'rateLimited', status: 429 }, false],
  [{ kind: 'connectivity', status: 500 }, false],
  [{ kind: 'connectivity' }, false],
] as const)(
  'of an order that is nowhere nothing is known where the list by id fails (%j), unless it is not offered',
  async (how, isUnseen) => {
    const failure = new ExchangeError({ ...how, method: 'GET', path: '/fills', reason: 'no', outcome: null })
    const client = {
      fetchOrders: () => Promise.resolve(readableListing([])),
      fetchOrderPage: () => Promise.reject(failure),
    }
    const finding = findOrders(client, new Set(['sought']), 0, new AbortController().signal)
    if (isUnseen) expect(await finding).toMatchObject({ isEngineUnseen: true, isWhole: true })
    else await expect(finding).rejects.toBe(failure)
  },
)

test('a duplicate that was rejected never stands for the order itself, whichever of the two a list has first', async () => {
  const own = anOrder({ orderId: '2', clientOrderId: 'sought', status: 'OPEN' })
  const refused = anOrder({ orderId: '3', clientOrderId: 'sought', status: 'REJECTED' })
  for (const [working, engine] of [
    [[own], []],
    [[own], [refused]],
    [[], [own, refused]],
    [[], [refused, own]],
  ] as const) {
    const client = {
      fetchOrders: ({ status }: { status?: string }) =>
        Promise.resolve(readableListing(status === 'REJECTED' ? [refused] : status === undefined ? working : [])),
      fetchOrderPage: ({ orderId }: { orderId?: string }) =>
        Promise.resolve({ nextOrderId: '9', orders: orderId === '9' ? [] : engine }),
    }
    // With one that is nowhere every list is read.
    const found = await findOrders(client, new Set(['sought', 'nowhere']), 0, new AbortController().signal)
    expect(found).toMatchObject({ orders: new Map([['sought', own]]), others: new Map(), isWhole: true })
  }
})

test.each([
  [600_000, null, 480_000],
  [600_000, -300_000, 180_000],
  [600_000, 300_000, 480_000],
  [100_000, -300_000, 0],
])(
  'an order of %i ms is looked for from two minutes before, by an exchange clock that is behind (%j)',
  (at, skew, since) => {
    expect(ordersSinceMs(at, skew)).toBe(since)
  },
)

test('a failure of the way by id is one of the walk', async () => {
  const down = new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/', reason: 'reset', outcome: null })
  await expect(
    walk(
      crowded,
      () => 40,
      () => Promise.reject(down),
    ),
  ).rejects.toBe(down)
})

test('a service that takes no notice of the time ends the walk', async () => {
  const orders = spread(30, 1)
  let calls = 0
  const list = await walkOrders({
    fetch() {
      calls += 1
      if (calls > callsMax) throw new Error('the walk has no end')
      return Promise.resolve(readableListing(listed(orders)))
    },
    crowd: () => Promise.resolve(readableListing([])),
  })
  expect(idsOf(list.orders.values())).toEqual(idsOf(orders))
})

/** Every page brings two orders that are older than all before. */
const endless = ({ toMs = 2_000_000 }: { toMs?: number }) =>
  Promise.resolve(readableListing([numbered(2 * toMs, toMs - 1), numbered(2 * toMs + 1, toMs - 1)]))

test.each([
  [{ pages: 3 }, 3],
  [{ orders: 5 }, 3],
  [{ pages: 4, orders: 4 }, 2],
])('a walk of %o ends at its bound, after %i pages, and is not called whole', async (bound, pages) => {
  const walk = new OrderWalk(
    {
      fetch: (toMs) => endless(toMs === null ? {} : { toMs }),
      crowd: () => Promise.resolve(readableListing([])),
    },
    bound,
  )
  const ends: boolean[] = []
  while (ends.at(-1) !== true) ends.push((await walk.next()).isEnd)
  expect(ends).toHaveLength(pages)
  expect(walk.isWhole).toBe(false)
})

test.each([
  ['orders', 7_000, 0, 3],
  ['entries that cannot be read', 1, 10_000, 5],
])(
  'a walk of pages with many %s ends before they fill the memory, and is not called whole',
  async (_, count, odd, pages) => {
    const fetch = async (toMs: number | null) => {
      const atMs = (toMs ?? 2_000_000) - 1
      const entries = Array.from({ length: count }, (__, at) => numbered(10_000 * atMs + at, atMs))
      const oddEntry = (at: number) => ({ reason: 'odd', atMs, fields: { exOrdId: `${10_000 * atMs + at}` } })
      return { entries, unreadable: Array.from({ length: odd }, (__, at) => oddEntry(at)) }
    }
    const walk = new OrderWalk({ fetch, crowd: () => Promise.resolve(readableListing([])) }, { pages: 200 })
    const ends: boolean[] = []
    while (ends.at(-1) !== true && ends.length < 10) ends.push((await walk.next()).isEnd)
    expect({ pages: ends.length, isWhole: walk.isWhole }).toEqual({ pages, isWhole: false })
  },
)

test('a list by id of long pages without an end is left once as many orders were seen as its pages hold', async () => {
  let calls = 0
  const client = {
    async fetchOrderPage({ orderId = '0' }: { orderId?: string }) {
      calls += 1
      const orders = Array.from({ length: 40_000 }, (_, at) => numbered(Number(orderId) + at + 1, 1_000))
      return { nextOrderId: `${Number(orderId) + orders.length}`, orders }
    },
  }
  const { isWhole } = await walkEngineOrders(client, {}, new AbortController().signal, () => false)
  expect({ calls, isWhole }).toEqual({ calls: 3, isWhole: false })
})

test('a walk that ends with its last page allowed is whole', async () => {
  const source = { fetch: () => Promise.resolve(readableListing([])), crowd: () => Promise.reject(noWay) }
  const walk = new OrderWalk(source, { pages: 1 })
  expect(await walk.next()).toEqual({ fresh: [], isEnd: true })
  expect(walk.isWhole).toBe(true)
})

test('a search of lists that never end comes to an end, and does not say that it saw all', async () => {
  const calls = { lists: 0, engine: 0 }
  const client = {
    fetchOrders(query: { toMs?: number }) {
      calls.lists += 1
      return endless(query)
    },
    fetchOrderPage() {
      calls.engine += 1
      return Promise.resolve({ nextOrderId: `${calls.engine}`, orders: [numbered(calls.engine, calls.engine)] })
    },
  }
  const found = await findOrders(client, new Set(['sought']), 0, new AbortController().signal)
  expect(found).toMatchObject({ orders: new Map(), isWhole: false })
  // The first list costs a minute at an exchange's pace; once it is cut off, the five others are only looked into.
  expect(calls).toEqual({ lists: 1_200, engine: 51 })
})

test('a list of which page after page brings nothing readable comes to an end, and does not say that it is whole', async () => {
  let calls = 0
  const list = await walkOrders({
    fetch(toMs) {
      calls += 1
      if (calls > callsMax) throw new Error('the walk has no end')
      const atMs = (toMs ?? 1_000_000) - 1
      const odd = { reason: 'field "side" is missing', atMs, fields: { exOrdId: `${calls}` } }
      return Promise.resolve({ entries: calls === 1 ? [numbered(1, 1_000_000)] : [], unreadable: [odd] })
    },
    crowd: () => Promise.resolve(readableListing([])),
  })
  expect({ ids: idsOf(list.orders.values()), isWhole: list.isWhole }).toEqual({ ids: new Set(['1']), isWhole: false })
  expect(calls).toBeLessThan(100)
})

test('a page that takes no notice of the time repeats what is known: the list is not called whole', async () => {
  const list = await walkOrders({
    fetch: () => Promise.resolve(readableListing(listed(spread(3, 1)))),
    crowd: (atMs) => Promise.resolve(readableListing(spread(3, 1).filter((order) => order.timestampMs === atMs))),
  })
  expect({ count: list.orders.size, isWhole: list.isWhole }).toEqual({ count: 3, isWhole: false })
})

test('a list of working orders without an end is given up early, and not called whole', async () => {
  let calls = 0
  const signal = new AbortController().signal
  const client = {
    fetchOrders({ toMs = 2_000_000 }: { toMs?: number }) {
      calls += 1
      const orders = Array.from({ length: 100 }, (_, at) => numbered(1_000 * toMs + at, toMs - 1))
      return Promise.resolve(readableListing(orders))
    },
    fetchOrderPage: () => Promise.resolve({ nextOrderId: '0', orders: [] }),
  }
  const list = await fetchAllWorking(client, signal)
  expect({ count: list.orders.size, isWhole: list.isWhole, calls }).toEqual({ count: 5_000, isWhole: false, calls: 50 })
})

test('a list by id that always names a next page and repeats itself ends with the first repeat, and is not whole', async () => {
  const signal = new AbortController().signal
  let calls = 0
  const client = {
    fetchOrders: () => Promise.resolve(readableListing([])),
    fetchOrderPage({ orderId = '0' }: { orderId?: string }) {
      calls += 1
      return Promise.resolve({ nextOrderId: String(Number(orderId) + 100), orders: spread(100, 1) })
    },
  }
  const found = await findOrders(client, new Set(['sought']), 0, signal)
  expect({ calls, isWhole: found.isWhole }).toEqual({ calls: 2, isWhole: false })
  expect(await fetchCrowd(client, 1_000, () => true, signal)).toMatchObject({ isWhole: false })
})
