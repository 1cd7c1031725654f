import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { OrderPageQuery } from '../../../src/api/exchange-client.ts'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { compareIds, type Order } from '../../../src/domain/orders/order.ts'
import { createWorkingOrders } from '../../../src/services/polling/working-orders.ts'
import { anOrder } from '../../fakes/orders.ts'

const signal = new AbortController().signal

const fault = (kind: ExchangeError['kind'], path: string): ExchangeError =>
  new ExchangeError({ kind, method: 'GET', path, reason: kind, outcome: null })
const notFound = (path: string): ExchangeError => fault('notFound', path)

/** A venue that lists what stands in `working`, newest first, and knows every order of `all` by id. */
function aVenue() {
  let nowMs = 1_000
  const hub = { seenAtMs: null as number | null }
  const venue = {
    working: [] as Order[],
    all: new Map<string, Order>(),
    asked: [] as string[],
    /** Orders of which it does not tell by their ids, and whether it tells of no page of many either. */
    silent: [] as string[],
    isPageSilent: { engine: false, canceled: false },
    onList: () => {},
    /** What the lists by id and of canceled orders have; those that work where nothing is told. */
    kept: { engine: null as readonly Order[] | null, canceled: null as readonly Order[] | null },
    isEngineOffered: true,
    pageCount: 0,
  }
  const events: FeedEvent[] = []
  const client = {
    seenAtMs: () => hub.seenAtMs,
    fetchOrders({ limit = 100, toMs, status }: { limit?: number; toMs?: number; status?: string }) {
      if (status !== undefined) venue.pageCount += 1
      if (status !== undefined && venue.isPageSilent.canceled) return Promise.reject(fault('connectivity', '/orders'))
      const listed = status === undefined ? venue.working : (venue.kept.canceled ?? [])
      const matching = listed.filter((order) => toMs === undefined || (order.timestampMs ?? 0) <= toMs)
      venue.onList()
      return Promise.resolve(readableListing(matching.slice(0, limit)))
    },
    fetchOrderPage({ fromMs = 0, orderId = '0', limit = 100 }: OrderPageQuery) {
      venue.pageCount += 1
      if (venue.isPageSilent.engine) return Promise.reject(fault('connectivity', '/internal/orders'))
      if (!venue.isEngineOffered) return Promise.reject(notFound('/internal/orders'))
      const after = (venue.kept.engine ?? venue.working).filter(
        (order) => (order.timestampMs ?? 0) >= fromMs && compareIds(order.orderId ?? '', orderId) > 0,
      )
      const orders = after
        .toSorted((left, right) => compareIds(left.orderId ?? '', right.orderId ?? ''))
        .slice(0, limit)
      return Promise.resolve({ orders, nextOrderId: orders.at(-1)?.orderId ?? orderId })
    },
    fetchOrder(orderId: string) {
      venue.asked.push(orderId)
      if (venue.silent.includes(orderId)) return Promise.reject(fault('connectivity', '/orders'))
      const order = venue.all.get(orderId)
      return order === undefined ? Promise.reject(notFound('/orders')) : Promise.resolve(order)
    },
  }
  const working = createWorkingOrders(
    client,
    () => nowMs,
    (event) => events.push(event),
  )
  const listed = () => {
    const last = events.findLast((event) => event.type === 'orders')
    return last?.orders.map((order) => order.orderId)
  }
  const ended = () =>
    events.flatMap((event) => (event.type === 'orderEnded' ? [`${event.order.orderId} ${event.order.status}`] : []))
  const atMs = () => events.findLast((event) => event.type === 'orders')?.atMs
  const unlisted = () => [...(events.findLast((event) => event.type === 'orders')?.unlistedSince ?? [])]
  const doubted = () => events.flatMap((event) => (event.type === 'orderDoubted' ? [event.sentence] : []))
  const awaited = () => events.flatMap((event) => (event.type === 'orderEndsAwaited' ? [event.sentence] : []))
  const more = { awaited, unlisted, doubted, pass: (ms: number) => (nowMs += ms), now: () => nowMs }
  return { venue, hub, working, listed, ended, atMs, ...more }
}

test('more orders than fit an answer are all listed, also when many share a millisecond', async () => {
  const { venue, working, listed } = aVenue()
  venue.working = Array.from({ length: 250 }, (_, index) =>
    anOrder({ orderId: `${1_000 - index}`, timestampMs: 900 - Math.floor(index / 40) }),
  )
  await working.refresh(signal)
  expect(new Set(listed()).size).toBe(250)
})

