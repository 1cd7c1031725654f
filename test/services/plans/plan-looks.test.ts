import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { PlanOrder } from '../../../src/domain/plans/plan.ts'
import { type JournalEntry, JournalError } from '../../../src/journal/entry.ts'
import { lookAt, lookAtSent, lookAtWorking } from '../../../src/services/plans/plan-looks.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder as anyOrder } from '../../fakes/orders.ts'

const anOrder: typeof anyOrder = (change) => anyOrder({ clientOrderId: 'x1', ...change })
const own = aDraft({ limitPrice: new Decimal(59_000) })
const planOrder: PlanOrder = {
  ...{ clientOrderId: 'x1', orderId: null, role: 'entry', slice: null, draft: own, standing: 'sent', status: null },
  ...{ filled: null, cancelingSinceMs: null },
} as PlanOrder

async function looked(draft: typeof own) {
  const journal = createMemoryJournal()
  const write = await journal.begin({ kind: 'order', clientOrderId: 'x1', draft }, 1)
  await write.end({ kind: 'accepted', id: '7', status: 'OPEN' }, 2)
  return await lookAtSent({ journal, client: { fetchOrder: () => Promise.resolve(anOrder()) } }, planOrder)
}

test('an order of somebody else under the id of a plan is none of the plan', async () => {
  const other = aDraft({ limitPrice: new Decimal(61_000) })
  expect(await looked(other)).toEqual({
    ...{ kind: 'notPlaced', isRefusal: false, reason: 'id x1 was used for another order' },
  })
  const withdrawal = { request: { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal(1) }, draftId: 'x1' }
  expect(await sent(found([entry({ intent: { kind: 'withdrawal', ...withdrawal } })]))).toMatchObject({
    ...{ kind: 'notPlaced', isRefusal: false },
  })
  expect(await looked(own)).toMatchObject({ kind: 'report' })
  // A part of it may have been placed, where it took the place of another.
  expect(await looked({ ...own, orderQuantity: own.orderQuantity.div(2) })).toMatchObject({ kind: 'report' })
})

type Parts = Parameters<typeof lookAtSent>[0]
const failing = (kind: 'notFound' | 'connectivity') => () =>
  Promise.reject(new ExchangeError({ kind, method: 'GET', path: '/', reason: 'away', outcome: null }))
const found = (entries: readonly JournalEntry[], gap: string | null = null): Parts['journal'] => ({
  find: async () => ({ entries, gap }),
})
const entry = (change: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{ id: 'a', atMs: 1, intent: { kind: 'order', clientOrderId: 'x1', draft: own }, steps: [], settlement: null },
  ...{ outcome: { kind: 'accepted', id: '7', status: 'OPEN' } },
  ...change,
})
const sent = (journal: Parts['journal'], fetchOrder: Parts['client']['fetchOrder'] = async () => anOrder()) =>
  lookAtSent({ journal, client: { fetchOrder } }, planOrder)

test('what the journal does not have never left, unless part of the journal cannot be read', async () => {
  expect(await sent(found([]))).toEqual({ kind: 'notPlaced', isRefusal: false, reason: 'it never left' })
  expect(await sent(found([], 'a line is damaged'))).toEqual({
    ...{ kind: 'odd', why: 'whether order x1 left is not known: a line is damaged', quantity: null },
  })
  // What it has counts, whatever else is damaged.
  expect(await sent(found([entry()], 'a line is damaged'))).toMatchObject({ kind: 'report' })
  expect(await sent({ find: () => Promise.reject(new JournalError('full')) })).toEqual({ kind: 'later' })
  await expect(sent({ find: () => Promise.reject(new TypeError('a fault')) })).rejects.toThrow('a fault')
})

