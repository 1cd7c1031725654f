import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import type { Fill } from '../../../src/domain/orders/fills.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { CancelOutcome } from '../../../src/domain/orders/order-outcome.ts'
import { JournalError } from '../../../src/journal/entry.ts'
import { amount } from '../../fakes/amounts.ts'
import { aBook } from '../../fakes/books.ts'
import { settle } from '../../fakes/fake-clock.ts'
import {
  aLoneRunner,
  bracket,
  oco,
  planOf,
  reportOf,
  scale,
  startMs,
  stopReport,
  stopSeen,
  stopSent,
} from './lone-runner.ts'

const stop = stopReport()
const stopDraft = stopSent.draft
const canceling = { event: 'canceling', clientOrderId: 's1' }
const failed = (kind: 'notFound' | 'connectivity' | 'protocol') =>
  new ExchangeError({ kind, method: 'GET', path: '/', reason: kind, outcome: null })
const [notFound, away, odd] = [failed('notFound'), failed('connectivity'), failed('protocol')]
const listOf = (orders: readonly Order[], atMs: number, change: object = {}) =>
  ({ type: 'orders', orders, atMs, ...change }) as FeedEvent
const filled: Partial<Order> = { status: 'FILLED', cumQuantity: amount('0.1'), leavesQuantity: amount('0') }
const full = new JournalError('no space left')
const looks = ({ asked }: { asked: readonly string[] }) => asked.filter((text) => text.startsWith('look')).length

/** A runner whose one plan has its stop at the exchange, and knows that it rests. */
async function protectedOne(...more: readonly object[]) {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen, ...more)] })
  desk.world.look = async () => stop
  desk.begin()
  await desk.rest()
  return desk
}

test('what rested when a desk ended is looked for before anything else, once a second, and nothing is sent meanwhile', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen)] })
  desk.begin(65_950)
  await desk.rest()
  expect(desk.asked).toEqual(['look x-s1'])
  expect(desk.now()).toMatchObject({ state: 'unsettled', why: 'Checking its orders', refused: null })
  desk.price(65_960)
  await desk.rest(999)
  expect(looks(desk)).toBe(1)
  await desk.rest(1)
  expect(looks(desk)).toBe(2)
  desk.world.look = async () => stop
  await desk.rest(1_000)
  expect(desk.now()?.state).toBe('protected')
  await desk.rest(3_000)
  expect(desk.asked).toEqual(['look x-s1', 'look x-s1', 'look x-s1', 'move x-s1 LIMIT SELL 0.1'])
})

test('what a poll or a report brings is a reason to decide anew: books of the plan’s own symbol, and all else', async () => {
  const at = { atMs: startMs }
  const reasons: readonly [FeedEvent, number][] = [
    [{ type: 'balances', balances: [], ...at }, 1],
    [{ type: 'fills', fills: [], ...at }, 1],
    [listOf([], startMs), 1],
    [{ type: 'tickers', tickers: new Map(), ...at }, 1],
    [{ type: 'withdrawals', withdrawals: [], ...at }, 0],
  ]
  for (const [event, count] of reasons) {
    const desk = aLoneRunner({ plans: [planOf('p1', oco)] })
    desk.world.stops = ['not enough', 'and halted']
    desk.begin()
    await desk.rest()
    expect([desk.now()?.refused, desk.asked]).toEqual(['not enough; and halted', []])
    desk.world.stops = []
    desk.runner.observe(event)
    await desk.rest()
    expect([event.type, desk.asked.length]).toEqual([event.type, count])
  }
  const desk = await protectedOne()
  const before = desk.entriesOf.length
  desk.price(3_000, 'ETH-USD')
  await desk.rest()
  expect(desk.entriesOf).toHaveLength(before)
  desk.price(64_001)
  await desk.rest()
  expect(desk.entriesOf.length).toBeGreaterThan(before)
})

test('an order that ends at the exchange ends its plan, whichever report says so; no other order’s does', async () => {
  for (const of of ['orderEnded', 'orders'] as const) {
    const desk = await protectedOne()
    // A list of working orders that has one as ended is held against the order's own report.
    desk.world.look = () => Promise.resolve(stopReport(filled))
    const tell = (order: Order) =>
      desk.runner.observe(
        of === 'orders' ? listOf([order], startMs, { isWhole: false }) : { type: of, order, atMs: startMs },
      )
    tell(reportOf(stopDraft, 'other', filled))
    await desk.rest()
    expect(desk.now()?.state).toBe('protected')
    tell(stopReport(filled))
    // The order was looked at a moment ago: the next look comes after a pause.
    await desk.rest(of === 'orders' ? 10_000 : 0)
    expect(desk.now()).toMatchObject({ state: 'ended', why: 'Fully exited: 0.1000' })
    expect(desk.lastLine()).toMatchObject({
      ...{ event: 'ended', planId: 'p1', how: 'done', why: 'Fully exited: 0.1000' },
      ...(of === 'orders' ? {} : { atMs: startMs }),
    })
  }
})

test('an end that the disk does not take is no end yet; it is one as soon as the disk takes it', async () => {
  const desk = await protectedOne()
  desk.world.disk = full
  desk.runner.observe({ type: 'orderEnded', order: stopReport(filled), atMs: startMs })
  const before = desk.entriesOf.length
  await desk.rest(5_000)
  expect([desk.now()?.plan.ended, desk.asked.length, desk.entriesOf.length - before]).toEqual([null, 1, 6])
  desk.world.disk = null
  await desk.rest(1_000)
  expect(desk.now()?.plan.ended).toMatchObject({ how: 'done' })
})

test('an order that was placed for less than was written down counts as what was placed', () => {
  const accepted = (quantity: string) => {
    const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent)] })
    const draft = { ...stopDraft, orderQuantity: amount(quantity) }
    const outcome = { kind: 'accepted', order: stop } as const
    desk.runner.observe({ type: 'orderOutcome', draft, outcome, atMs: startMs })
    return desk.now()?.plan.orders[0]
  }
  expect(accepted('0.04')).toMatchObject({ standing: 'working', draft: { orderQuantity: amount('0.04') } })
  expect(accepted('0.1')).toMatchObject({ standing: 'working', draft: { orderQuantity: amount('0.1') } })
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent)] })
  const outcome = { kind: 'rejected', clientOrderId: 's1', reason: 'no' } as const
  desk.runner.observe({ type: 'orderOutcome', draft: stopDraft, outcome, atMs: startMs })
  expect(desk.now()?.plan.orders[0]?.standing).toBe('sent')
})

