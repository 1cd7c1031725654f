import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { createComparison, keepRemembering, startComparison } from '../../../src/desk/hub/hub-continuity.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aWithdrawal } from '../../fakes/transfers.ts'

const markMs = 100_000
const twoWithdrawals = [
  aWithdrawal({ withdrawalId: 'w-1', timestampMs: 90_000 }),
  aWithdrawal({ timestampMs: 110_000 }),
]

/** The engine's own list ascends by id. */
function enginePage(orders: readonly Order[], after: string) {
  const listed = orders
    .filter(({ orderId }) => Number(orderId) > Number(after))
    .toSorted((left, right) => Number(left.orderId) - Number(right.orderId))
    .slice(0, 100)
  return { orders: listed, nextOrderId: listed.at(-1)?.orderId ?? after }
}

type Lists = { working?: readonly Order[]; traded?: readonly Order[]; withdrawals?: readonly Withdrawal[] }

/**
 * A database that is complete until the second 100, and an exchange that first does not answer. `told`: names of writes
 * that have halted it before.
 */
function scene({ working = [], traded = [], withdrawals = twoWithdrawals }: Lists = {}, knownUntilMs = markMs) {
  const told: string[] = []
  const names: string[] = []
  const state = {
    isThere: false,
    refusal: null as ExchangeError | null,
    skewMs: null as number | null,
    calls: 0,
    mayReadEngine: true,
  }
  const answer = <T>(entries: readonly T[]) => {
    state.calls += 1
    return state.isThere
      ? Promise.resolve(readableListing(entries))
      : Promise.reject(
          new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/', reason: 'away', outcome: null }),
        )
  }
  const page = (orders: readonly Order[], { toMs = Number.MAX_SAFE_INTEGER, limit = 100 }) =>
    orders
      .filter(({ timestampMs }) => (timestampMs ?? 0) <= toMs)
      .toSorted((left, right) => (right.timestampMs ?? 0) - (left.timestampMs ?? 0))
      .slice(0, limit)
  const client = {
    fetchOrders: (query: { toMs?: number; limit?: number }) => answer(page(working, query)),
    fetchTrades: (query: { toMs?: number; limit?: number }) => answer(page(traded, query)),
    fetchOrderPage: ({ orderId = '0' }: { orderId?: string }) =>
      state.mayReadEngine
        ? Promise.resolve(enginePage([...working, ...traded], orderId))
        : Promise.reject(
            new ExchangeError({ kind: 'unauthorized', method: 'GET', path: '/', reason: 'no', outcome: null }),
          ),
    fetchWithdrawals: ({ fromMs = 0 }: { fromMs?: number }) =>
      state.refusal === null
        ? answer(withdrawals.filter(({ timestampMs }) => (timestampMs ?? 0) >= fromMs))
        : Promise.reject(state.refusal),
  }
  const continuity = {
    knownUntilMs,
    knownSkewMs: null as number | null,
    hold(reason: string, outside: readonly string[] = []) {
      told.push(`held: ${reason}`)
      names.push(...outside)
      return Promise.resolve()
    },
    untold: (outside: readonly string[]) => Promise.resolve(outside.filter((name) => !names.includes(name))),
    compared: () => void told.push('compared'),
    remember: () => Promise.resolve(void told.push('remembered')),
  }
  const log = (line: string) => void told.push(line)
  const journal = createMemoryJournal()
  const comparing = { client, journal, continuity, log, skewMs: () => state.skewMs }
  return { told, state, continuity, comparing, journal }
}

/** What is held against a database that knows `known`, of an exchange that answers. */
async function compared(
  lists: Lists,
  {
    known = [] as readonly string[],
    knownUntilMs = markMs,
    knownSkewMs = null as number | null,
    skewMs = null as number | null,
    mayReadEngine = true,
  } = {},
) {
  const { told, state, continuity, comparing, journal } = scene({ withdrawals: [], ...lists }, knownUntilMs)
  Object.assign(state, { isThere: true, skewMs, mayReadEngine })
  continuity.knownSkewMs = knownSkewMs
  for (const clientOrderId of known) await journal.begin({ kind: 'order', clientOrderId, draft: aDraft() }, 0)
  expect(await createComparison(comparing)()).toBe('done')
  const first = told.splice(0)
  // Whoever takes the lead next, while nothing else has come: everybody has been told.
  expect(await createComparison(comparing)()).toBe('done')
  return {
    first: first.filter((line) => line.startsWith('held')),
    again: told.filter((line) => line.startsWith('held')),
    calls: state.calls,
  }
}

const later = (count: number, fromMs: number): Order[] =>
  Array.from({ length: count }, (_, at) =>
    anOrder({ orderId: `${at + 1}`, clientOrderId: `c${at + 1}`, timestampMs: fromMs + at }),
  )

test('an exchange that does not answer is asked again until it does, and nothing is known to be complete before', async () => {
  const { told, state, continuity, comparing } = scene()
  const clock = new FakeClock()
  const over = new AbortController()
  const looked = { isOver: false }
  const keeping = keepRemembering(continuity, startComparison(comparing, looked), clock, over.signal)
  await clock.advance(10_000)
  expect(told).toEqual([expect.stringContaining('it is asked again'), 'remembered', 'remembered'])
  // Nothing new goes before: of an older copy a draft would be sent that was sent already.
  expect(looked.isOver).toBe(false)
  told.length = 0
  state.isThere = true
  await clock.advance(1_000)
  expect([told.length, looked.isOver]).toEqual([2, true])
  await clock.advance(19_000)
  const missing = `held: the exchange has 1 later withdrawals that it does not know, such as ${aWithdrawal().withdrawalId}`
  expect(told).toEqual([missing, 'compared', 'remembered', 'remembered'])
  over.abort()
  await keeping
  expect(told.at(-1)).toBe('remembered')
})