test('a write without an outcome is waited for; what the journal says of one that has it counts', async () => {
  expect(await sent(found([entry({ outcome: null })]))).toEqual({ kind: 'later' })
  expect(await sent(found([entry({ outcome: { kind: 'rejected', reason: 'no' } })]))).toEqual({
    ...{ kind: 'notPlaced', isRefusal: true, reason: 'no' },
  })
  expect(await sent(found([entry({ outcome: { kind: 'notSent', reason: 'late' } })]))).toEqual({
    ...{ kind: 'notPlaced', isRefusal: false, reason: 'late' },
  })
  expect(await sent(found([entry({ outcome: { kind: 'canceled' } })]))).toMatchObject({ reason: 'it was not placed' })
  const unknown = { kind: 'unknown', reason: 'reset' } as const
  const settled = (how: 'placed' | 'rejected' | 'notPlaced', id: string | null = null) =>
    entry({ outcome: unknown, settlement: { how, by: 'exchange', id, evidence: 'seen' } })
  expect(await sent(found([settled('rejected')]))).toEqual({ kind: 'notPlaced', isRefusal: true, reason: 'seen' })
  expect(await sent(found([settled('notPlaced')]))).toEqual({ kind: 'notPlaced', isRefusal: false, reason: 'seen' })
  const neverHeard = { ...settled('notPlaced'), outcome: null }
  expect(await sent(found([neverHeard]))).toEqual({ kind: 'notPlaced', isRefusal: false, reason: 'seen' })
  expect(await sent(found([settled('placed', '7')]))).toMatchObject({ kind: 'report', quantity: own.orderQuantity })
  expect(await sent(found([settled('placed')]))).toEqual({
    ...{ kind: 'odd', why: 'order x1 was placed, and its id is not known', quantity: own.orderQuantity },
  })
})

test('an exchange that does not answer says nothing; one that knows no such order is odd', async () => {
  const untold = { kind: 'later', untold: { quantity: own.orderQuantity } }
  expect(await sent(found([entry()]), failing('connectivity'))).toEqual(untold)
  expect(await sent(found([entry()]), failing('notFound'))).toEqual({
    ...{ kind: 'odd', why: 'the exchange knows no order 7', quantity: own.orderQuantity },
  })
  await expect(sent(found([entry()]), () => Promise.reject(new TypeError('a fault')))).rejects.toThrow('a fault')
})

/** A move of which so much was placed; null: it never got there. */
const moved = (placed: string | null, change: Partial<JournalEntry>): JournalEntry =>
  entry({
    intent: { kind: 'move', orderId: '6', clientOrderId: 'x1', draft: own },
    steps: placed === null ? [] : [{ step: 'place', quantity: new Decimal(placed) }],
    ...change,
  })

test('what the exchange has named is there, whatever was answered; how much of it was placed the journal says', async () => {
  const look = async (
    found1: JournalEntry,
    orderId: string | null = '7',
    fetchOrder: Parts['client']['fetchOrder'] = async () => anOrder(),
  ) => await lookAtSent({ journal: found([found1]), client: { fetchOrder } }, { ...planOrder, orderId })
  const there = { kind: 'report', quantity: new Decimal('0.25') }
  const unknown = { outcome: { kind: 'unknown', reason: 'reset' } } as const
  const refused = { outcome: { kind: 'rejected', reason: 'no' } } as const
  for (const change of [unknown, { outcome: null }, refused]) {
    expect(await look(moved('0.25', change))).toMatchObject(there)
    // Until its new order leaves, a move has none that could be named.
    expect(await look(moved(null, change))).not.toMatchObject(there)
  }
  expect(await look(moved('0.25', unknown), null)).toEqual({ kind: 'later' })
  expect(await look(moved(null, unknown))).toEqual({ kind: 'later' })
  expect(await look(moved(null, refused))).toMatchObject({ kind: 'notPlaced' })
  expect(await look(moved('0.25', refused), null)).toMatchObject({ kind: 'notPlaced' })
  // While its answer is looked for, that the exchange does not know its id is no reason to ask a person.
  expect(await look(moved('0.25', unknown), '7', failing('notFound'))).toEqual({ kind: 'later' })
  expect(await look(moved('0.25', refused), '7', failing('notFound'))).toEqual({
    ...{ kind: 'odd', why: 'the exchange knows no order 7', quantity: new Decimal('0.25') },
  })
  // The journal's id counts before that of a list.
  const asked: string[] = []
  await look(moved('0.25', { outcome: { kind: 'accepted', id: '9', status: 'OPEN' } }), '7', async (orderId) => {
    asked.push(orderId)
    return anOrder()
  })
  expect(asked).toEqual(['9'])
})

