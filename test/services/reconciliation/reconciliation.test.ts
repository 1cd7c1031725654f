import { renameSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { Decimal, zero } from '../../../src/domain/money.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import { JournalError, type WriteIntent } from '../../../src/journal/entry.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aFill } from '../../history/aids.ts'
import { aFolder, aJournal } from '../../journal/scene.ts'
import { aReconciliation, aVenue, startMs } from './scene.ts'

const order = (clientOrderId: string): WriteIntent => ({ kind: 'order', clientOrderId, draft: aDraft() })
const money = (amount: Decimal | 'max' = new Decimal('0.5')): WriteIntent => ({
  kind: 'withdrawal',
  request: { currency: 'BTC', beneficiary: 'wl-1', amount },
  draftId: null,
})
const ofOrders = { method: 'GET', path: '/orders', reason: 'odd', outcome: null } as const
const aWithdrawal = (change: Partial<Withdrawal> = {}): Withdrawal => ({
  withdrawalId: 'w-1',
  amount: new Decimal('0.50'),
  fee: null,
  currency: 'BTC',
  beneficiary: 'wl-1',
  state: 'PENDING',
  timestampMs: startMs,
  ...change,
})

test.each(['OPEN', 'PENDING', 'FILLED', 'CANCELED', 'EXPIRED', 'REJECTED'] as const)(
  'an order without an answer is found as %s, also behind pages of others',
  async (status) => {
    const { venue, client } = aVenue()
    const others = Array.from({ length: 250 }, (_, index) =>
      anOrder({ orderId: `${1_000 + index}`, clientOrderId: `x${index}`, status, timestampMs: startMs + 1 + index }),
    )
    const filled = status === 'FILLED' ? { leavesQuantity: zero, cumQuantity: new Decimal('0.05') } : {}
    venue.orders = [...others, anOrder({ orderId: '7', clientOrderId: 'c1', status, timestampMs: startMs, ...filled })]
    const desk = aReconciliation(client)
    await desk.unknown(order('c1'))
    const stop = desk.start()
    // A refused copy looks like a refused order: only a second look, late enough, tells that nothing else is there.
    await desk.clock.advance(status === 'REJECTED' ? 40_000 : 100)
    expect(await desk.settlements()).toEqual([status === 'REJECTED' ? 'rejected' : 'placed'])
    expect(desk.events.at(-1)).toMatchObject({ type: 'writeResolved', key: 'c1' })
    const hasEnded = ['FILLED', 'CANCELED', 'EXPIRED'].includes(status)
    expect(desk.events.filter((event) => 'isEnded' in event)).toHaveLength(hasEnded ? 1 : 0)
    expect(desk.found).toEqual(['7'])
    await stop()
  },
)

test('an order that was refused while no list could be read is rejected once all lists are without it, twice', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'), undefined, true)
  await desk.unknown(order('c2'))
  venue.isDown = true
  const stop = desk.start()
  await desk.clock.advance(40_000)
  expect(await desk.settlements()).toEqual([null, null])
  venue.isDown = false
  await desk.clock.advance(60_000)
  // The other one had no answer at all: only a person can say that it was not placed.
  expect(await desk.settlements()).toEqual(['rejected', null])
  const sentence = 'Order c1 was refused, and no list has it: reset. Nothing was placed.'
  expect(desk.events).toContainEqual(expect.objectContaining({ type: 'writeResolved', key: 'c1', sentence }))
  // Lists may have been behind, as after any refusal.
  desk.reconciliation.observe([anOrder({ orderId: '8', clientOrderId: 'c1' })])
  expect(desk.events.at(-1)).toMatchObject({ isFalseRefusal: true, level: 'bad' })
  await stop()
})

test('what is seen of another order under its id resolves no cancel', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown({ kind: 'cancel', orderId: '7', ofClientOrderId: 'c1' })
  venue.orders = [anOrder({ orderId: '7', clientOrderId: 'theirs', status: 'CANCELED' })]
  desk.reconciliation.observe(venue.orders)
  await desk.clock.advance(0)
  expect(await desk.settlements()).toEqual([null])
  desk.reconciliation.observe([anOrder({ orderId: '7', clientOrderId: 'c1', status: 'CANCELED' })])
  await desk.clock.advance(0)
  expect(await desk.settlements()).toEqual(['canceled'])
})

test('an order that was answered as rejected is told of when it turns up all the same, once and for ten minutes', async () => {
  const desk = aReconciliation(aVenue().client)
  const stop = desk.start()
  desk.reconciliation.doubt('c1')
  desk.reconciliation.doubt('c2')
  desk.reconciliation.doubt('c3')
  desk.reconciliation.observe([anOrder({ orderId: '7', clientOrderId: 'c1', status: 'REJECTED' })])
  expect(desk.types()).toEqual([])
  const listed = [anOrder({ orderId: '8', clientOrderId: 'c1' })]
  desk.reconciliation.observe(listed)
  desk.reconciliation.observe(listed)
  expect(desk.events).toMatchObject([
    {
      type: 'writeResolved',
      level: 'bad',
      isFalseRefusal: true,
      sentence: 'Order c1 was answered as rejected, but order 8 is OPEN.',
    },
  ])
  await desk.clock.advance(599_000)
  desk.reconciliation.observe([anOrder({ orderId: '9', clientOrderId: 'c3' })])
  expect(desk.events.length).toBe(2)
  await desk.clock.advance(2_000)
  desk.reconciliation.observe([anOrder({ orderId: '10', clientOrderId: 'c2' })])
  expect(desk.events.length).toBe(2)
  await stop()
})

