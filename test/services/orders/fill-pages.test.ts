import { expect, test } from 'vitest'
import type { FillQuery } from '../../../src/api/exchange-client.ts'
import { type Listing, readableListing, type UnreadableEntry } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { type Fill, newestFillFirst } from '../../../src/domain/orders/fills.ts'
import { fillPages, fillsOnwards, walkFills } from '../../../src/services/orders/fill-pages.ts'

const { signal } = new AbortController()
const callsMax = 500

const aFill = (execId: number): Fill => ({
  execId: String(execId),
  orderId: '1',
  tradeId: '1',
  symbol: 'BTC-USD',
  side: 'BUY',
  price: new Decimal(1),
  quantity: new Decimal(1),
  fee: new Decimal(0),
  timestampMs: 1_000,
})

/**
 * Executions 10, 20, 30 … at a service that gives fewer than it is asked for. With `fromExecId` it lists what follows,
 * or what is newest.
 */
function aService(count: number, cap: number, onwards: 'what follows' | 'what is newest' = 'what is newest') {
  let calls = 0
  return {
    fetchFills({ fromExecId, toExecId, toMs = 1_000, limit = 100 }: FillQuery) {
      calls += 1
      if (calls > callsMax) throw new Error('the walk has no end')
      if (toMs < 1_000) return Promise.resolve(readableListing([]))
      const all = Array.from({ length: count }, (_, index) => (count - index) * 10).filter(
        (id) => id >= Number(fromExecId ?? 0) && id <= Number(toExecId ?? Number.MAX_SAFE_INTEGER),
      )
      const most = Math.min(limit, cap)
      const isOnwards = onwards === 'what follows' && fromExecId !== undefined
      return Promise.resolve(readableListing((isOnwards ? all.slice(-most) : all.slice(0, most)).map(aFill)))
    },
  }
}

async function execIds(pages: AsyncIterable<Listing<Fill>>): Promise<number[]> {
  const ids: number[] = []
  for await (const { entries } of pages) ids.push(...entries.map(({ execId }) => Number(execId)))
  return ids
}

const all = Array.from({ length: 123 }, (_, index) => (123 - index) * 10)

test.each([1_000, 100, 7, 2])('in pages of at most %i they come back to the first one, each once', async (cap) => {
  const service = aService(123, cap)
  expect(await execIds(fillPages(service, {}, signal))).toEqual(all)
  expect(await execIds(fillPages(service, { toExecId: '600' }, signal))).toEqual(all.filter((id) => id <= 600))
  const { entries } = await walkFills(service, {}, { signal })
  expect(entries.map(({ execId }) => Number(execId))).toEqual(all)
})

test.each([
  ['what follows', 1_000],
  ['what follows', 7],
  ['what is newest', 1_000],
  ['what is newest', 7],
] as const)('from an execution onwards, at a service that lists %s in pages of %i', async (onwards, cap) => {
  const following = (from: number) => all.filter((id) => id >= from).toReversed()
  for (const from of [600, 605, 1, 1_230, 1_231])
    expect(await execIds(fillsOnwards(aService(123, cap, onwards), { fromExecId: String(from) }, signal))).toEqual(
      following(from),
    )
  const range = { fromExecId: '605', toExecId: '900' }
  expect(await execIds(fillsOnwards(aService(123, cap, onwards), range, signal))).toEqual(
    following(605).filter((id) => id <= 900),
  )
})

test('onwards, what cannot be read is given once, also where nothing else follows', async () => {
  const odd = (execId: string) => ({ reason: 'field "side" is missing', atMs: null, fields: { execId } })
  const [old, late] = [odd('15'), odd('30')]
  const pages: Listing<Fill>[] = [
    { entries: [aFill(20), aFill(10)], unreadable: [old] },
    { entries: [aFill(20)], unreadable: [late] },
  ]
  let calls = 0
  const client = { fetchFills: () => Promise.resolve(pages[calls++] ?? readableListing([])) }
  const unreadable: UnreadableEntry[] = []
  for await (const page of fillsOnwards(client, { fromExecId: '10' }, signal)) unreadable.push(...page.unreadable)
  expect(unreadable).toEqual([old, late])
})

test('an entry that cannot be read is given once, and its id leads on', async () => {
  const odd = { reason: 'field "side" is missing', atMs: null, fields: { execId: '10' } }
  const pages: Listing<Fill>[] = [
    { entries: [aFill(30), aFill(20)], unreadable: [odd] },
    { entries: [], unreadable: [odd] },
  ]
  let calls = 0
  const client = { fetchFills: () => Promise.resolve(pages[calls++] ?? readableListing([])) }
  const walked = await walkFills(client, {}, { signal })
  expect(walked).toEqual({ entries: [aFill(30), aFill(20)], unreadable: [odd] })
})