test('that an order rests tells of a cancel only when none can arrive any more', async () => {
  const order = anOrder({ orderId: '7' })
  const look = (of: Partial<PlanOrder>, nowMs = 100_000, isCertain = false, there = order) =>
    lookAtWorking(
      { journal: found([]), client: { fetchOrder: async () => there } },
      { ...planOrder, orderId: '7', cancelTries: 1, ...of },
      { nowMs, isCertain },
    )
  expect(await look({ orderId: null })).toEqual({ kind: 'later' })
  expect(await look({})).toEqual({ kind: 'report', order, quantity: null })
  // A report under another id is not about this order: neither that it rests nor that it has ended.
  for (const status of ['OPEN', 'CANCELED'] as const) {
    const other = anOrder({ orderId: '7', clientOrderId: 'theirs', status })
    const untold = { kind: 'later', untold: { quantity: null } }
    expect(await look({}, 100_000, false, other)).toEqual(untold)
    expect(await look({ cancelingSinceMs: 1 }, 120_000, true, other)).toEqual(untold)
  }
  const canceling = { cancelingSinceMs: 100_000 }
  expect(await look(canceling)).toEqual({ kind: 'later' })
  expect(await look(canceling, 119_999)).toEqual({ kind: 'later' })
  expect(await look(canceling, 120_000)).toEqual({ kind: 'rests', order })
  // The wall clock was set back: by so much that no cancel could still be under way, as far as anyone knows.
  expect([await look(canceling, 80_001), await look(canceling, 80_000)]).toEqual([
    { kind: 'later' },
    { kind: 'rests', order },
  ])
  expect(await look(canceling, 100_000, true)).toEqual({ kind: 'rests', order })
  expect(await look({ ...canceling, cancelTries: 2 }, 100_000, true)).toEqual({ kind: 'later' })
  const over = anOrder({ orderId: '7', status: 'CANCELED' })
  expect(await look(canceling, 100_000, false, over)).toEqual({ kind: 'report', order: over, quantity: null })
  const away = await lookAtWorking(
    { journal: found([]), client: { fetchOrder: failing('notFound') } },
    { ...planOrder, orderId: '7' },
    { nowMs: 0, isCertain: true },
  )
  expect(away).toMatchObject({ kind: 'odd' })
})

test('an order that an older journal lacks is what the exchange has under its id', async () => {
  let asked = 0
  const look = async (listed: Order | 'unseen' | null, journal = found([])) => {
    const sentBefore = () => {
      asked += 1
      return Promise.resolve(listed)
    }
    return await lookAtSent({ journal, client: { fetchOrder: async () => anOrder() }, sentBefore }, planOrder)
  }
  const listed = anOrder({ leavesQuantity: new Decimal('0.03'), cumQuantity: new Decimal('0.01') })
  expect(await look(listed)).toEqual({ kind: 'report', order: listed, quantity: new Decimal('0.04') })
  expect(await look('unseen')).toEqual({ kind: 'later' })
  expect(await look(null)).toMatchObject({ kind: 'notPlaced', reason: 'it never left' })
  expect(asked).toBe(3)
  expect(await look(listed, found([entry()]))).toMatchObject({ kind: 'report', order: { orderId: '9912041' } })
  expect(asked).toBe(3)
})

test('an order that ended without its fills is asked for by its id, and by the journal where it has none', async () => {
  const context = { nowMs: 1, isCertain: false }
  const ended: PlanOrder = { ...planOrder, standing: 'ended' }
  const parts = { journal: found([entry()]), client: { fetchOrder: async (orderId: string) => anOrder({ orderId }) } }
  expect(await lookAt(parts, ended, context)).toMatchObject({ kind: 'report', order: { orderId: '7' } })
  expect(await lookAt(parts, { ...ended, orderId: '8' }, context)).toMatchObject({ order: { orderId: '8' } })
  expect(await lookAt({ ...parts, journal: found([]) }, ended, context)).toEqual({ kind: 'later' })
})