test('an order that was answered as rejected is looked for twice more: one that has filled by then is told of', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  const stop = desk.start()
  desk.reconciliation.doubt('c1')
  desk.reconciliation.doubt('c2')
  await desk.clock.advance(10_000)
  expect(desk.types()).toEqual([])
  const filled = { status: 'FILLED', leavesQuantity: zero, cumQuantity: new Decimal('0.05') } as const
  venue.orders = [
    anOrder({ orderId: '8', clientOrderId: 'c1', ...filled, timestampMs: startMs }),
    anOrder({ orderId: '9', clientOrderId: 'c2', status: 'REJECTED', timestampMs: startMs }),
  ]
  await desk.clock.advance(40_000)
  expect(desk.events).toMatchObject([
    {
      type: 'writeResolved',
      level: 'bad',
      isFalseRefusal: true,
      sentence: 'Order c1 was answered as rejected, but order 8 is FILLED.',
    },
  ])
  await stop()
})

test('the desk at rest looks for an order that was answered as rejected after 5 s and after 30 s', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  const stop = desk.start()
  await desk.clock.advance(1_000)
  desk.reconciliation.doubt('c1')
  await desk.clock.advance(4_900)
  expect(venue.asked).toEqual([])
  await desk.clock.advance(200)
  const looks = venue.asked.length
  expect(looks).toBeGreaterThan(0)
  venue.orders = [anOrder({ orderId: '8', clientOrderId: 'c1', timestampMs: startMs })]
  await desk.clock.advance(24_800)
  expect(venue.asked).toHaveLength(looks)
  await desk.clock.advance(200)
  expect(desk.events).toMatchObject([{ key: 'c1', isFalseRefusal: true }])
  await stop()
})

test('a look for a rejected order while a list fails does not count: it is looked for until all lists were read', async () => {
  const { venue, client } = aVenue()
  let isOdd = true
  const failure = new ExchangeError({ ...ofOrders, kind: 'connectivity', fault: 'status', status: 503 })
  const fetchOrders: typeof client.fetchOrders = (query) =>
    isOdd && query.status === 'FILLED' ? Promise.reject(failure) : client.fetchOrders(query)
  const fetchOrderPage = async () => ({ orders: [], nextOrderId: '0' })
  const desk = aReconciliation({ ...client, fetchOrders, fetchOrderPage })
  const stop = desk.start()
  desk.reconciliation.doubt('c1')
  const filled = { status: 'FILLED', leavesQuantity: zero, cumQuantity: new Decimal('0.05') } as const
  venue.orders = [anOrder({ orderId: '8', clientOrderId: 'c1', ...filled, timestampMs: startMs })]
  await desk.clock.advance(60_000)
  expect(desk.events).toEqual([])
  isOdd = false
  await desk.clock.advance(20_000)
  expect(desk.events).toMatchObject([{ key: 'c1', isFalseRefusal: true }])
  await stop()
})

test('a fill under the id of a refusal is told of at once, also one that came before it, and once', async () => {
  const desk = aReconciliation(aVenue().client)
  const stop = desk.start()
  const fill = aFill(1, { orderId: '8', execId: 'e1', quantity: new Decimal('0.02') })
  desk.reconciliation.doubt('c1', '8')
  desk.reconciliation.doubt('c2')
  desk.reconciliation.doubt('c3', '9')
  desk.reconciliation.observeFills([aFill(1, { orderId: '7', execId: 'e0' })])
  expect(desk.events).toEqual([])
  desk.reconciliation.observeFills([fill, { ...fill, execId: 'e2' }])
  desk.reconciliation.observeFills([fill, { ...fill, execId: 'e3' }])
  expect(desk.events).toMatchObject([
    {
      ...{ type: 'writeResolved', key: 'c1', id: '8', level: 'bad' },
      sentence: 'Order c1 was answered as rejected, but order 8 is filled, 0.04 so far.',
    },
  ])
  desk.reconciliation.observeFills([{ ...fill, orderId: '10', execId: 'e4' }])
  desk.reconciliation.doubt('c4', '10')
  expect(desk.events.at(-1)).toMatchObject({ key: 'c4', id: '10', level: 'bad' })
  await desk.clock.advance(601_000)
  desk.reconciliation.observeFills([{ ...fill, orderId: '9', execId: 'e5' }])
  expect(desk.events).toHaveLength(2)
  await stop()
})

test('two orders under one id are put before a person, whether a look or a feed finds them', async () => {
  const { venue, client } = aVenue()
  venue.orders = ['7', '8'].map((orderId) => anOrder({ orderId, clientOrderId: 'c1', timestampMs: startMs }))
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  desk.reconciliation.observe(venue.orders)
  const stop = desk.start()
  await desk.clock.advance(10_000)
  expect(await desk.settlements()).toEqual([null])
  expect(desk.events.findLast(({ type }) => type === 'writeQuestion')).toMatchObject({
    question: {
      evidence: expect.stringContaining('2 orders under c1: 7 (OPEN), 8 (OPEN). It was sent once'),
      verdicts: ['placed'],
    },
  })
  await stop()
})

test('an order that one list has without its id and another one with it is one order, and one that is listed twice no third', async () => {
  const { venue, client } = aVenue()
  venue.orders = [
    anOrder({ orderId: '7', clientOrderId: 'c1', timestampMs: startMs }),
    ...['8', '9'].map((orderId) => anOrder({ orderId, clientOrderId: 'c2', timestampMs: startMs })),
  ]
  const fetchOrders: typeof client.fetchOrders = async (query) => {
    const { entries, unreadable } = await client.fetchOrders(query)
    const left = entries.map((each) => (each.clientOrderId === 'c1' ? { ...each, orderId: null } : each))
    return { entries: left, unreadable }
  }
  const desk = aReconciliation({ ...client, fetchOrders })
  // One that is nowhere has every list read.
  for (const id of ['c1', 'c2', 'c3']) await desk.unknown(order(id))
  const stop = desk.start()
  await desk.clock.advance(100)
  const [own] = await desk.journal.history(0)
  expect(own?.settlement).toMatchObject({ how: 'placed', id: '7' })
  const asked = desk.events.filter(({ type }) => type === 'writeQuestion')
  expect(asked).toMatchObject([{ key: 'c2', question: { evidence: expect.stringContaining('lists 2 orders under') } }])
  await stop()
})