test('what a key may not list holds up nothing, and goes on being asked for', async () => {
  const { told, state, comparing, continuity } = scene()
  state.isThere = true
  const of = { kind: 'rejected', method: 'GET', path: '/', reason: 'not for this key', outcome: null } as const
  state.refusal = new ExchangeError({ ...of, status: 403 })
  const clock = new FakeClock()
  const over = new AbortController()
  const looked = { isOver: false }
  const keeping = keepRemembering(continuity, startComparison(comparing, looked), clock, over.signal)
  await clock.advance(0)
  expect([looked.isOver, told]).toEqual([true, [expect.stringContaining('not for this key'), 'remembered']])
  state.refusal = null
  await clock.advance(10_000)
  expect(told).toContain('compared')
  over.abort()
  await keeping
})

test('what the database does not know is told of once, also where the exchange dates it later and later', async () => {
  const [order] = later(1, markMs + 300_000)
  if (order === undefined) throw new Error('no order')
  const { first, again } = await compared({ working: [order], traded: [order], withdrawals: twoWithdrawals })
  expect(first).toEqual([
    'held: the exchange has 1 later orders that it does not know, such as c1, ' +
      `and 1 later withdrawals that it does not know, such as ${aWithdrawal().withdrawalId}`,
  ])
  expect(again).toEqual([])
})

test('what came under the id of one that was told of, or has no id, is another one', async () => {
  const [order] = later(1, markMs + 5_000)
  if (order === undefined) throw new Error('no order')
  const nameless = aWithdrawal({ withdrawalId: null, timestampMs: markMs + 5_000 })
  const working = [order]
  const withdrawals = [nameless]
  const { told, state, comparing } = scene({ working, withdrawals })
  state.isThere = true
  await createComparison(comparing)()
  working.push({ ...order, orderId: '77' })
  withdrawals.push({ ...nameless, timestampMs: markMs + 6_000 })
  await createComparison(comparing)()
  await createComparison(comparing)()
  expect(told.filter((line) => line.startsWith('held'))).toEqual([
    expect.stringContaining('1 later orders that it does not know, such as c1, and 1 later withdrawals'),
    expect.stringContaining('1 later orders that it does not know, such as c1, and 1 later withdrawals'),
  ])
})

test('every page of later orders is gone through, back to the mark and no further', async () => {
  const orders = [
    ...later(250, markMs + 1_000),
    ...later(300, 1_000).map((each) => ({ ...each, orderId: `9${each.orderId}` })),
  ]
  const known = orders.slice(1, 250).map(({ clientOrderId }) => clientOrderId)
  const { first } = await compared({ working: orders }, { known })
  expect(first).toEqual(['held: the exchange has 1 later orders that it does not know, such as c1'])
  expect((await compared({ traded: orders }, { known })).first).toEqual(first)
  const all = orders.slice(0, 250).map(({ clientOrderId }) => clientOrderId)
  // Three pages and one list without any, twice, and the withdrawals: what is from before the mark is not asked for.
  expect(await compared({ working: orders }, { known: all })).toEqual({ first: [], again: [], calls: 10 })
})

test('later orders without an end are gone through up to a bound, and that is said', async () => {
  const orders = later(5_100, markMs + 1_000)
  const known = orders.map(({ clientOrderId }) => clientOrderId)
  const cut = 'held: the exchange has more later orders than could be compared'
  expect((await compared({ working: orders }, { known })).first).toEqual([cut])
  expect((await compared({ working: orders.slice(0, 4_800) }, { known })).first).toEqual([])
})

test.each([
  ['ahead', 300_000],
  ['behind', -300_000],
])('the clock of the exchange is five minutes %s: what is later is reckoned by it', async (_, skewMs) => {
  const knownUntilMs = 10_000_000
  const at = (ms: number) => ({ timestampMs: knownUntilMs + skewMs + ms })
  const lists = (ms: number) => ({
    working: [anOrder({ clientOrderId: 'c1', ...at(ms) })],
    withdrawals: [aWithdrawal(at(ms))],
  })
  const both = [expect.stringContaining('1 later orders that it does not know, such as c1, and 1 later withdrawals')]
  for (const measured of [{ skewMs }, { knownSkewMs: skewMs }, { skewMs, knownSkewMs: skewMs }]) {
    expect((await compared(lists(1_000), { knownUntilMs, ...measured })).first).toEqual(both)
    expect((await compared(lists(-10_000), { knownUntilMs, ...measured })).first).toEqual([])
  }
})

test('a clock of the exchange that was put right since hides nothing', async () => {
  const lists = { working: [anOrder({ clientOrderId: 'c1', timestampMs: markMs + 5_000 })] }
  for (const skews of [
    { skewMs: 60_000, knownSkewMs: 0 },
    { skewMs: 0, knownSkewMs: 60_000 },
  ])
    expect((await compared(lists, skews)).first).toHaveLength(1)
})

test('of more orders in one millisecond than a page holds none is left out, or it is said', async () => {
  const orders = later(150, markMs + 5_000).map((each) => ({ ...each, timestampMs: markMs + 5_000 }))
  const known = orders.slice(0, -1).map(({ clientOrderId }) => clientOrderId)
  expect((await compared({ working: orders }, { known })).first).toEqual([
    'held: the exchange has 1 later orders that it does not know, such as c150',
  ])
  // A key that may not read the engine's list keeps the others from nothing.
  const cut = await compared({ working: orders }, { known, mayReadEngine: false })
  expect(cut.first).toEqual(['held: the exchange has more later orders than could be compared'])
})