type Order = 'by time' | 'by id' | 'in no order'

/** A service that lists as the contract says, or otherwise, at most `cap` a page. */
function aListing(fills: readonly Fill[], cap: number, order: Order = 'by time') {
  const by = {
    'by time': newestFillFirst,
    'by id': (left: Fill, right: Fill) => Number(right.execId) - Number(left.execId),
    'in no order': (left: Fill, right: Fill) => Number(left.tradeId) - Number(right.tradeId),
  }[order]
  const sorted = fills.toSorted(by)
  const service = {
    calls: 0,
    fetchFills({ fromMs = 0, toMs = Infinity, fromExecId, toExecId, limit = 100 }: FillQuery) {
      service.calls += 1
      const asked = sorted.filter(
        ({ execId, timestampMs }) =>
          timestampMs >= fromMs &&
          timestampMs <= toMs &&
          Number(execId) >= Number(fromExecId ?? 0) &&
          Number(execId) <= Number(toExecId ?? Infinity),
      )
      return Promise.resolve(readableListing(asked.slice(0, Math.min(limit, cap))))
    },
  }
  return service
}

const idsOf = async (client: ReturnType<typeof aListing>) => {
  const { entries, unreadable } = await walkFills(client, {}, { signal })
  return { ids: entries.map(({ execId }) => Number(execId)).toSorted((one, two) => one - two), unreadable }
}
const sorted = (fills: readonly Fill[]) => fills.map(({ execId }) => Number(execId)).toSorted((one, two) => one - two)

/** A number from 0 below `most`, always the same for the same one. */
const scattered = (at: number, most: number) => (at * 7_919) % most

const outOfStep: [string, Fill[]][] = [
  [
    'each symbol has a run of its own',
    Array.from({ length: 500 }, (_, at) => ({ ...aFill(at % 2 === 1 ? at + 1_000_000 : at + 1), timestampMs: at })),
  ],
  [
    'ids are scattered over time',
    Array.from({ length: 500 }, (_, at) => ({ ...aFill(scattered(at, 503) + 1), timestampMs: at })),
  ],
  [
    'a moment holds more than a page',
    Array.from({ length: 500 }, (_, at) => ({ ...aFill(scattered(at, 503) + 1), timestampMs: Math.floor(at / 130) })),
  ],
  [
    'one id is the largest there is',
    Array.from({ length: 500 }, (_, at) => ({ ...aFill(at === 250 ? 9_000_000_000_000 : at + 1), timestampMs: at })),
  ],
]
test.each(outOfStep)('where ids are not in step with time no execution is lost: %s', async (_, fills) => {
  for (const cap of [1_000, 100, 7]) {
    const { ids, unreadable } = await idsOf(aListing(fills, cap))
    expect(ids).toEqual(sorted(fills))
    expect(unreadable).toEqual([])
  }
})

test('a range whose first moment fills pages asks for nothing that ends before it begins', async () => {
  const asked: FillQuery[] = []
  const service = aService(123, 7)
  const fetchFills = (query: FillQuery) => {
    asked.push(query)
    return service.fetchFills(query)
  }
  expect(await execIds(fillPages({ fetchFills }, { fromMs: 1_000 }, signal))).toEqual(all)
  expect(asked.filter(({ fromMs = 0, toMs = 1_000 }) => fromMs > toMs)).toEqual([])
})

test('at a service that lists by id, pages go by id', async () => {
  for (const [, fills] of outOfStep) {
    const { ids } = await idsOf(aListing(fills, 100, 'by id'))
    expect(ids).toEqual(sorted(fills))
  }
})

test('a list in no order says that it may not be whole', async () => {
  const fills = Array.from({ length: 300 }, (_, at) => ({
    ...aFill(at + 1),
    tradeId: String(scattered(at, 307)),
    timestampMs: at,
  }))
  const { unreadable } = await idsOf(aListing(fills, 100, 'in no order'))
  expect(unreadable.map(({ reason }) => reason)).toEqual([expect.stringContaining('in no order')])
})