test('what the lists of the exchange do not come to the end of is not said to be nowhere', async () => {
  const { client } = aVenue()
  const page = Array.from({ length: 100 }, (_, at) => anOrder({ orderId: `${at + 5}`, clientOrderId: `x${at}` }))
  // The same page for ever.
  const desk = aReconciliation({
    ...client,
    fetchOrderPage: () => Promise.resolve({ nextOrderId: '5', orders: page }),
  })
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(40_000)
  expect(desk.events.at(-1)).toMatchObject({
    type: 'writeQuestion',
    question: { evidence: expect.stringContaining('A list is incomplete') },
  })
  await stop()
})

test('an order that only the matching engine lists is found there', async () => {
  const { venue, client } = aVenue()
  const filled = { status: 'FILLED', leavesQuantity: zero, cumQuantity: new Decimal('0.05') } as const
  venue.orders = [anOrder({ orderId: '7', clientOrderId: 'c1', ...filled, timestampMs: null })]
  const desk = aReconciliation({ ...client, fetchOrders: () => Promise.resolve({ entries: [], unreadable: [] }) })
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await desk.settlements()).toEqual(['placed'])
  await stop()
})

test('what is in no list is a question after two whole looks, late enough; a person settles it, nobody else', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(20_000)
  // Every second, however little changes.
  const looks = venue.asked.filter((what) => what === venue.asked[0]).length
  expect(looks).toBeGreaterThanOrEqual(19)
  expect(looks).toBeLessThanOrEqual(21)
  expect((await desk.reconciliation.decide('c1', 'notPlaced')).ok).toBe(false)
  await desk.clock.advance(4_900)
  expect(desk.types()).not.toContain('writeQuestion')
  await desk.clock.advance(2_000)
  expect(desk.types()).toContain('writeQuestion')
  await desk.clock.advance(600_000)
  expect(await desk.settlements()).toEqual([null])
  expect(desk.types().filter((type) => type === 'writeQuestion').length).toBe(1)
  expect((await desk.reconciliation.decide('c1', 'placed')).ok).toBe(false)
  expect((await desk.reconciliation.decide('c1', 'notPlaced')).ok).toBe(true)
  expect(await desk.settlements()).toEqual(['notPlaced'])
  expect((await desk.reconciliation.decide('c1', 'notPlaced')).ok).toBe(false)
  await stop()
})

test.each([
  ['set back before it was begun', -3_600_000, 0],
  ['set forward after it was begun', 0, 3_600_000],
  ['set back after it was begun', 0, -3_600_000],
])('a wall clock %s makes nobody believe sooner that it is not there', async (_name, beforeMs, afterMs) => {
  const { client } = aVenue()
  const desk = aReconciliation(client)
  desk.clock.setWall(beforeMs)
  await desk.unknown(order('c1'), desk.clock.wallMs())
  desk.clock.setWall(afterMs)
  const stop = desk.start()
  await desk.clock.advance(24_900)
  expect(desk.types()).not.toContain('writeQuestion')
  await desk.clock.advance(2_000)
  expect(desk.types()).toContain('writeQuestion')
  await stop()
})

test.each([
  ['notFound', 404],
  ['unauthorized', 401],
  ['rejected', 403],
] as const)(
  'an order that no list has is a question also where the key may not read the engine’s own list (%s)',
  async (kind, status) => {
    const { venue, client } = aVenue()
    venue.withdrawals = [aWithdrawal()]
    const details = { kind, status, method: 'GET', path: '/internal/orders', reason: 'no', outcome: null } as const
    const desk = aReconciliation({ ...client, fetchOrderPage: () => Promise.reject(new ExchangeError(details)) })
    await desk.unknown(order('c1'))
    await desk.unknown(money())
    const stop = desk.start()
    await desk.clock.advance(40_000)
    expect(await desk.settlements()).toEqual([null, 'placed'])
    expect(desk.events.find(({ type }) => type === 'writeQuestion')).toMatchObject({
      key: 'c1',
      question: {
        evidence:
          'Order c1 is neither among the working orders nor the filled, canceled, expired and rejected ones; the ' +
          'exchange answered each question, twice. This key may not read the list of the matching engine.',
        verdicts: ['notPlaced'],
      },
    })
    await stop()
  },
)

test('an order that arrives late is found, also once the question stands', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(40_000)
  expect(desk.types()).toContain('writeQuestion')
  venue.orders = [anOrder({ orderId: '7', clientOrderId: 'c1', timestampMs: startMs })]
  await desk.clock.advance(15_000)
  expect(await desk.settlements()).toEqual(['placed'])
  await stop()
})

test('a venue that does not answer says nothing: no look counts, it is asked less often, and found again later', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  venue.isDown = true
  const stop = desk.start()
  await desk.clock.advance(600_000)
  expect(desk.types()).toEqual(['writeUnknown'])
  expect(venue.asked.length).toBeLessThan(60)
  venue.isDown = false
  venue.orders = [anOrder({ orderId: '7', clientOrderId: 'c1', timestampMs: startMs })]
  await desk.clock.advance(20_000)
  expect(await desk.settlements()).toEqual(['placed'])
  await stop()
})