test('what is written down of a report is the quantity it differs by, or none', async () => {
  const quantities = async (quantity: string) => {
    const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent)] })
    const draft = { ...stopDraft, orderQuantity: amount(quantity) }
    const outcome = { kind: 'accepted', order: stop } as const
    desk.runner.observe({ type: 'orderOutcome', draft, outcome, atMs: startMs })
    await desk.rest()
    return desk.lines
  }
  expect(await quantities('0.04')).toMatchObject([{ event: 'seen', quantity: amount('0.04') }])
  expect(await quantities('0.1')).toMatchObject([{ event: 'seen', quantity: null }])
})

const ofCancel = (kind: 'canceled' | 'ended', isOwn: boolean): CancelOutcome => {
  const order = stopReport({ status: kind === 'canceled' ? 'CANCELED' : 'EXPIRED' })
  return kind === 'canceled' ? { kind, orderId: 'x-s1', order, isOwn } : { kind, orderId: 'x-s1', order }
}
test.each([
  ['the plan’s own', [canceling], ofCancel('canceled', true), ['seen'], true],
  ['somebody else’s, before the plan’s', [canceling], ofCancel('canceled', false), ['notCanceled', 'seen'], false],
  ['somebody else’s, where the plan sent none', [], ofCancel('canceled', false), ['seen'], false],
  ['told of the second of two of the plan’s', [canceling, canceling], ofCancel('canceled', false), ['seen'], true],
  ['too late: the order had ended', [canceling], ofCancel('ended', false), ['seen'], true],
  ['refused', [canceling], { kind: 'refused', orderId: 'x-s1', reason: 'no' } as const, [], false],
] as const)('a cancel that was %s is taken as that', async (_, events, outcome, lines, isOwnEnd) => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen, ...events)] })
  desk.runner.observe({ type: 'cancelOutcome', outcome, atMs: startMs })
  await desk.rest()
  expect(desk.kinds()).toEqual(lines)
  expect(desk.now()?.plan.orders[0]?.isOwnEnd).toBe(isOwnEnd)
  if (lines[0] === 'notCanceled')
    expect(desk.lines[0]).toEqual({
      ...{ event: 'notCanceled', planId: 'p1', atMs: startMs, clientOrderId: 's1', reason: 'canceled elsewhere' },
    })
})

test('an order that has ended already is told of once: a cancel of somebody else adds nothing', async () => {
  const gone = { ...stopSeen, standing: 'ended', status: 'CANCELED' }
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen, canceling, gone)] })
  desk.runner.observe({ type: 'cancelOutcome', outcome: ofCancel('canceled', false), atMs: startMs })
  await desk.rest()
  expect(desk.lines).toEqual([])
})

test('a write that is settled is looked for at once, and not after the pause between two looks', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent)] })
  const write = await desk.journal.begin({ kind: 'order', clientOrderId: 's1', draft: stopDraft }, startMs)
  desk.world.look = async () => stop
  desk.begin()
  await desk.rest()
  expect([desk.asked, desk.now()?.state]).toEqual([[], 'unsettled'])
  await write.end({ kind: 'accepted', id: 'x-s1', status: 'OPEN' }, startMs)
  const settled = (key: string) =>
    desk.runner.observe({ type: 'writeResolved', key, id: null, sentence: '', level: 'good', atMs: startMs })
  settled('other')
  await desk.rest()
  expect(desk.asked).toEqual([])
  settled('s1')
  await desk.rest()
  expect([desk.asked, desk.now()?.state]).toEqual([['look x-s1'], 'protected'])
})

test('a cancel that is settled tells at the next look that the order rests on, also where that look had no answer', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen, canceling)] })
  desk.world.look = async () => stop
  desk.begin()
  await desk.rest()
  expect([looks(desk), desk.kinds()]).toEqual([1, []])
  const settled = (key: string) =>
    desk.runner.observe({ type: 'writeResolved', key, id: null, sentence: '', level: 'good', atMs: startMs })
  settled('cancel x-other')
  await desk.rest()
  expect(looks(desk)).toBe(1)
  // That of an order tells nothing of a cancel.
  settled('s1')
  await desk.rest(1_000)
  expect([looks(desk), desk.kinds()]).toEqual([3, []])
  desk.world.look = async () => Promise.reject(away)
  settled('cancel x-s1')
  await desk.rest()
  expect([looks(desk), desk.kinds()]).toEqual([4, []])
  desk.world.look = async () => stop
  await desk.rest(1_000)
  expect(desk.lines[0]).toEqual({
    ...{ event: 'notCanceled', planId: 'p1', atMs: startMs + 2_000, clientOrderId: 's1' },
    reason: 'the cancel had no effect',
  })
  expect(desk.now()?.state).toBe('protected')
  // Of the next cancel of the same order that tells nothing: it may arrive yet.
  desk.world.cancel = async (orderId) => ({ kind: 'unknown', orderId, reason: 'reset', cause: 'noAnswer' })
  await desk.runner.cancel('p1', 'takeBack')
  await desk.rest(4_500)
  expect(desk.kinds().filter((kind) => kind === 'canceling').length).toBeGreaterThan(0)
  expect(desk.kinds().filter((kind) => kind === 'notCanceled')).toHaveLength(1)
  expect(desk.now()?.state).toBe('unsettled')
})

test('an order that is missed, and of which the exchange does not tell, leaves its plan unsettled', async () => {
  const desk = await protectedOne()
  await desk.rest(6_000)
  desk.world.look = () => Promise.reject(away)
  desk.runner.observe(listOf([], startMs + 6_000))
  await desk.rest()
  expect(desk.now()).toMatchObject({ state: 'unsettled', why: 'Checking its orders', refused: null })
  // What has ended is not looked for, in whatever list it is missing.
  desk.runner.observe({ type: 'orderEnded', order: stopReport({ status: 'CANCELED' }), atMs: startMs })
  await desk.rest()
  const before = looks(desk)
  desk.runner.observe(listOf([], startMs + 12_000))
  await desk.rest(3_000)
  expect([looks(desk) - before, desk.now()?.state]).toEqual([0, 'held'])
})