test('an order that leaves the list is looked up and its end reported', async () => {
  const { venue, working, listed, ended, pass } = aVenue()
  venue.working = [anOrder({ orderId: '2' }), anOrder({ orderId: '1' })]
  await working.refresh(signal)
  venue.working = [anOrder({ orderId: '2' })]
  venue.all.set('1', anOrder({ orderId: '1', status: 'FILLED' }))
  pass(1_000)
  await working.refresh(signal)
  expect(ended()).toEqual(['1 FILLED'])
  expect(listed()).toEqual(['2'])
})

test('a report by its id that is about another order says nothing of one that left the list', async () => {
  const { venue, working, listed, ended, pass } = aVenue()
  venue.working = [anOrder({ orderId: '1', clientOrderId: 'own' })]
  await working.refresh(signal)
  venue.working = []
  venue.all.set('1', anOrder({ orderId: '1', clientOrderId: 'theirs', status: 'FILLED' }))
  pass(1_000)
  await working.refresh(signal)
  expect(ended()).toEqual([])
  expect(listed()).toEqual(['1'])
  venue.all.set('1', anOrder({ orderId: '1', clientOrderId: 'own', status: 'EXPIRED' }))
  pass(1_000)
  await working.refresh(signal)
  expect(ended()).toEqual(['1 EXPIRED'])
})

test('an order without an id that left the list is not said to be unknown where the key may not read the engine’s list', async () => {
  const { venue, working, listed, ended, unlisted, pass } = aVenue()
  venue.isEngineOffered = false
  venue.working = [anOrder({ orderId: null, clientOrderId: 'own' })]
  await working.refresh(signal)
  venue.working = []
  pass(1_000)
  await working.refresh(signal)
  expect([listed(), ended(), unlisted()]).toEqual([[null], [], [['own', 2_000]]])
})

test('all lists are not searched with each poll for an order without an id whose end no list tells', async () => {
  const { venue, working, listed, ended, pass } = aVenue()
  venue.isEngineOffered = false
  venue.working = [anOrder({ orderId: null, clientOrderId: 'own', timestampMs: 900 })]
  await working.refresh(signal)
  venue.working = []
  const polls = async (count: number) => {
    venue.pageCount = 0
    for (let poll = 0; poll < count; poll += 1) {
      pass(1_000)
      await working.refresh(signal)
    }
    return venue.pageCount
  }
  // Four lists of ended orders and that of the matching engine, at first and then less and less often.
  expect(await polls(1)).toBe(5)
  expect(await polls(60)).toBeLessThanOrEqual(5 * 6)
  expect(await polls(600)).toBeLessThanOrEqual(5 * 12)
  expect([listed(), ended()]).toEqual([[null], []])
  venue.kept.canceled = [anOrder({ orderId: null, clientOrderId: 'own', status: 'CANCELED', timestampMs: 900 })]
  await polls(60)
  expect([listed(), ended()]).toEqual([[], ['null CANCELED']])
})

test('an order of which the exchange does not tell keeps neither the list nor the ends of others from being told', async () => {
  const { venue, working, listed, ended, doubted, pass } = aVenue()
  venue.working = [anOrder({ orderId: '3' }), anOrder({ orderId: '2' }), anOrder({ orderId: '1' })]
  await working.refresh(signal)
  venue.working = [anOrder({ orderId: '4' })]
  venue.silent = ['3']
  for (const orderId of ['2', '1']) venue.all.set(orderId, anOrder({ orderId, status: 'FILLED' }))
  for (let poll = 0; poll < 2; poll += 1) {
    pass(1_000)
    await working.refresh(signal)
  }
  expect(new Set(ended())).toEqual(new Set(['1 FILLED', '2 FILLED']))
  expect(new Set(listed())).toEqual(new Set(['3', '4']))
  pass(20_000)
  await working.refresh(signal)
  expect(doubted()).toEqual([expect.stringContaining('does not say readably how it ended')])
})

test('an order accepted while a list is under way is not lost, and one filled before the next list is reported', async () => {
  const { venue, working, listed, ended, pass, now } = aVenue()
  venue.onList = () => working.watch(anOrder({ orderId: '7' }), now())
  await working.refresh(signal)
  expect(listed()).toEqual(['7'])
  expect(venue.asked).toEqual([])
  venue.onList = () => {}
  venue.all.set('7', anOrder({ orderId: '7', status: 'FILLED' }))
  pass(1_000)
  await working.refresh(signal)
  expect(ended()).toEqual(['7 FILLED'])
  expect(listed()).toEqual([])
})