test('what a feed has seen settles at once, and a report of another order does not', async () => {
  const { client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  await desk.unknown({ kind: 'cancel', orderId: '9' })
  desk.reconciliation.observe([anOrder({ clientOrderId: 'other' }), anOrder({ orderId: '9', clientOrderId: 'own' })])
  await desk.clock.advance(0)
  expect(await desk.settlements()).toEqual([null, null])
  desk.reconciliation.observe([
    anOrder({ clientOrderId: 'c1' }),
    anOrder({ orderId: '9', clientOrderId: 'own', status: 'CANCELED' }),
  ])
  await desk.clock.advance(0)
  expect(await desk.settlements()).toEqual(['placed', 'canceled'])
})

test.each([
  ['CANCELED', 'canceled', 100],
  ['FILLED', 'notCanceled', 100],
  ['OPEN', 'notCanceled', 30_000],
] as const)('a cancel without an answer whose order is %s is settled as %s', async (status, how, afterMs) => {
  const { venue, client } = aVenue()
  venue.orders = [anOrder({ orderId: '9', status })]
  const desk = aReconciliation(client)
  await desk.unknown({ kind: 'cancel', orderId: '9' })
  const stop = desk.start()
  await desk.clock.advance(afterMs)
  expect(await desk.settlements()).toEqual([how])
  await stop()
})

test('a cancel of all is settled by two looks at the list of working orders, a cancel of an unknown order by the answer', async () => {
  const { venue, client } = aVenue()
  venue.orders = [anOrder({ orderId: '9', symbol: 'ETH-USD' })]
  const desk = aReconciliation(client)
  await desk.unknown({ kind: 'cancelAll', symbol: 'BTC-USD' })
  await desk.unknown({ kind: 'cancelAll', symbol: null })
  await desk.unknown({ kind: 'cancel', orderId: '404' })
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await desk.settlements()).toEqual([null, null, 'notCanceled'])
  await desk.clock.advance(30_000)
  expect(await desk.settlements()).toEqual(['canceled', 'notCanceled', 'notCanceled'])
  await stop()
})

test('one empty list after looks that found an order working is not two: a cancel of all has not taken effect', async () => {
  const { venue, client } = aVenue()
  const working = [anOrder({ orderId: '9', symbol: 'BTC-USD' })]
  venue.orders = working
  const desk = aReconciliation(client)
  await desk.unknown({ kind: 'cancelAll', symbol: 'BTC-USD' })
  const stop = desk.start()
  // Late enough for a first look that counts, which finds the order.
  await desk.clock.advance(24_000)
  // As from an exchange that has just begun again.
  venue.orders = []
  while ((await desk.settlements())[0] === null && desk.clock.now() < startMs + 28_000) await desk.clock.advance(500)
  expect(await desk.settlements()).toEqual([null])
  venue.orders = working
  await desk.clock.advance(2_000)
  expect(await desk.settlements()).toEqual(['notCanceled'])
  await stop()
})

test('one withdrawal that matches settles; what differs, is too old, or belongs to another entry does not', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [
    aWithdrawal({ withdrawalId: 'w-0', timestampMs: startMs - 3_600_000 }),
    aWithdrawal({ withdrawalId: 'w-2', amount: new Decimal('0.51') }),
    aWithdrawal({ withdrawalId: 'w-3', beneficiary: 'wl-2' }),
    aWithdrawal({ withdrawalId: 'w-4' }),
  ]
  const desk = aReconciliation(client)
  const earlier = await desk.journal.begin(money(), startMs)
  await earlier.end({ kind: 'accepted', id: 'w-4', status: 'PENDING' }, startMs)
  await desk.unknown(money())
  const stop = desk.start()
  await desk.clock.advance(5_000)
  expect(await desk.settlements()).toEqual([null, null])
  venue.withdrawals = [...venue.withdrawals, aWithdrawal({ withdrawalId: 'w-5', timestampMs: startMs + 900 })]
  await desk.clock.advance(5_000)
  expect((await desk.journal.history(0))[1]?.settlement).toMatchObject({ how: 'placed', by: 'exchange', id: 'w-5' })
  await stop()
})

test('a cancel whose order answers 500 for ever is put before a person', async () => {
  const { client } = aVenue()
  const details = { ...ofOrders, kind: 'connectivity', fault: 'status', status: 500 } as const
  const desk = aReconciliation({ ...client, fetchOrder: () => Promise.reject(new ExchangeError(details)) })
  await desk.unknown({ kind: 'cancel', orderId: '9' })
  const stop = desk.start()
  await desk.clock.advance(60_000)
  expect(await desk.reconciliation.decide('cancel 9', 'canceled')).toMatchObject({ ok: true })
  await stop()
})

test('a cancel whose order is reported unreadably keeps nothing else from being found, and is put before a person', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [aWithdrawal()]
  const details = { kind: 'protocol', method: 'GET', path: '/orders', reason: 'odd', outcome: null } as const
  const fetchOrder = () => Promise.reject(new ExchangeError(details))
  const desk = aReconciliation({ ...client, fetchOrder })
  await desk.unknown({ kind: 'cancel', orderId: '9' })
  await desk.unknown(money())
  const stop = desk.start()
  await desk.clock.advance(40_000)
  expect(await desk.settlements()).toEqual([null, 'placed'])
  expect(desk.types().filter((type) => type === 'writeQuestion')).toHaveLength(1)
  expect(await desk.reconciliation.decide('cancel 9', 'canceled')).toMatchObject({ ok: true })
  await stop()
})

const ownFailures = [
  { what: 'cannot be read', details: { kind: 'protocol' } },
  { what: 'answers 503', details: { kind: 'connectivity', fault: 'status', status: 503 } },
  { what: 'answers 401', details: { kind: 'unauthorized', fault: 'status', status: 401 } },
  { what: 'takes too long', details: { kind: 'connectivity', fault: 'answerTimeout' } },
  { what: 'answers 429', details: { kind: 'rateLimited', fault: 'status', status: 429 } },
] as const