/** Time passes, and every two seconds a list of working orders comes. */
async function listing(desk: ReturnType<typeof aLoneRunner>, ms: number, change: object = {}) {
  for (let passedMs = 0; passedMs < ms; passedMs += 2_000) {
    await desk.rest(2_000)
    desk.runner.observe(listOf([], desk.clock.now(), change))
    await desk.rest()
  }
}
const someUnreadable = { unreadable: [{ reason: 'odd', atMs: null, fields: {} }] }

test.each([
  ['cannot be read', () => Promise.reject(odd)],
  ['fails', () => Promise.reject(away)],
  ['tells of another order', async () => stopReport({ clientOrderId: 'theirs' })],
])(
  'a stop that was placed, while its own report %s and lists come, is put before a person in the end',
  async (_, look) => {
    const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent)] })
    const write = await desk.journal.begin({ kind: 'order', clientOrderId: 's1', draft: stopDraft }, startMs)
    await write.end({ kind: 'accepted', id: 'x-s1', status: 'OPEN' }, startMs)
    desk.world.look = look
    desk.begin()
    await listing(desk, 28_000)
    expect(desk.now()).toMatchObject({ state: 'unsettled' })
    await listing(desk, 4_000)
    const why = 'how much of the stop s1 has filled is not known: the exchange does not report it readably'
    expect(desk.now()).toMatchObject({ state: 'held', why: `Held: ${why}. Resume or cancel it` })
    expect(desk.news.at(-1)).toMatchObject({ level: 'bad', text: expect.stringContaining('Not protected since') })
    expect(desk.asked.filter((text) => !text.startsWith('look'))).toEqual([])
    // What the exchange tells later still counts.
    desk.world.look = async () => stop
    await desk.rest(2_000)
    expect(desk.now()).toMatchObject({ state: 'protected' })
  },
)

test('a plan whose stop is told of nowhere can be ended by a person', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent)] })
  const write = await desk.journal.begin({ kind: 'order', clientOrderId: 's1', draft: stopDraft }, startMs)
  await write.end({ kind: 'accepted', id: 'x-s1', status: 'OPEN' }, startMs)
  desk.world.look = () => Promise.reject(odd)
  desk.begin()
  await desk.runner.cancel('p1', 'takeBack')
  await listing(desk, 40_000)
  expect(desk.now()).toMatchObject({ state: 'ended', why: expect.stringContaining('has filled is not known') })
})

test('a stop that took the place of another counts as what the journal has as placed, where a list alone tells of it', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, { ...stopSent, replaces: 't1' })] })
  const intent = { kind: 'move', orderId: 'x-t1', clientOrderId: 's1', draft: stopDraft } as const
  const write = await desk.journal.begin(intent, startMs)
  await write.step({ step: 'place', quantity: amount('0.04') }, startMs)
  await write.end({ kind: 'accepted', id: 'x-s1', status: 'OPEN' }, startMs)
  desk.world.look = () => Promise.reject(odd)
  desk.begin()
  await desk.rest()
  const rests = stopReport({ leavesQuantity: amount('0.04') })
  for (let round = 0; round < 3; round += 1) {
    desk.runner.observe(listOf([rests], desk.clock.now()))
    await desk.rest(2_000)
  }
  const [seen] = desk.lines
  expect(seen).toMatchObject({ event: 'seen', clientOrderId: 's1', standing: 'working', quantity: amount('0.04') })
})

test('an order whose fills nobody tells is asked for less and less often, and at once where its write is settled', async () => {
  const desk = await protectedOne()
  desk.world.look = () => Promise.reject(notFound)
  await desk.rest(6_000)
  desk.runner.observe(listOf([], desk.clock.now()))
  await desk.rest()
  expect(desk.now()).toMatchObject({ state: 'held' })
  const before = looks(desk)
  await desk.rest(10_000)
  expect(looks(desk) - before).toBeGreaterThan(3)
  await desk.rest(590_000)
  // A hundred such orders would take all calls that there are.
  expect(looks(desk) - before).toBeLessThan(30)
  desk.world.look = async () => stopReport(filled)
  const settled = { type: 'writeResolved', key: 's1', id: null, sentence: '', level: 'good' } as const
  desk.runner.observe({ ...settled, atMs: desk.clock.now() })
  await desk.rest()
  expect(desk.now()).toMatchObject({ state: 'ended', why: 'Fully exited: 0.1000' })
})

test('an exchange that is away tells nothing, however long: no person is asked for that', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent)] })
  const write = await desk.journal.begin({ kind: 'order', clientOrderId: 's1', draft: stopDraft }, startMs)
  await write.end({ kind: 'accepted', id: 'x-s1', status: 'OPEN' }, startMs)
  desk.world.look = () => Promise.reject(away)
  desk.begin()
  await desk.rest(120_000)
  expect(desk.now()).toMatchObject({ state: 'unsettled' })
  // A report now and then begins the wait anew.
  const canceled = await protectedOne(canceling, canceling)
  for (let round = 0; round < 3; round += 1) {
    canceled.world.look = () => Promise.reject(odd)
    await listing(canceled, 2_000, someUnreadable)
    canceled.world.look = async () => stop
    await listing(canceled, 14_000, someUnreadable)
  }
  expect(canceled.kinds()).not.toContain('seen')
})

test.each([
  ['no list has it', {}],
  ['a list has an entry that cannot be read', someUnreadable],
])('a cancel that is settled leaves no plan waiting for a report that cannot be read: %s', async (_, change) => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen, canceling)] })
  desk.world.look = () => Promise.reject(odd)
  desk.begin()
  await desk.rest()
  const settled = { type: 'writeResolved', key: 'cancel x-s1', id: null, sentence: '', level: 'good' } as const
  desk.runner.observe({ ...settled, atMs: startMs })
  await listing(desk, 40_000, change)
  expect(desk.now()).toMatchObject({ state: 'held', why: expect.stringContaining('has filled is not known') })
})