test('a list without end is read for so many pages, and says so', async () => {
  let calls = 0
  const client = {
    fetchFills: async ({ toMs = 1e12 }: FillQuery) => {
      calls += 1
      return readableListing([1, 2].map((number) => ({ ...aFill(toMs - number), timestampMs: toMs - number })))
    },
  }
  const { unreadable } = await walkFills(client, {}, { signal })
  expect(calls).toBe(3_000)
  expect(unreadable.map(({ reason }) => reason)).toEqual([expect.stringContaining('has no end')])
})

test('a list without end of which a page is as long as any answer is read no further than in short pages', async () => {
  let calls = 0
  const most = 10_000
  const client = {
    fetchFills: async ({ toMs = 1e12 }: FillQuery) => {
      calls += 1
      const fill = (at: number) => ({ ...aFill(toMs - at), timestampMs: toMs - at })
      return readableListing(Array.from({ length: most }, (_, at) => fill(at + 1)))
    },
  }
  const { entries, unreadable } = await walkFills(client, {}, { signal, pagesMax: 25 })
  // What 25 pages of a thousand hold ends in the third.
  expect({ calls, count: entries.length }).toEqual({ calls: 3, count: 30_000 })
  expect(unreadable.map(({ reason }) => reason)).toEqual([
    'the list has no end: it was read for 3 pages, and what lies behind is missing',
  ])
})

test('a list without end of which nothing can be read does not fill the memory', async () => {
  let calls = 0
  const client = {
    fetchFills: async ({ toMs = 1e12 }: FillQuery) => {
      calls += 1
      if (calls > 6) throw new Error('the walk has no end')
      const odd = (at: number) => ({ reason: 'odd', atMs: toMs - at, fields: { execId: `${toMs - at}` } })
      return { entries: [], unreadable: Array.from({ length: 50_000 }, (_, at) => odd(at + 1)) }
    },
  }
  const { unreadable } = await walkFills(client, {}, { signal })
  expect({ calls, last: unreadable.at(-1)?.reason }).toEqual({
    calls: 5,
    last: 'the list has no end: it was read for 5 pages, and what lies behind is missing',
  })
})

test('a page of which nothing can be read, given again whatever time is asked for, ends the list', async () => {
  let calls = 0
  const unreadable = [1, 2].map((id) => ({ reason: 'odd', atMs: 1_000, fields: { execId: `${id}` } }))
  const client = {
    fetchFills: async () => {
      calls += 1
      return { entries: [], unreadable }
    },
  }
  expect(await walkFills(client, {}, { signal })).toEqual({ entries: [], unreadable })
  expect(calls).toBeLessThan(10)
})

test('a full page that comes again whatever older ones are asked for is not said to be the whole list', async () => {
  const newest = (count: number) => {
    const page = Array.from({ length: count }, (_, at) => ({ ...aFill(5_000 - at), timestampMs: 1_000_000 - at }))
    return { fetchFills: async () => readableListing(page) }
  }
  const { entries, unreadable } = await walkFills(newest(1_000), {}, { signal })
  expect(entries).toHaveLength(1_000)
  expect(unreadable.map(({ reason, isRest }) => [reason, isRest])).toEqual([
    [expect.stringContaining('the same page whatever older ones are asked for'), true],
  ])
  // A shorter one may well be all there are.
  expect((await walkFills(newest(999), {}, { signal })).unreadable).toEqual([])
})

test('a moment of more than a page whose ids are not heeded is not said to be whole, and what is older comes all the same', async () => {
  const all = Array.from({ length: 2_500 }, (_, at) => ({
    ...aFill(5_000 - at),
    timestampMs: at < 1_500 ? 2_000 : 1_000,
  }))
  const client = {
    fetchFills: async ({ fromMs = 0, toMs = 3_000, limit = 100 }: FillQuery) =>
      readableListing(all.filter(({ timestampMs: atMs }) => atMs >= fromMs && atMs <= toMs).slice(0, limit)),
  }
  const { entries, unreadable } = await walkFills(client, {}, { signal })
  expect(entries).toHaveLength(2_000)
  expect(unreadable).toMatchObject([{ isRest: true }])
})

test('a page of more entries than a call has arguments costs none of the others', async () => {
  const unreadable = Array.from({ length: 200_000 }, (_, at) => ({
    reason: 'odd',
    atMs: null,
    fields: { at: `${at}` },
  }))
  const client = { fetchFills: async () => ({ entries: [aFill(1)], unreadable }) }
  const walked = await walkFills(client, {}, { signal })
  expect(walked.unreadable).toHaveLength(unreadable.length)
  expect(walked.entries.map(({ execId }) => execId)).toEqual(['1'])
})