test.each(ownFailures)(
  'an order is found behind a list that $what, and others are not said to be nowhere',
  async (how) => {
    const { venue, client } = aVenue()
    const done = { leavesQuantity: zero, cumQuantity: new Decimal('0.05'), timestampMs: startMs }
    venue.orders = [
      anOrder({ orderId: '7', clientOrderId: 'c1', status: 'FILLED', ...done }),
      anOrder({ orderId: '8', clientOrderId: 'c2', status: 'EXPIRED', timestampMs: startMs }),
    ]
    const fetchOrders: typeof client.fetchOrders = (query) =>
      query.status === 'EXPIRED'
        ? Promise.reject(new ExchangeError({ ...ofOrders, ...how.details }))
        : client.fetchOrders(query)
    const desk = aReconciliation({ ...client, fetchOrders })
    for (const id of ['c1', 'c2', 'c3']) await desk.unknown(order(id))
    await desk.unknown({ kind: 'cancel', orderId: '8' })
    const stop = desk.start()
    await desk.clock.advance(120_000)
    // The list of the matching engine has the second one.
    expect(await desk.settlements()).toEqual(['placed', 'placed', null, 'notCanceled'])
    expect(desk.types()).not.toContain('writeQuestion')
    await stop()
  },
)

test.each(ownFailures)('an order that may be on a list that $what for minutes is put before a person', async (how) => {
  const { client } = aVenue()
  let isOdd = true
  const fetchOrders: typeof client.fetchOrders = (query) =>
    isOdd && query.status === 'EXPIRED'
      ? Promise.reject(new ExchangeError({ ...ofOrders, ...how.details, reason: 'the list is broken' }))
      : client.fetchOrders(query)
  const desk = aReconciliation({ ...client, fetchOrders })
  for (const id of ['c1', 'c2']) await desk.unknown(order(id))
  const asked = () => desk.events.flatMap((event) => (event.type === 'writeQuestion' ? [event] : []))
  const stop = desk.start()
  await desk.clock.advance(110_000)
  expect(asked()).toEqual([])
  await desk.clock.advance(40_000)
  const evidence =
    'Order c1 is on none of the lists of orders that were answered, and one of these lists has failed for minutes ' +
    "(the list is broken): it may be there. Look at the exchange's web page whether it was placed."
  expect(asked()[0]).toMatchObject({ key: 'c1', question: { evidence, verdicts: ['placed', 'notPlaced'] } })
  expect(await desk.reconciliation.decide('c1', 'notPlaced')).toMatchObject({ ok: true })
  // Once the list is back, what all lists say counts, as ever.
  isOdd = false
  await desk.clock.advance(60_000)
  expect(asked().at(-1)).toMatchObject({ key: 'c2', question: { verdicts: ['notPlaced'] } })
  await stop()
})

test.each(ownFailures)('no person is asked while no list of orders is read, however long: each $what', async (how) => {
  const { client } = aVenue()
  const fail = () => Promise.reject(new ExchangeError({ ...ofOrders, ...how.details }))
  const desk = aReconciliation({ ...client, fetchOrders: fail, fetchOrderPage: fail })
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(900_000)
  expect(desk.types()).not.toContain('writeQuestion')
  await stop()
})

const cancelAll = { kind: 'cancelAll', symbol: null } as const
const cancel = (orderId: string) => ({ kind: 'cancel', orderId }) as const