test('a cancel that was lost is over once lists long after it have the order, where its own report cannot be read', async () => {
  const desk = await protectedOne()
  const lists = async (ms: number, orders: readonly Order[]) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 2_000) {
      desk.runner.observe(listOf(orders, desk.clock.now()))
      await desk.rest(2_000)
    }
  }
  const canceled = async (orderId: string): Promise<CancelOutcome> => ({
    ...{ kind: 'canceled', orderId, order: stopReport({ status: 'CANCELED', cumQuantity: amount('0') }), isOwn: true },
  })
  desk.world.cancel = async (orderId) => ({ kind: 'unknown', orderId, reason: 'reset', cause: 'noAnswer' })
  desk.world.look = () => Promise.reject(odd)
  await desk.runner.cancel('p1', 'takeBack')
  // Each cancel that was lost may arrive yet, and a list of before says nothing of the last of them.
  await lists(44_000, [stop])
  expect([desk.now()?.state, desk.kinds().includes('notCanceled')]).toEqual(['unsettled', false])
  desk.world.cancel = canceled
  await lists(20_000, [stop])
  expect(desk.lines.filter(({ event }) => event === 'notCanceled')).toMatchObject([
    { clientOrderId: 's1', reason: 'the cancel had no effect' },
  ])
  expect(desk.now()).toMatchObject({ state: 'ended', plan: { ended: { how: 'canceled' } } })
})

test('a cancel that was lost is not over by lists that lack the order, or that nobody can read', async () => {
  for (const [orders, change] of [
    [[stop], { unlistedSince: new Map([['s1', startMs]]) }],
    [[stop], { unreadable: [{ reason: 'odd', atMs: startMs, fields: { exOrdId: 'x-s1' } }] }],
  ] as const) {
    const desk = await protectedOne(canceling, canceling, canceling, canceling)
    desk.world.look = () => Promise.reject(odd)
    // It was listed before the cancel, and right after it.
    desk.runner.observe(listOf([stop], desk.clock.now()))
    for (let round = 0; round < 40; round += 1) {
      await desk.rest(2_000)
      desk.runner.observe(listOf(orders, desk.clock.now(), change))
    }
    await desk.rest(2_000)
    expect(desk.kinds()).not.toContain('notCanceled')
    expect(desk.now()).toMatchObject({ state: 'held' })
  }
})

test('a cancel that was lost is not over by a list that a newer one contradicts while its own report is waited for', async () => {
  const unreadable = [{ reason: 'odd', atMs: startMs, fields: { exOrdId: 'x-s1' } }]
  for (const [orders, change] of [
    [[], {}],
    [[stop], { unreadable }],
  ] as const) {
    const desk = await protectedOne(canceling, canceling, canceling, canceling)
    desk.world.look = () => Promise.reject(odd)
    for (let passedMs = 0; passedMs < 36_000; passedMs += 2_000) {
      desk.runner.observe(listOf([stop], desk.clock.now()))
      await desk.rest(2_000)
    }
    // Its report takes its time: the lists go on meanwhile.
    let fail = (_error: Error) => {}
    desk.world.look = () =>
      new Promise((_, reject) => {
        fail = reject
      })
    await desk.rest(1_000)
    desk.runner.observe(listOf([stop], desk.clock.now()))
    await desk.rest(2_000)
    expect(desk.kinds()).not.toContain('notCanceled')
    desk.runner.observe(listOf(orders, desk.clock.now(), change))
    fail(odd)
    await desk.rest()
    expect(desk.kinds()).not.toContain('notCanceled')
  }
})

test('a stop whose entry in the list cannot be read protects while its own report says so, and not by what was seen last', async () => {
  const desk = await protectedOne()
  const unreadable = [{ reason: 'ordStatus "HELD" is unknown', atMs: startMs, fields: { exOrdId: 'x-s1' } }]
  // The desk goes on to show it as last seen.
  const lists = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 2_000) {
      desk.runner.observe(listOf([stop], desk.clock.now(), { unreadable }))
      await desk.rest(2_000)
    }
  }
  await lists(80_000)
  expect(desk.now()).toMatchObject({ state: 'protected' })
  expect(desk.news.length).toBeLessThan(10)
  desk.world.look = () => Promise.reject(odd)
  await lists(30_000)
  expect(desk.now()).toMatchObject({ state: 'unsettled' })
  await lists(32_000)
  expect(desk.now()).toMatchObject({ state: 'held', why: expect.stringContaining('does not report it readably') })
  expect(desk.news.at(-1)).toMatchObject({ level: 'bad', text: expect.stringContaining('Not protected since') })
  // A list that has it readably is enough.
  desk.runner.observe(listOf([stop], desk.clock.now()))
  await desk.rest(1_000)
  expect(desk.now()).toMatchObject({ state: 'protected' })
  expect(desk.asked.filter((text) => !text.startsWith('look'))).toEqual([])
})

test('what comes while a line is being written is decided upon right after it', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco)] })
  desk.world.disk = full
  desk.begin()
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  desk.runner.observe({ type: 'balances', balances: [], atMs: startMs })
  await settle()
  desk.world.disk = null
  await desk.rest()
  expect(desk.asked).toEqual(['submit STOP SELL 0.1'])
})

test('an end is told of once, whatever comes while it is being written', async () => {
  const desk = await protectedOne()
  desk.runner.observe({ type: 'orderEnded', order: stopReport(filled), atMs: startMs })
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  desk.runner.observe({ type: 'balances', balances: [], atMs: startMs })
  await desk.rest()
  expect(desk.news.map(({ text }) => text).filter((text) => text.includes('has ended'))).toEqual([
    'Plan p1 has ended: Fully exited: 0.1000.',
  ])
})

test('what is bare while a step has no answer is told of as perhaps bare; what is bare for another reason with that', async () => {
  const hanging = aLoneRunner({ plans: [planOf('p1', oco)] })
  hanging.world.submit = () => new Promise<never>(() => {})
  const stopped = aLoneRunner({ plans: [planOf('p1', oco)] })
  stopped.world.stops = ['halted']
  for (const desk of [hanging, stopped]) {
    desk.begin()
    await desk.rest(3_000)
  }
  const since = 'protected since 2026-11-20 12:00:00 UTC.'
  expect(hanging.news.map(({ text }) => text)).toEqual([
    `Plan p1: one of its steps has no answer yet. Perhaps not ${since}`,
  ])
  expect(stopped.news.map(({ text }) => text)).toEqual([
    `Plan p1: Not protected: the stop for 0.1000 cannot be placed: halted. Not ${since}`,
  ])
})