test('after a mass cancel the ends come in over several polls and none is forgotten', async () => {
  const { venue, working, ended, pass } = aVenue()
  venue.working = Array.from({ length: 50 }, (_, index) => anOrder({ orderId: `${index + 1}` }))
  await working.refresh(signal)
  for (const order of venue.working) venue.all.set(order.orderId ?? '', { ...order, status: 'CANCELED' })
  venue.working = []
  for (const wanted of [18, 36, 50]) {
    pass(1_000)
    await working.refresh(signal)
    expect(ended().length).toBe(wanted)
  }
})

test.each(['engine', 'canceled'] as const)(
  'of thousands that are gone at once the list %s tells a page at a time',
  async (list) => {
    const { venue, working, listed, ended, awaited, pass } = aVenue()
    const count = 4_000
    venue.working = Array.from({ length: count }, (_, index) =>
      anOrder({ orderId: `${10_000 - index}`, timestampMs: 500_000 - index * 10 }),
    )
    const last = venue.working[1_500] ?? anOrder()
    await working.refresh(signal)
    const canceled = venue.working.map((order) => ({ ...order, status: 'CANCELED' }) as const)
    for (const order of canceled) venue.all.set(order.orderId ?? '', order)
    // What the list does not have is asked for by its id.
    venue.kept[list] = canceled.filter(({ orderId }) => orderId !== last.orderId)
    venue.working = []
    const endedBy: number[] = []
    for (let poll = 0; poll < 5; poll += 1) {
      pass(1_000)
      venue.asked.length = 0
      venue.pageCount = 0
      await working.refresh(signal)
      expect(venue.asked.length + venue.pageCount).toBeLessThanOrEqual(20)
      endedBy.push(ended().length)
    }
    expect(endedBy[0]).toBeGreaterThan(900)
    expect(endedBy.at(-1)).toBe(count)
    expect(new Set(ended()).size).toBe(count)
    expect(listed()).toEqual([])
    expect(awaited()).toEqual([
      expect.stringMatching(/^\d{4} orders are listed no more and wait to be looked up, \d+ at a look: until then/),
    ])
  },
)

test('where no list tells of many they are asked for one by one, the newest first', async () => {
  const { venue, working, ended, pass } = aVenue()
  venue.working = Array.from({ length: 300 }, (_, index) => anOrder({ orderId: `${1_000 - index}`, timestampMs: 900 }))
  await working.refresh(signal)
  for (const order of venue.working) venue.all.set(order.orderId ?? '', { ...order, status: 'CANCELED' })
  venue.working = []
  pass(1_000)
  await working.refresh(signal)
  expect(ended().slice(0, 2)).toEqual(['1000 CANCELED', '999 CANCELED'])
  expect(venue.asked.length).toBeGreaterThanOrEqual(18)
})

test.each([
  { engine: true, canceled: false },
  { engine: true, canceled: true },
])(
  'of many that are gone a list that fails ($engine, $canceled) keeps no list of working ones from being told',
  async (silent) => {
    const { venue, working, listed, ended, pass } = aVenue()
    venue.working = Array.from({ length: 60 }, (_, index) =>
      anOrder({ orderId: `${index + 1}`, timestampMs: 900 + index }),
    )
    await working.refresh(signal)
    const canceled = venue.working.map((order) => ({ ...order, status: 'CANCELED' }) as const)
    for (const order of canceled) venue.all.set(order.orderId ?? '', order)
    venue.kept.canceled = canceled
    venue.isPageSilent = silent
    venue.working = [anOrder({ orderId: '99' })]
    pass(1_000)
    await working.refresh(signal)
    expect(listed()).toContain('99')
    expect(ended().length).toBeGreaterThanOrEqual(18)
    for (let poll = 0; poll < 3; poll += 1) {
      pass(1_000)
      await working.refresh(signal)
    }
    expect(new Set(ended()).size).toBe(60)
    expect(listed()).toEqual(['99'])
  },
)