test.each(ownFailures)('a write whose only list $what for minutes is put before a person', async ({ details }) => {
  const { client } = aVenue()
  const failure = { ...ofOrders, ...details, reason: 'the list is broken' }
  const fetchOrders: typeof client.fetchOrders = (query) =>
    query.status === undefined ? Promise.reject(new ExchangeError(failure)) : client.fetchOrders(query)
  const fetchWithdrawals = () => Promise.reject(new ExchangeError(failure))
  const sought = { request: { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.5') } }
  for (const [own, intent, verdicts, beside] of [
    // With evidence of a withdrawal the balance before and after is shown beside the question.
    [{ fetchWithdrawals }, money(), ['placed', 'notPlaced'], { withdrawals: { ...sought, matches: [], others: [] } }],
    [{ fetchOrders }, cancelAll, ['canceled', 'notCanceled'], {}],
    [{ fetchOrders }, cancel('9'), ['canceled', 'notCanceled'], {}],
  ] as const) {
    const desk = aReconciliation({ ...client, ...own })
    await desk.unknown(intent)
    const asked = () => desk.events.flatMap((event) => (event.type === 'writeQuestion' ? [event] : []))
    const stop = desk.start()
    await desk.clock.advance(110_000)
    expect(asked()).toEqual([])
    await desk.clock.advance(40_000)
    expect(asked()).toHaveLength(1)
    const evidence = expect.stringContaining('(the list is broken)')
    expect(asked()[0]?.question).toEqual({ verdicts, evidence, ...beside })
    expect(await desk.reconciliation.decide(asked()[0]?.key ?? '', verdicts[1])).toMatchObject({ ok: true })
    await stop()
  }
})

test('a list that failed before a process was stopped, and after it, has not failed for minutes', async () => {
  const { client } = aVenue()
  const failure = { ...ofOrders, kind: 'connectivity', fault: 'status', status: 500 } as const
  const desk = aReconciliation({ ...client, fetchWithdrawals: () => Promise.reject(new ExchangeError(failure)) })
  await desk.unknown(money())
  const stop = desk.start()
  await desk.clock.advance(5_000)
  desk.clock.standStill(3_600_000)
  await desk.clock.advance(100_000)
  expect(desk.types()).not.toContain('writeQuestion')
  await desk.clock.advance(40_000)
  expect(desk.types()).toContain('writeQuestion')
  await stop()
})

test.each([
  ['an outage', 'down'],
  ['an answer of the list', 'answers'],
] as const)('a list that failed before %s and after it has not failed for minutes', async (_what, meanwhile) => {
  const { venue, client } = aVenue()
  const failure = { ...ofOrders, kind: 'connectivity', fault: 'status', status: 500 } as const
  let isOdd = true
  const fetchWithdrawals: typeof client.fetchWithdrawals = () =>
    isOdd ? Promise.reject(new ExchangeError(failure)) : client.fetchWithdrawals()
  const desk = aReconciliation({ ...client, fetchWithdrawals })
  // A refused order is looked for first, and its lists tell of the outage.
  await desk.unknown(order('c1'))
  await desk.unknown(money())
  const asked = () => desk.events.filter((event) => event.type === 'writeQuestion' && event.key !== 'c1')
  const stop = desk.start()
  await desk.clock.advance(90_000)
  isOdd = meanwhile === 'down'
  venue.isDown = isOdd
  await desk.clock.advance(18_000)
  isOdd = true
  venue.isDown = false
  await desk.clock.advance(90_000)
  expect(asked()).toEqual([])
  await desk.clock.advance(60_000)
  expect(asked()).toHaveLength(1)
  await stop()
})

test.each(ownFailures)(
  'an order listed as REJECTED counts as rejected only once no list $what',
  async ({ details }) => {
    const { venue, client } = aVenue()
    venue.orders = [anOrder({ orderId: '7', clientOrderId: 'c1', status: 'REJECTED', timestampMs: startMs })]
    let isOdd = true
    const fetchOrders: typeof client.fetchOrders = (query) =>
      isOdd && query.status === 'FILLED'
        ? Promise.reject(new ExchangeError({ ...ofOrders, ...details, reason: 'the list is broken' }))
        : client.fetchOrders(query)
    const desk = aReconciliation({ ...client, fetchOrders })
    await desk.unknown(order('c1'))
    const stop = desk.start()
    await desk.clock.advance(150_000)
    expect(await desk.settlements()).toEqual([null])
    const evidence = expect.stringContaining(
      'The exchange lists order 7 (c1) as REJECTED, and one of these lists has failed',
    )
    expect(desk.events.at(-1)).toMatchObject({ question: { evidence, verdicts: ['placed', 'notPlaced'] } })
    isOdd = false
    await desk.clock.advance(60_000)
    expect(await desk.settlements()).toEqual(['rejected'])
    await stop()
  },
)

test('an order listed as REJECTED is a refused duplicate, perhaps, while an entry that may be the order is unreadable', async () => {
  const { venue, client } = aVenue()
  venue.orders = [anOrder({ orderId: '7', clientOrderId: 'c1', status: 'REJECTED', timestampMs: startMs })]
  venue.unreadable = [{ reason: 'odd', atMs: startMs, fields: { clOrdId: 'c1', ordStatus: 'TRIGGERED' } }]
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(60_000)
  expect(await desk.settlements()).toEqual([null])
  const evidence =
    'The exchange lists order 7 (c1) as REJECTED, and an order listed is unreadable and may be it ' +
    "(clOrdId c1, ordStatus TRIGGERED): look at the exchange's web page whether it was placed."
  expect(desk.events.at(-1)).toMatchObject({ question: { evidence, verdicts: ['placed', 'notPlaced'] } })
  venue.unreadable = []
  await desk.clock.advance(60_000)
  expect(await desk.settlements()).toEqual(['rejected'])
  await stop()
})

test.each(['REJECTED', 'FAILED'] as const)(
  'a withdrawal listed as %s is another one, perhaps, while one that may be it is unreadable',
  async (state) => {
    const { venue, client } = aVenue()
    const listed = { withdrawalId: 'w-1', amount: new Decimal('0.5'), fee: null, currency: 'BTC', beneficiary: 'wl-1' }
    venue.withdrawals = [{ ...listed, state, timestampMs: startMs }]
    venue.unreadable = [{ reason: 'odd', atMs: startMs, fields: { currency: 'BTC' } }]
    const desk = aReconciliation(client)
    await desk.unknown(money())
    const stop = desk.start()
    await desk.clock.advance(60_000)
    expect(await desk.settlements()).toEqual([null])
    expect(desk.events.at(-1)).toMatchObject({
      question: {
        evidence:
          `The exchange lists one such withdrawal, w-1 (0.5 BTC, ${state} of 2026-01-05 14:00:00 UTC), and one that is ` +
          "unreadable and may be it: look at it on the exchange's web page.",
        verdicts: ['placed', 'notPlaced'],
      },
    })
    venue.unreadable = []
    await desk.clock.advance(60_000)
    expect(await desk.settlements()).toEqual([state === 'REJECTED' ? 'rejected' : 'placed'])
    await stop()
  },
)

test('that the unreadable one is the withdrawal can be said beside one that was turned down', async () => {
  const { venue, client } = aVenue()
  const listed = { withdrawalId: 'w-1', amount: new Decimal('0.5'), fee: null, currency: 'BTC', beneficiary: 'wl-1' }
  venue.withdrawals = [{ ...listed, state: 'REJECTED', timestampMs: startMs }]
  venue.unreadable = [{ reason: 'odd', atMs: startMs, fields: { currency: 'BTC' } }]
  const desk = aReconciliation(client)
  const id = await desk.unknown(money())
  const stop = desk.start()
  await desk.clock.advance(60_000)
  expect(desk.events.at(-1)).toMatchObject({ question: { withdrawals: { others: [{ withdrawalId: 'w-1' }] } } })
  expect(await desk.reconciliation.decide(`withdrawal ${id}`, 'placed')).toMatchObject({ ok: true })
  expect(await desk.settlements()).toEqual(['placed'])
  await stop()
})

test('a rejected order is looked for when the exchange answers again, however long it did not', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  const stop = desk.start()
  desk.reconciliation.doubt('c1')
  venue.isDown = true
  await desk.clock.advance(900_000)
  venue.orders = [anOrder({ orderId: '7', clientOrderId: 'c1', timestampMs: startMs })]
  venue.isDown = false
  await desk.clock.advance(60_000)
  expect(desk.events).toMatchObject([{ type: 'writeResolved', key: 'c1', level: 'bad', isFalseRefusal: true }])
  await stop()
})

test.each(ownFailures)('nobody is asked about any write while no list is read: each $what', async ({ details }) => {
  const { client } = aVenue()
  const fail = () => Promise.reject(new ExchangeError({ ...ofOrders, ...details }))
  const lists = { fetchOrders: fail, fetchOrderPage: fail, fetchWithdrawals: fail, fetchOrder: fail }
  const desk = aReconciliation({ ...client, ...lists })
  for (const intent of [money(), cancelAll, cancel('9')]) await desk.unknown(intent)
  const stop = desk.start()
  await desk.clock.advance(900_000)
  expect(desk.types()).not.toContain('writeQuestion')
  await stop()
})

test('one list that many cancels wait for fails once, and keeps no withdrawal from being found', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [aWithdrawal()]
  const details = { ...ofOrders, kind: 'connectivity', fault: 'answerTimeout' } as const
  const fetchOrders: typeof client.fetchOrders = (query) =>
    query.status === undefined ? Promise.reject(new ExchangeError(details)) : client.fetchOrders(query)
  const desk = aReconciliation({ ...client, fetchOrders })
  for (let id = 1; id <= 20; id += 1) await desk.unknown(cancel(`${id}`))
  await desk.unknown(money())
  const stop = desk.start()
  await desk.clock.advance(1_000)
  expect((await desk.settlements()).at(-1)).toBe('placed')
  await stop()
})