test('a fault of whoever is told of plans is handed on', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco)] })
  desk.world.stops = ['halted']
  desk.begin()
  await desk.rest()
  desk.world.fault = new TypeError('a fault')
  await desk.clock.advance(3_000)
  expect(desk.bugs).toEqual([new TypeError('a fault')])
})

test('an order that rests and is missing from a whole list that is late enough is looked for', async () => {
  const at = (ms: number) => startMs + ms
  const cases: readonly [FeedEvent, number][] = [
    [listOf([], at(5_001)), 1],
    [listOf([], at(5_000)), 0],
    [listOf([], at(5_001), { isWhole: true, unreadable: [] }), 1],
    [listOf([], at(5_001), { isWhole: false }), 0],
    [listOf([], at(5_001), someUnreadable), 0],
    [listOf([stop], at(5_001)), 0],
    [listOf([reportOf(stopDraft, 'other')], at(5_001)), 1],
  ]
  for (const [event, count] of cases) {
    const desk = await protectedOne()
    await desk.rest(6_000)
    const before = looks(desk)
    desk.runner.observe(event)
    await desk.rest()
    expect(looks(desk) - before).toBe(count)
  }
})

test('whether a list is late enough is told by the desk’s own clock, wherever the wall clock was set', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco)] })
  desk.clock.setWall(-3_600_000)
  desk.begin()
  await desk.rest()
  expect(desk.asked).toEqual(['submit STOP SELL 0.1'])
  await desk.rest(1_000)
  desk.runner.observe(listOf([], startMs + 1_000))
  await desk.rest()
  expect(looks(desk)).toBe(0)
  await desk.rest(5_000)
  desk.runner.observe(listOf([], startMs + 6_000))
  await desk.rest()
  expect(looks(desk)).toBe(1)
})

test('an order that is missing from a list is looked for also after the wall clock was set back', async () => {
  const desk = await protectedOne()
  await desk.rest(6_000)
  const before = looks(desk)
  desk.clock.setWall(-3_600_000)
  desk.runner.observe(listOf([], startMs + 6_000))
  await desk.rest()
  expect(looks(desk)).toBe(before + 1)
})

test('an order that is not missed any more is not looked for', async () => {
  const desk = await protectedOne()
  await desk.rest(6_000)
  const before = looks(desk)
  const hold = Promise.withResolvers<Order>()
  desk.world.look = () => hold.promise
  desk.runner.observe(listOf([], startMs + 6_000))
  await desk.rest()
  expect(looks(desk)).toBe(before + 1)
  desk.runner.observe(listOf([stop], startMs + 7_000))
  hold.resolve(stop)
  await desk.rest(3_000)
  expect([looks(desk), desk.now()?.state]).toEqual([before + 1, 'protected'])
})

test('an order that the exchange does not know holds its plan until it tells what has filled', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen)] })
  desk.world.look = () => Promise.reject(notFound)
  desk.begin()
  await desk.rest(3_000)
  expect(desk.lines[0]).toEqual({
    ...{ event: 'seen', planId: 'p1', atMs: startMs, clientOrderId: 's1', orderId: 'x-s1', standing: 'ended' },
    ...{ status: null, filled: null, quantity: null, reason: 'the exchange knows no order x-s1' },
  })
  expect(desk.now()).toMatchObject({
    state: 'held',
    why: expect.stringContaining('how much of the stop x-s1 has filled is not known: the exchange knows no order x-s1'),
  })
  // It is asked again, and each time that it says so again there is no line more.
  expect([new Set(desk.asked), looks(desk) > 1, desk.lines.length]).toEqual([new Set(['look x-s1']), true, 1])
  expect(await desk.runner.resume('p1')).toEqual({
    ok: false,
    error: expect.stringContaining('Plan p1 is not resumed: how much of the stop x-s1 has filled is not known'),
  })
  desk.world.look = () =>
    Promise.resolve({ ...stop, status: 'CANCELED', cumQuantity: amount('0.02'), leavesQuantity: amount('0.08') })
  await desk.rest(3_000)
  // What has filled is known now: nothing of it is sold again.
  expect(desk.lines.at(1)).toMatchObject({ event: 'seen', clientOrderId: 's1', filled: amount('0.02') })
  expect(desk.asked.at(-1)).toContain('STOP SELL 0.08')
})

test.each([
  [{ kind: 'rejected', reason: 'too small' }, 'REJECTED', 'too small'],
  [{ kind: 'notSent', reason: 'no connection' }, null, 'no connection'],
] as const)(
  'an order that is on the journal as %o is placed again after its pause',
  async (outcome, status, reason) => {
    const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent)] })
    const write = await desk.journal.begin({ kind: 'order', clientOrderId: 's1', draft: stopDraft }, startMs)
    await write.end(outcome, startMs)
    desk.begin()
    await desk.rest()
    expect(desk.lines[0]).toEqual({
      ...{ event: 'seen', planId: 'p1', atMs: startMs, clientOrderId: 's1', orderId: null, standing: 'notPlaced' },
      ...{ status, filled: null, quantity: null, reason },
    })
    expect([desk.asked, desk.now()?.refused]).toEqual([[], reason])
    await desk.rest(2_000)
    expect(desk.asked).toEqual(['submit STOP SELL 0.1'])
  },
)

test('what is told of an order while it is looked for is newer than what the look finds', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen)] })
  const look = Promise.withResolvers<Order>()
  desk.world.look = () => look.promise
  desk.begin()
  await desk.rest()
  desk.runner.observe({ type: 'orderEnded', order: stopReport(filled), atMs: desk.clock.now() })
  // The look was about an order that rested, and some services forget one as soon as it has filled.
  look.reject(notFound)
  await desk.rest()
  expect(desk.now()).toMatchObject({ state: 'ended', plan: { hold: null, ended: { how: 'done' } } })
  expect(desk.now()?.plan.orders).toMatchObject([{ standing: 'ended', status: 'FILLED', filled: amount('0.1') }])
})