test.each(['works on', 'cannot be read'])(
  'of many that no list has a few are asked for with each poll while the own report of each %s',
  async (how) => {
    const { venue, working, listed, ended, pass, now } = aVenue()
    const orders = Array.from({ length: 30 }, (_, index) => anOrder({ orderId: `${1 + 7 * index}`, timestampMs: 900 }))
    for (const order of orders) {
      working.watch(order, now())
      const clientOrderId = how === 'works on' ? order.clientOrderId : 'theirs'
      venue.all.set(order.orderId ?? '', { ...order, clientOrderId })
    }
    const callsOfPoll: number[] = []
    for (let poll = 0; poll < 40; poll += 1) {
      pass(1_000)
      venue.asked.length = 0
      venue.pageCount = 0
      await working.refresh(signal)
      callsOfPoll.push(venue.asked.length + venue.pageCount)
    }
    expect(listed()?.length).toBe(30)
    // Two lists that tell of none of them, and two of them by their ids.
    expect(Math.max(...callsOfPoll.slice(5))).toBeLessThanOrEqual(4)
    for (const order of orders) venue.all.set(order.orderId ?? '', { ...order, status: 'CANCELED' })
    for (let poll = 0; poll < 20; poll += 1) {
      pass(1_000)
      await working.refresh(signal)
    }
    expect(new Set(ended()).size).toBe(30)
  },
)

test('an order that is gone without a trace leaves the list', async () => {
  const { venue, working, listed, pass } = aVenue()
  venue.working = [anOrder({ orderId: '1' })]
  await working.refresh(signal)
  venue.working = []
  pass(1_000)
  await working.refresh(signal)
  expect(listed()).toEqual([])
})

test('a list that a hub had before an order was accepted says nothing of it, and is as old as it is', async () => {
  const { venue, hub, working, listed, ended, atMs, pass, now } = aVenue()
  await working.refresh(signal)
  hub.seenAtMs = now()
  pass(500)
  working.watch(anOrder({ orderId: '7' }), now())
  pass(500)
  await working.refresh(signal)
  expect([listed(), venue.asked, ended(), atMs()]).toEqual([['7'], [], [], hub.seenAtMs])
  // One of after that tells: the exchange is asked for it by its id.
  venue.all.set('7', anOrder({ orderId: '7', status: 'FILLED' }))
  hub.seenAtMs = now()
  await working.refresh(signal)
  expect([listed(), venue.asked, ended()]).toEqual([[], ['7'], ['7 FILLED']])
})

test('one that is gone while nothing tells of its end is told of as not certain, once, until it is listed again', async () => {
  const { venue, working, listed, unlisted, doubted, pass } = aVenue()
  const own = anOrder({ orderId: '1', clientOrderId: 'own' })
  venue.working = [own]
  await working.refresh(signal)
  expect(unlisted()).toEqual([])
  // Its id was given away once more.
  venue.all.set('1', anOrder({ orderId: '1', clientOrderId: 'theirs' }))
  const poll = async (afterMs: number, list: readonly Order[] = []) => {
    pass(afterMs)
    venue.working = [...list]
    await working.refresh(signal)
    expect(listed()).toEqual(['1'])
    return [
      unlisted()
        .map(([id, sinceMs]) => `${id} ${sinceMs}`)
        .join(),
      doubted().length,
    ]
  }
  expect(await poll(1_000)).toEqual(['own 2000', 0])
  expect(await poll(14_999)).toEqual(['own 2000', 0])
  expect(await poll(1, [own])).toEqual(['', 0])
  expect(await poll(1_000)).toEqual(['own 18000', 0])
  expect(await poll(14_999)).toEqual(['own 18000', 0])
  expect(await poll(1)).toEqual(['own 18000', 1])
  expect(await poll(20_000)).toEqual(['own 18000', 1])
})

test('those of which nothing can be read do not keep others from being looked up', async () => {
  const { venue, working, listed, ended, pass } = aVenue()
  venue.working = Array.from({ length: 21 }, (_, index) => anOrder({ orderId: `${index + 1}`, clientOrderId: 'own' }))
  await working.refresh(signal)
  for (const order of venue.working) venue.all.set(order.orderId ?? '', { ...order, clientOrderId: 'theirs' })
  venue.all.set('21', anOrder({ orderId: '21', clientOrderId: 'own', status: 'FILLED' }))
  venue.working = []
  for (let poll = 0; poll < 2; poll += 1) {
    pass(1_000)
    await working.refresh(signal)
  }
  expect(ended()).toEqual(['21 FILLED'])
  expect(listed()).toHaveLength(20)
})