test('an exchange that answers 503 to everything is not asked on and on', async () => {
  const { venue, client } = aVenue()
  const details = { ...ofOrders, kind: 'connectivity', fault: 'status', status: 503 } as const
  const fetchOrder = (id: string) => {
    venue.asked.push(id)
    return Promise.reject(new ExchangeError(details))
  }
  let isListed = false
  const fetchOrders: typeof client.fetchOrders = (query) => {
    if (isListed) return client.fetchOrders(query)
    venue.asked.push('list')
    return Promise.reject(new ExchangeError(details))
  }
  const desk = aReconciliation({ ...client, fetchOrder, fetchOrders })
  for (let id = 1; id <= 40; id += 1) await desk.unknown({ kind: 'cancel', orderId: `${id}` })
  const stop = desk.start()
  await desk.clock.advance(10)
  expect(venue.asked.length).toBeLessThan(15)
  // One list tells of all of which no report can be had.
  isListed = true
  await desk.clock.advance(20_000)
  const from = venue.asked.length
  await desk.clock.advance(1_000)
  expect(venue.asked.slice(from).filter((what) => what.startsWith('orders')).length).toBeLessThan(3)
  await stop()
})

test('a round waits for two reports without an answer, for ten that fail, and for all that are unreadable', async () => {
  for (const [details, count, how] of [
    [{ kind: 'connectivity', fault: 'answerTimeout' }, 3, null],
    [{ kind: 'connectivity', fault: 'status', status: 503 }, 11, null],
    [{ kind: 'protocol' }, 12, 'placed'],
  ] as const) {
    const { venue, client } = aVenue()
    venue.withdrawals = [aWithdrawal()]
    let calls = 0
    const fail = () => Promise.reject(new ExchangeError({ ...ofOrders, ...details }))
    const fetchOrder = () => {
      calls += 1
      return fail()
    }
    const fetchOrders: typeof client.fetchOrders = (query) =>
      query.status === undefined ? fail() : client.fetchOrders(query)
    const desk = aReconciliation({ ...client, fetchOrder, fetchOrders })
    for (let id = 1; id <= 12; id += 1) await desk.unknown(cancel(`${id}`))
    await desk.unknown(money())
    const stop = desk.start()
    await desk.clock.advance(10)
    expect([calls, (await desk.settlements()).at(-1)]).toEqual([count, how])
    await stop()
  }
})

test('what a feed tells of during a look is resolved once, and the look goes on for the others', async () => {
  const { venue, client } = aVenue()
  venue.orders = ['1', '2'].map((id) => anOrder({ orderId: id, clientOrderId: `c${id}`, timestampMs: startMs }))
  let isTold = false
  const desk = aReconciliation({
    ...client,
    fetchOrders(query) {
      const [first] = venue.orders
      if (!isTold && first !== undefined) desk.reconciliation.observe([first])
      isTold = true
      return client.fetchOrders(query)
    },
  })
  for (const id of ['c1', 'c2']) await desk.unknown(order(id))
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(desk.events.flatMap((event) => (event.type === 'writeResolved' ? event.key : []))).toEqual(['c1', 'c2'])
  await stop()
})