test('a target whose market shows no price any more gives way to the stop, though books go on to come', async () => {
  const desk = await protectedOne()
  desk.price(65_950)
  for (let seconds = 0; seconds < 5; seconds += 1) await desk.rest(1_000)
  expect(desk.asked.at(-1)).toBe('move x-s1 LIMIT SELL 0.1')
  for (let seconds = 0; seconds < 12; seconds += 1) {
    await desk.rest(1_000)
    const book = aBook([['65949', '5']], [])
    desk.runner.observe({ type: 'book', symbol: 'BTC-USD', book, atMs: desk.clock.now() })
  }
  await desk.rest()
  expect(desk.asked.at(-1)).toMatch(/^move .* STOP SELL 0.1$/)
})

test('a target that rests as the desk starts gives way to the stop as well where its market has shown no price since', async () => {
  const draft = { ...stopSent.draft, type: 'LIMIT', limitPrice: amount('66000'), stopPrice: null } as const
  const target = [
    { ...stopSent, role: 'target', draft },
    { ...stopSeen, status: 'OPEN' },
  ]
  const desk = aLoneRunner({ plans: [planOf('p1', oco, ...target)] })
  desk.world.look = async () => reportOf(draft, 's1')
  desk.rules('BTC-USD')
  desk.runner.start()
  for (let seconds = 0; seconds < 9; seconds += 1) {
    const book = aBook([['65949', '5']], [])
    desk.runner.observe({ type: 'book', symbol: 'BTC-USD', book, atMs: desk.clock.now() })
    await desk.rest(1_000)
  }
  expect(desk.asked.filter((what) => what.startsWith('move'))).toEqual([])
  await desk.rest(1_000)
  expect(desk.asked.at(-1)).toBe('move x-s1 STOP SELL 0.1')
})

test('a fault of the program in one step is handed on, and the plan goes on at the next beat', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco)] })
  const { submit } = desk.world
  desk.world.submit = () => Promise.reject(new TypeError('a fault'))
  desk.begin()
  await desk.clock.advance(0)
  expect(desk.bugs).toEqual([new TypeError('a fault')])
  desk.world.submit = submit
  desk.bugs.length = 0
  // What the record says was being sent is looked for in the journal, which has nothing of it: it never left.
  await desk.rest(4_000)
  expect(desk.now()?.state).toBe('protected')
})

test('a step that the disk does not take is neither sent nor told of as done', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco)] })
  desk.world.disk = full
  desk.begin()
  await desk.rest()
  expect([desk.asked, desk.now()?.plan.orders]).toEqual([[], []])
  expect(desk.news.map(({ text }) => text)).toEqual(['Plan p1: no space left. No plan does anything until it can.'])
  desk.world.disk = null
  await desk.rest(1_000)
  expect(desk.asked).toEqual(['submit STOP SELL 0.1'])
  expect(desk.news.map(({ text }) => text)).toContain('Plan p1: Places the stop for 0.1000.')
})

test('a swap that never left is over at once: the stop is seen to rest, and the plan does not wait', async () => {
  const desk = await protectedOne()
  desk.world.move = async () => ({ kind: 'notSent', reason: 'no connection' })
  await desk.rest(6_000)
  desk.price(65_950)
  await desk.rest()
  expect(desk.kinds()).toEqual(['sending', 'seen', 'notCanceled'])
  expect(desk.now()?.plan.orders.map(({ standing }) => standing)).toEqual(['working', 'notPlaced'])
  expect(desk.now()?.state).toBe('protected')
})

test('plans look at themselves once a second while one is open, and not after; the next plan begins that again', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', scale)] })
  desk.world.stops = ['halted']
  desk.begin()
  await desk.rest()
  expect(desk.clock.sleeperCount).toBe(1)
  await desk.runner.add(oco)
  expect(desk.clock.sleeperCount).toBe(1)
  const before = desk.guarded.length
  await desk.rest(999)
  expect(desk.guarded).toHaveLength(before)
  await desk.rest(1)
  expect(desk.guarded.length).toBeGreaterThan(before)
  for (const planId of ['p1', 'p2']) await desk.runner.cancel(planId, 'takeBack')
  await desk.rest(1_000)
  expect([desk.clock.sleeperCount, desk.now('p2')?.state]).toEqual([0, 'ended'])
  await desk.runner.add(oco)
  await desk.rest()
  expect(desk.clock.sleeperCount).toBe(1)
  await desk.runner.stop()
  await desk.rest()
  expect(desk.clock.sleeperCount).toBe(0)
})

test('a stop that no list has, while its id tells of another order, protects nothing: its plan is held, and goes on if it is listed', async () => {
  const desk = await protectedOne()
  desk.world.look = async () => stopReport({ clientOrderId: 'theirs', type: 'LIMIT', status: 'OPEN' })
  // The desk goes on to show it as last seen.
  const tell = () =>
    desk.runner.observe(listOf([stop], desk.clock.now(), { unlistedSince: new Map([['s1', startMs]]) }))
  await desk.rest(6_000)
  tell()
  await desk.rest(4_000)
  expect(desk.now()).toMatchObject({ state: 'unsettled', why: 'Checking its orders' })
  tell()
  await desk.rest(2_000)
  const why =
    'how much of the stop x-s1 has filled is not known: the exchange lists it no more and does not tell of its end'
  expect(desk.now()).toMatchObject({ state: 'held', why: `Held: ${why}. Resume or cancel it` })
  expect(desk.news.at(-1)).toMatchObject({ level: 'bad', text: expect.stringContaining('Not protected since') })
  desk.runner.observe(listOf([stop], desk.clock.now()))
  await desk.rest(1_000)
  expect(desk.now()).toMatchObject({ state: 'protected' })
  expect(desk.asked.filter((text) => !text.startsWith('look'))).toEqual([])
})