test.each(['EXPIRED', 'working'].flatMap((list) => ownFailures.map((how) => ({ list, ...how }))))(
  'a list of orders ($list) that $what keeps no withdrawal from being found',
  async ({ list, details }) => {
    const { venue, client } = aVenue()
    venue.withdrawals = [aWithdrawal()]
    let isOdd = true
    const fetchOrders: typeof client.fetchOrders = (query) =>
      isOdd && (query.status ?? 'working') === list
        ? Promise.reject(new ExchangeError({ ...ofOrders, ...details }))
        : client.fetchOrders(query)
    const desk = aReconciliation({ ...client, fetchOrders })
    desk.reconciliation.doubt('c0')
    await desk.unknown(order('c1'))
    await desk.unknown({ kind: 'cancelAll', symbol: null })
    await desk.unknown(money())
    const stop = desk.start()
    await desk.clock.advance(60_000)
    expect(await desk.settlements()).toEqual([null, list === 'working' ? null : 'canceled', 'placed'])
    expect(desk.types()).not.toContain('writeQuestion')
    isOdd = false
    await desk.clock.advance(60_000)
    expect(desk.types()).toContain('writeQuestion')
    await stop()
  },
)

test('a journal that vanishes keeps the desk looking: it ends nothing, and settles once it is back', async () => {
  const { venue, client } = aVenue()
  const folder = aFolder()
  const journal = await aJournal(folder)
  const desk = aReconciliation(client, journal)
  await desk.unknown(money())
  const stop = desk.start()
  renameSync(folder, `${folder}-away`)
  venue.withdrawals = [aWithdrawal({ withdrawalId: 'w-1', timestampMs: startMs + 900 })]
  for (let beat = 0; beat < 20; beat += 1) {
    await desk.clock.advance(3_000)
    await desk.clock.paused()
  }
  expect(journal.open()).toHaveLength(1)
  renameSync(`${folder}-away`, folder)
  while (journal.open().length > 0) {
    await desk.clock.paused()
    await desk.clock.advance(1_000)
  }
  expect(await desk.settlements()).toEqual(['placed'])
  await stop()
})

test('a withdrawal whose entry bears a time that has not come yet is looked for in the days before', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [aWithdrawal({ withdrawalId: 'w-1', timestampMs: startMs - 3_600_000 })]
  const desk = aReconciliation(client)
  // The machine's clock was three days ahead when it was sent.
  await desk.unknown(money(), startMs + 3 * 86_400_000)
  const stop = desk.start()
  await desk.clock.advance(100)
  expect((await desk.journal.history(0))[0]?.settlement).toMatchObject({ how: 'placed', id: 'w-1' })
  await stop()
})

test('several withdrawals that match are put before a person at once, none only after the wait', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [aWithdrawal(), aWithdrawal({ withdrawalId: 'w-2' })]
  const desk = aReconciliation(client)
  const id = await desk.unknown(money('max'))
  const stop = desk.start()
  await desk.clock.advance(100)
  const asked = desk.events.find((event) => event.type === 'writeQuestion')
  expect(asked?.question.verdicts).toEqual(['placed', 'notPlaced'])
  expect(asked?.question.evidence).toContain('w-2')
  venue.withdrawals = []
  await desk.clock.advance(60_000)
  const later = desk.events.findLast((event) => event.type === 'writeQuestion')
  expect(later?.question.verdicts).toEqual(['notPlaced'])
  expect((await desk.reconciliation.decide(`withdrawal ${id}`, 'notPlaced')).ok).toBe(true)
  await stop()
})

test('a move cut off before its new order left is settled as a cancel, and after that as an order', async () => {
  const { venue, client } = aVenue()
  const rest = { leavesQuantity: new Decimal('0.03') }
  venue.orders = [
    anOrder({ orderId: '9', status: 'CANCELED' }),
    anOrder({ orderId: '10', clientOrderId: 'c2', ...rest }),
  ]
  const desk = aReconciliation(client)
  const intent = { kind: 'move', orderId: '9', draft: aDraft() } as const
  await desk.unknown({ ...intent, clientOrderId: 'c1' })
  const later = await desk.journal.begin({ ...intent, clientOrderId: 'c2' }, startMs)
  await later.step({ step: 'place', quantity: new Decimal('0.03') }, startMs)
  await later.end({ kind: 'unknown', reason: 'reset' }, startMs)
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await desk.settlements()).toEqual(['canceled', 'placed'])
  expect(desk.events.filter(({ type }) => type === 'writeUnknown')).toMatchObject([
    { write: { key: 'cancel 9', kind: 'cancel' } },
    { write: { key: 'c2', kind: 'order' } },
  ])
  await stop()
})

/** An open desk, and a command on the same journal whose order has got no answer. */
async function besideCommand() {
  const folder = aFolder()
  const desk = aReconciliation(aVenue().client, await aJournal(folder))
  const command = await aJournal(folder)
  const write = await command.begin(order('c1'), startMs)
  const stop = desk.start()
  return { desk, command, write, stop }
}

test('asked, it looks at once: it takes over what was left, and counts what a running process has without an outcome', async () => {
  const { desk, command, write, stop } = await besideCommand()
  await desk.clock.advance(100)
  expect(await desk.reconciliation.lookElsewhere()).toEqual({ ok: true, value: 0 })
  await write.end({ kind: 'unknown', reason: 'reset' }, startMs)
  expect(await desk.reconciliation.lookElsewhere()).toEqual({ ok: true, value: 1 })
  expect(desk.events).toEqual([])
  await command.close()
  const looks = [desk.reconciliation.lookElsewhere(), desk.reconciliation.lookElsewhere()]
  expect(await Promise.all(looks)).toEqual([
    { ok: true, value: 0 },
    { ok: true, value: 0 },
  ])
  expect(desk.events).toMatchObject([{ type: 'writeUnknown', write: { key: 'c1' } }])
  await stop()
})

test('a journal that cannot be read is the answer to a look at what others left', async () => {
  const journal = createMemoryJournal()
  const openElsewhere = () => Promise.reject(new JournalError('the journal is gone'))
  const desk = aReconciliation(aVenue().client, { ...journal, openElsewhere })
  expect(await desk.reconciliation.lookElsewhere()).toEqual({ ok: false, error: 'the journal is gone' })
})