const execution = (execId: string, quantity: string, change: Partial<Fill> = {}): Fill => ({
  ...{ orderId: 'x-s1', tradeId: execId, execId, symbol: 'BTC-USD', side: 'SELL', price: amount('63000') },
  ...{ quantity: amount(quantity), fee: amount('0'), timestampMs: startMs, ...change },
})
test('a stop that no list has is looked for as soon as it has filled, if its report told of less', async () => {
  const desk = await protectedOne()
  const list = async () => {
    desk.runner.observe(listOf([], desk.clock.now()))
    await desk.rest()
  }
  const fills = (...list: Fill[]) => desk.runner.observe({ type: 'fills', fills: list, atMs: desk.clock.now() })
  await desk.rest(6_000)
  await list()
  await desk.rest(2_000)
  const before = looks(desk)
  await list()
  fills(execution('9', '0.1', { orderId: 'x-other' }))
  await desk.rest()
  expect([looks(desk) - before, desk.now()?.state]).toEqual([0, 'protected'])
  desk.world.look = () => Promise.resolve(stopReport(filled))
  fills(execution('1', '0.1'))
  await desk.rest()
  expect(desk.now()).toMatchObject({ state: 'ended', why: 'Fully exited: 0.1000' })
})

test('a stop of which its report told as much as its executions is looked for no more often', async () => {
  const desk = await protectedOne()
  desk.world.look = () => Promise.resolve(stopReport({ cumQuantity: amount('0.04'), leavesQuantity: amount('0.06') }))
  await desk.rest(6_000)
  for (let seconds = 0; seconds < 30; seconds += 1) {
    desk.runner.observe(listOf([], desk.clock.now()))
    desk.runner.observe({ type: 'fills', fills: [execution('1', '0.04')], atMs: desk.clock.now() })
    await desk.rest(1_000)
  }
  expect(looks(desk)).toBeLessThan(10)
})

const canceledReport = (cumQuantity: string) =>
  stopReport({ status: 'CANCELED', cumQuantity: amount(cumQuantity), leavesQuantity: null })

test('a stop that was told of as canceled, and has filled all the same, is not sold once more', async () => {
  const desk = await protectedOne(canceling)
  desk.world.look = async () => canceledReport('0')
  desk.runner.observe({ type: 'orderEnded', order: canceledReport('0'), atMs: startMs })
  await desk.rest()
  expect(desk.asked.at(-1)).toBe('submit STOP SELL 0.1')
  // Neither one of another market, nor one beyond what it had, nor the same one twice says anything of it.
  const others = [
    execution('1', '0.1', { symbol: 'ETH-USD' }),
    execution('2', '0.2'),
    execution('3', '0.1', { side: 'BUY' }),
  ]
  desk.runner.observe({ type: 'fills', fills: others, atMs: startMs })
  await desk.rest(1_000)
  expect(desk.now()?.state).toBe('protected')
  for (let told = 0; told < 2; told += 1)
    desk.runner.observe({ type: 'fills', fills: [execution('4', '0.04')], atMs: startMs })
  await desk.rest(2_000)
  expect(desk.now()).toMatchObject({
    state: 'held',
    why: expect.stringContaining('reported as CANCELED with 0 of 0.1, while its executions come to 0.04'),
  })
  desk.world.look = async () => canceledReport('0.04')
  await desk.rest(2_000)
  // What it has sold is taken off what the other one is for.
  expect(desk.asked.filter((text) => !text.startsWith('look')).slice(1)).toEqual(['move x-n1 STOP SELL 0.06'])
})

test('an entry of whose end nobody tells is protected once its executions come to all of it, and not for a part', async () => {
  const draft = { ...stopDraft, side: 'BUY', type: 'LIMIT', limitPrice: amount('64000'), stopPrice: null } as const
  const sent = { ...stopSent, clientOrderId: 'e1', role: 'entry', draft }
  const seen = { ...stopSeen, clientOrderId: 'e1', orderId: 'x-e1', status: 'OPEN' }
  const desk = aLoneRunner({ plans: [planOf('p1', bracket, sent, seen)] })
  const entry = reportOf(draft, 'e1')
  desk.world.look = async () => entry
  desk.begin()
  await desk.rest()
  desk.world.look = () => Promise.reject(odd)
  await listing(desk, 16_000)
  expect(desk.now()).toMatchObject({
    state: 'held',
    why: expect.stringContaining('entry x-e1 has filled is not known'),
  })
  const fills = (...list: Fill[]) => desk.runner.observe({ type: 'fills', fills: list, atMs: desk.clock.now() })
  const ofEntry = { orderId: 'x-e1', side: 'BUY' } as const
  fills(execution('1', '0.04', ofEntry))
  await desk.rest(2_000)
  expect([desk.now()?.state, desk.asked.filter((text) => !text.startsWith('look'))]).toEqual(['held', []])
  fills(execution('2', '0.06', ofEntry), execution('1', '0.04', ofEntry))
  await desk.rest(2_000)
  expect(desk.now()).toMatchObject({ state: 'protected' })
  expect(desk.asked.filter((text) => !text.startsWith('look'))).toEqual(['submit STOP SELL 0.1'])
})

test('after a start the list of executions comes before an order for what may have been sold meanwhile', async () => {
  const ended = { ...stopSeen, standing: 'ended', status: 'CANCELED' }
  const begun = () => aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen, canceling, ended)] })
  const desk = begun()
  desk.begin()
  await desk.rest(1_000)
  expect([desk.now()?.state, desk.asked]).toEqual(['unsettled', []])
  desk.world.look = async () => canceledReport('0.04')
  desk.runner.observe({ type: 'fills', fills: [execution('1', '0.04')], atMs: startMs })
  await desk.rest(2_000)
  expect(desk.asked.filter((text) => !text.startsWith('look'))).toEqual(['submit STOP SELL 0.06'])
  // A list that does not come holds up no stop.
  const alone = begun()
  alone.begin()
  await alone.rest(3_500)
  alone.price(64_000)
  await alone.rest()

  expect(alone.asked).toEqual(['submit STOP SELL 0.1'])
})

test('what an order of a plan fills after the plan has ended is told of, once', async () => {
  const desk = await protectedOne()
  desk.runner.observe({ type: 'orderEnded', order: canceledReport('0'), atMs: startMs })
  await desk.rest()
  await desk.runner.cancel('p1', 'takeBack')
  await desk.rest()
  expect(desk.now()?.state).toBe('ended')
  for (const fills of [[execution('1', '0.03')], [execution('1', '0.03'), execution('2', '0.01')]])
    desk.runner.observe({ type: 'fills', fills, atMs: startMs })
  const late = desk.news.filter(({ text }) => text.includes('has filled'))
  expect(late).toMatchObject([
    {
      level: 'bad',
      text: 'Plan p1 has ended, and its stop x-s1 has filled 0.03 in all, 0 of it known by then: nothing takes care of the rest.',
    },
  ])
})

test('so is what one has filled of whose end nobody told when its plan was ended', async () => {
  const desk = await protectedOne()
  desk.world.look = () => Promise.reject(odd)
  await desk.runner.cancel('p1', 'takeBack')
  await listing(desk, 16_000)
  expect(desk.now()).toMatchObject({ state: 'ended', why: expect.stringContaining('has filled is not known') })
  for (const fills of [[], [execution('1', '0.03')], [execution('1', '0.03'), execution('2', '0.01')]])
    desk.runner.observe({ type: 'fills', fills, atMs: startMs })
  expect(desk.news.filter(({ text }) => text.includes('has filled 0'))).toMatchObject([
    {
      level: 'bad',
      text: 'Plan p1 has ended, and its stop x-s1 has filled 0.03 in all, nothing of it known by then: nothing takes care of the rest.',
    },
  ])
})

test('a list that is minutes behind brings no stop back that has ended by its own report: nothing would protect', async () => {
  const desk = await protectedOne(canceling)
  desk.world.look = async () => canceledReport('0')
  desk.runner.observe({ type: 'orderEnded', order: canceledReport('0'), atMs: startMs })
  await desk.rest()
  const next = reportOf(stopDraft, 'n1')
  const list = async () => {
    desk.runner.observe(listOf([stop, next], desk.clock.now()))
    await desk.rest(5_000)
  }
  for (let told = 0; told < 8; told += 1) await list()
  expect(desk.asked.filter((text) => !text.startsWith('look'))).toEqual(['submit STOP SELL 0.1'])
  expect(desk.now()).toMatchObject({
    state: 'protected',
    plan: { orders: [{ standing: 'ended' }, { orderId: 'x-n1' }] },
  })
  // It is asked for every 15 s, and counts as soon as its own report has it as working.
  expect(looks(desk)).toBe(3)
  desk.world.look = async () => stop
  for (let told = 0; told < 4; told += 1) await list()
  expect(desk.asked.filter((text) => !text.startsWith('look')).at(1)).toBe('cancel x-n1')
})

test('nor does one that a new desk finds in no list, while its id tells of another order', async () => {
  const desk = aLoneRunner({ plans: [planOf('p1', oco, stopSent, stopSeen)] })
  desk.world.look = async () => stopReport({ clientOrderId: 'theirs' })
  desk.begin()
  await desk.rest(6_000)
  const list = async (orders: readonly Order[], change: object = {}) => {
    desk.runner.observe(listOf(orders, desk.clock.now(), change))
    await desk.rest(3_000)
  }
  // A list that is not whole says nothing.
  for (let told = 0; told < 3; told += 1) await list([], { isWhole: false })
  await list([])
  expect(desk.now()?.state).toBe('unsettled')
  await list([])
  expect(desk.now()?.state).toBe('held')
  expect(desk.news.at(-1)).toMatchObject({ level: 'bad', text: expect.stringContaining('Not protected since') })
  desk.world.look = async () => stop
  await list([])
  expect(desk.now()?.state).toBe('protected')
})

test('what a list tells of an order that rests for long counts as it did at first', async () => {
  const desk = await protectedOne()
  const list = async (order: Order) => {
    desk.runner.observe(listOf([order], desk.clock.now()))
    await desk.rest(5_000)
  }
  for (let told = 0; told < 3; told += 1) await list(stop)
  await list(stopReport({ status: 'PART_FILLED', cumQuantity: amount('0.04'), leavesQuantity: amount('0.06') }))
  expect(desk.now()?.plan.orders[0]?.filled).toEqual(amount('0.04'))
})

test('a list of working orders that has an ended one as ended, or tells of it again, asks no more than the exchange answers', async () => {
  const desk = await protectedOne(canceling)
  desk.runner.observe({ type: 'orderEnded', order: canceledReport('0'), atMs: startMs })
  await desk.rest()
  const next = reportOf(stopDraft, 'n1')
  const before = looks(desk)
  const list = async (ended: Order) => {
    desk.runner.observe(listOf([ended, next], desk.clock.now()))
    await desk.rest(5_000)
  }
  for (let told = 0; told < 5; told += 1) await list(canceledReport('0'))
  expect(looks(desk)).toBe(before)
  // One that is listed as working, and of which its own report cannot be had, stays as it is known.
  desk.world.look = () => Promise.reject(away)
  for (let told = 0; told < 5; told += 1) await list(stop)
  expect(looks(desk)).toBe(before + 1)
  expect(desk.now()).toMatchObject({ state: 'protected', plan: { orders: [{ standing: 'ended' }, {}] } })
})

test('an order that ended a moment ago with less than its executions is asked for at once', async () => {
  const desk = await protectedOne(canceling)
  desk.runner.observe({ type: 'orderEnded', order: canceledReport('0'), atMs: startMs })
  await desk.rest()
  const before = looks(desk)
  desk.runner.observe({ type: 'fills', fills: [execution('1', '0.04')], atMs: startMs })
  await desk.rest()
  expect(looks(desk)).toBe(before + 1)
})

test('orders that have ended, a plan’s own and those of others, hold up no look at the one that protects', async () => {
  const ended = Array.from({ length: 25 }, (_, at) => [
    { ...stopSent, clientOrderId: `old${at}` },
    { ...stopSeen, clientOrderId: `old${at}`, orderId: `x-old${at}`, standing: 'ended', status: 'CANCELED' },
  ]).flat()
  const acknowledged = [...ended, { event: 'resumed' }]
  const desk = aLoneRunner({ plans: [planOf('p1', oco, ...acknowledged, stopSent, stopSeen)] })
  desk.world.look = async () => stop
  desk.begin()
  await desk.rest(3_100)
  expect([looks(desk), desk.now()?.state]).toEqual([1, 'protected'])
  const others = Array.from({ length: 100 }, (_, at) => reportOf(stopDraft, `their${at}`, { status: 'CANCELED' }))
  await desk.rest(6_000)
  for (let told = 0; told < 2; told += 1) desk.runner.observe(listOf(others, desk.clock.now()))
  await desk.rest()
  expect(looks(desk)).toBe(2)
})
