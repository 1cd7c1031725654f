import { expect, test } from 'vitest'
import { ExchangeError, type WriteOutcome } from '../../../src/api/errors.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { block } from '../../../src/domain/orders/checks/check.ts'
import type { SentOrder } from '../../../src/domain/orders/exposure.ts'
import { isWorking, type Order } from '../../../src/domain/orders/order.ts'
import { asKnown } from '../../../src/domain/orders/order-outcome.ts'
import { describeIntent, JournalError } from '../../../src/journal/entry.ts'
import type { OrderGuard } from '../../../src/services/orders/limit-guard.ts'
import { createOrderEntry } from '../../../src/services/orders/order-entry.ts'
import { withSentOrder } from '../../../src/store/writes/sent-orders.ts'
import type { NewOrder } from '../../../src/wire/order-requests.ts'
import { endlessLists } from '../../fakes/endless-lists.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

/** The exchange takes an order as it came. */
const answerTo = ({ clientOrderId, symbol, side, type, limitPrice, orderQuantity }: NewOrder): Order =>
  anOrder({ clientOrderId, symbol, side, type, limitPrice, leavesQuantity: orderQuantity })

/** Order entry over a venue that answers each write with `answer`, and all that was seen of it. */
function anEntry(
  answer: (order: NewOrder | null) => Promise<Order | undefined>,
  ended = anOrder({ status: 'CANCELED' }),
  guard: OrderGuard = () => [],
  listed: readonly Order[] = [],
) {
  const journal = createMemoryJournal()
  const clock = new FakeClock()
  const events: WriteEvent[] = []
  const calls: string[] = []
  const sent: NewOrder[] = []
  const written: (Order | null)[] = []
  let count = 0
  let unknownCount = 0
  const call = async (what: string, order: NewOrder | null) => {
    // The intent is on record before anything leaves.
    calls.push(`${what} after ${journal.entries.length} intents`)
    if (order !== null) sent.push(order)
    return await answer(order)
  }
  const entry = createOrderEntry(
    {
      placeOrder: async (order) => (await call('place', order)) ?? answerTo(order),
      cancelOrder: async () => void (await call('cancel', null)),
      cancelAllOrders: async () => void (await call('cancel all', null)),
      fetchOrder: () => Promise.resolve(ended),
      fetchOrders: ({ status }) =>
        Promise.resolve(
          readableListing(
            listed.filter((order) => (status === undefined ? isWorking(order) : order.status === status)),
          ),
        ),
      fetchOrderPage: () => Promise.resolve({ nextOrderId: '0', orders: [] }),
    },
    {
      clock,
      journal,
      newClientOrderId: () => `c${++count}`,
      scalesOf: (symbol) => (symbol === 'BTC-USD' ? { priceScale: 2, quantityScale: 4 } : undefined),
      emit: (event) => events.push(event),
      guard,
      working: () => [],
      onWritten: (order) => written.push(order),
      onUnknown: () => {
        unknownCount += 1
      },
    },
  )
  return { entry, journal, clock, events, calls, sent, written, unknownCount: () => unknownCount }
}

const failure =
  (outcome: WriteOutcome, more: { kind?: 'rateLimited'; status?: number } = {}) =>
  () =>
    Promise.reject(
      new ExchangeError({ kind: 'connectivity', method: 'POST', path: '/orders', reason: 'reset', outcome, ...more }),
    )

test('an accepted order: intent, one call, outcome, report', async () => {
  const order = anOrder({ clientOrderId: 'c1' })
  const { entry, journal, events, calls, written } = anEntry(() => Promise.resolve(order))
  await entry.submit(aDraft())
  expect(calls).toEqual(['place after 1 intents'])
  expect(journal.entries[0]?.outcome).toEqual({ kind: 'accepted', id: '9912041', status: 'OPEN' })
  expect(events.map((event) => event.type)).toEqual(['orderSent', 'orderOutcome'])
  expect(written).toEqual([order])
})

test('a refusal of the exchange carries its own words', async () => {
  const { entry, events } = anEntry(() =>
    Promise.resolve(anOrder({ orderId: null, clientOrderId: 'c1', status: 'REJECTED', text: 'Insufficient Balance' })),
  )
  await entry.submit(aDraft())
  expect(events[1]).toMatchObject({ outcome: { kind: 'rejected', reason: 'Insufficient Balance' } })
})

test.each([
  ['unknown', 'unknown', 'orderOutcome', 1],
  ['refused', 'rejected', 'orderOutcome', 0],
  ['notSent', 'notSent', 'orderNotSent', 0],
] as const)('a write that fails as %s is %s, and is sent once only', async (outcome, kind, type, looks) => {
  const { entry, journal, events, calls, unknownCount } = anEntry(failure(outcome))
  await expect(entry.submit(aDraft())).resolves.toMatchObject({ kind })
  expect(calls.length).toBe(1)
  expect(journal.entries[0]?.outcome).toMatchObject({ kind })
  expect(events[1]).toMatchObject({ type })
  expect(unknownCount()).toBe(looks)
})

test('cancels report what became of them', async () => {
  for (const [answer, kind] of [
    [() => Promise.resolve(undefined), 'canceled'],
    [failure('unknown'), 'unknown'],
    [failure('refused'), 'refused'],
  ] as const) {
    // A refused cancel of all leaves what is listed afterwards.
    const ended = anOrder({ status: kind === 'canceled' ? 'CANCELED' : 'OPEN' })
    const { entry, events } = anEntry(answer, ended, () => [], kind === 'refused' ? [anOrder()] : [])
    await entry.cancel('9')
    await entry.cancelAll('BTC-USD')
    expect(events).toMatchObject([
      { type: 'cancelSent' },
      { type: 'cancelOutcome', outcome: { kind } },
      { type: 'cancelAllSent' },
      { type: 'cancelAllOutcome', outcome: { kind } },
    ])
  }
})

test('a cancel of all that does not leave says which one that was, however long it took', async () => {
  const { entry, events, clock } = anEntry(async () => {
    await clock.advance(3_000)
    return await failure('notSent')()
  })
  const sentAtMs = clock.now()
  await entry.cancelAll('BTC-USD')
  expect(events).toMatchObject([
    { type: 'cancelAllSent', symbol: 'BTC-USD', atMs: sentAtMs },
    { type: 'cancelNotSent', all: { symbol: 'BTC-USD', sentAtMs }, atMs: sentAtMs + 3_000 },
  ])
})

test('of a cancel that is tried again only an answer is told: each try has its place in the journal', async () => {
  let answer: () => Promise<undefined> = failure('notSent')
  const { entry, events, journal } = anEntry(() => answer())
  for (const isAgain of [false, true, true]) await entry.cancel('9', { isAgain })
  answer = () => Promise.resolve(undefined)
  await entry.cancel('9', { isAgain: true })
  expect(events.map(({ type }) => type)).toEqual(['cancelSent', 'cancelNotSent', 'cancelOutcome'])
  expect(journal.entries.length).toBe(4)
})

test('of a cancel that is refused for too many calls again nothing is told, of another refusal it is', async () => {
  let answer = failure('refused', { kind: 'rateLimited', status: 429 })
  const { entry, events } = anEntry(() => answer(), anOrder({ status: 'OPEN' }))
  for (const isAgain of [false, true]) await entry.cancel('9', { isAgain })
  expect(events.map(({ type }) => type)).toEqual(['cancelSent', 'cancelOutcome'])
  answer = failure('refused', { status: 403 })
  await entry.cancel('9', { isAgain: true })
  expect(events.map(({ type }) => type)).toEqual(['cancelSent', 'cancelOutcome', 'cancelOutcome'])
})

test('a write whose intent cannot be recorded is not sent, and the reason is told', async () => {
  const { entry, calls, events, journal } = anEntry(() => Promise.resolve(undefined))
  journal.begin = () => Promise.reject(new JournalError('the disk is full'))
  await entry.submit(aDraft())
  expect(calls).toEqual([])
  expect(events).toMatchObject([{ type: 'orderNotSent', reason: 'the disk is full' }])
})

test('a cancel goes out also where the disk is full, and that it is not on record is told', async () => {
  const { entry, calls, events, journal } = anEntry(() => Promise.resolve(undefined))
  journal.begin = () => Promise.reject(new JournalError('the disk is full'))
  await entry.cancel('9')
  await entry.cancelAll(null)
  expect(calls).toEqual(['cancel after 0 intents', 'cancel all after 0 intents'])
  expect(events).toMatchObject([
    { type: 'journalTrouble', sentence: expect.stringContaining('the disk is full') },
    { type: 'cancelSent' },
    { type: 'cancelOutcome', outcome: { kind: 'canceled' } },
    { type: 'journalTrouble' },
    { type: 'cancelAllSent' },
    { type: 'cancelAllOutcome', outcome: { kind: 'canceled' } },
  ])
})

test('a like order is held back while the first is not settled, another one is not; a settled one lets it through', async () => {
  const { entry, journal, clock, calls, events } = anEntry(failure('unknown'))
  await entry.submit(aDraft())
  await clock.advance(12_000)
  await expect(entry.submit(aDraft({ timeInForce: 'GTD' }))).resolves.toMatchObject({ kind: 'notSent' })
  expect(events.at(-1)).toMatchObject({ type: 'orderNotSent' })
  expect(events.at(-1)).toHaveProperty('reason', expect.stringContaining('12 s ago'))
  expect(calls.length).toBe(1)
  await entry.submit(aDraft({ limitPrice: new Decimal('64209.60') }))
  expect(calls.length).toBe(2)
  const [first] = journal.entries
  await journal.settle(first?.id ?? '', { how: 'notPlaced', by: 'person', id: null, evidence: '' }, 0)
  await entry.submit(aDraft())
  expect(calls.length).toBe(3)
})

test('two like orders in the same instant: one is sent', async () => {
  const { entry, calls } = anEntry(() => Promise.resolve(undefined))
  const outcomes = await Promise.all([entry.submit(aDraft()), entry.submit(aDraft())])
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'notSent'])
  expect(calls.length).toBe(1)
})

test('a move cancels, learns what had filled, and places the rest: one entry with its steps', async () => {
  const ended = anOrder({ status: 'CANCELED', cumQuantity: new Decimal('0.02'), leavesQuantity: new Decimal('0.03') })
  const { entry, journal, events, calls, sent, written } = anEntry(() => Promise.resolve(undefined), ended)
  await entry.move({ orderId: '9912041', whole: aDraft({ limitPrice: new Decimal('64210.00') }) })
  expect(calls).toEqual(['cancel after 1 intents', 'place after 1 intents'])
  expect(events).toMatchObject([
    { type: 'cancelSent' },
    { type: 'cancelOutcome', isMove: true },
    { type: 'orderSent', draft: { orderQuantity: new Decimal('0.03') } },
    { type: 'orderOutcome', movedFrom: { orderId: '9912041', open: new Decimal('0.03'), stopPrice: null } },
  ])
  expect(events.at(-1)).not.toHaveProperty('movedFrom.isOneOfMany')
  expect(written).toMatchObject([{ clientOrderId: 'c1' }])
  expect(sent[0]?.orderQuantity.toString()).toBe('0.03')
  expect(journal.entries).toMatchObject([
    { intent: { kind: 'move' }, steps: [{ step: 'canceled' }, { step: 'place' }], outcome: { kind: 'accepted' } },
  ])
})

test('a move whose new order is held back right before it leaves says that the old one is gone', async () => {
  const ended = anOrder({ status: 'CANCELED', cumQuantity: new Decimal('0.02'), leavesQuantity: new Decimal('0.03') })
  const held = failure('notSent')
  const { entry, journal, events } = anEntry((order) => (order === null ? Promise.resolve(undefined) : held()), ended)
  const outcome = await entry.move({ orderId: '9912041', whole: aDraft() })
  const reason = expect.stringMatching(/^order 9912041 is canceled, and /)
  expect(outcome).toMatchObject({ kind: 'notSent', reason })
  expect(journal.entries[0]?.outcome).toMatchObject({ kind: 'notSent', reason })
  // No ticket waits for it.
  expect(events.at(-1)).toMatchObject({ type: 'orderNotSent', isMove: true, reason })
  expect(events.filter((event) => 'isMove' in event).map(({ type }) => type)).toEqual(['cancelOutcome', 'orderNotSent'])
})

test('a new order of a move that was reported as sent and did not leave is no order in flight any more', async () => {
  const ended = anOrder({ status: 'CANCELED', cumQuantity: new Decimal('0.02'), leavesQuantity: new Decimal('0.03') })
  const held = failure('notSent')
  const { entry, events } = anEntry((order) => (order === null ? Promise.resolve(undefined) : held()), ended)
  await entry.move({ orderId: '9912041', whole: aDraft() })
  const sent = events.reduce<readonly SentOrder[]>(withSentOrder, [])
  expect(sent.map(({ clientOrderId, stage }) => `${clientOrderId} ${stage}`)).toEqual(['c1 refused'])
})

test.each([
  ['unknown', 'unknown'],
  ['refused', 'refused'],
] as const)('a move whose cancel is %s sends nothing new', async (outcome, kind) => {
  const { entry, journal, sent } = anEntry(failure(outcome), anOrder())
  await expect(entry.move({ orderId: '9', whole: aDraft() })).resolves.toMatchObject({ kind })
  expect(sent).toEqual([])
  expect(journal.entries[0]).toMatchObject({ steps: [], outcome: { kind } })
})

test('a move of an order that filled meanwhile, or whose end cannot be learned, sends nothing new', async () => {
  const filled = anEntry(
    () => Promise.resolve(undefined),
    anOrder({ status: 'FILLED', cumQuantity: new Decimal('0.05') }),
  )
  await expect(filled.entry.move({ orderId: '9', whole: aDraft() })).resolves.toMatchObject({ kind: 'ended' })
  const working = anEntry(() => Promise.resolve(undefined), anOrder())
  const moving = working.entry.move({ orderId: '9', whole: aDraft() })
  for (let look = 0; look < 10; look += 1) await working.clock.advance(1_000)
  await expect(moving).resolves.toMatchObject({ kind: 'unknown' })
  expect([...filled.sent, ...working.sent]).toEqual([])
})

test('what the guard stops is written nowhere and sent nowhere, be it new or moved', async () => {
  const reason = 'order 64,210.00 USD is over the hard limit 25,000.00 USD'
  const { entry, journal, events, calls } = anEntry(
    () => Promise.resolve(undefined),
    anOrder(),
    () => [block('orderValue', reason)],
  )
  await expect(entry.submit(aDraft())).resolves.toEqual({ kind: 'notSent', reason })
  await expect(entry.move({ orderId: '9', whole: aDraft() })).resolves.toEqual({ kind: 'notSent', reason })
  expect([...journal.entries, ...calls]).toEqual([])
  expect(events.map((event) => event.type)).toEqual(['orderNotSent', 'orderNotSent'])
})

test('a desk that is halted while the cancel of a move is under way places nothing, and says that the old one is gone', async () => {
  const asked: unknown[] = []
  const { entry, journal, sent, events } = anEntry(
    () => Promise.resolve(undefined),
    anOrder({ status: 'CANCELED', leavesQuantity: new Decimal('0.03'), cumQuantity: new Decimal('0.02') }),
    (draft, movedAs) => {
      asked.push([draft.orderQuantity.toString(), movedAs])
      return movedAs?.kind === 'rest' ? [block('mode', 'the desk is HALTED')] : []
    },
  )
  const rest = aDraft({ orderQuantity: new Decimal('0.03') })
  const outcome = await entry.move({ orderId: '9912041', whole: aDraft(), rest })
  expect(outcome).toEqual({ kind: 'notSent', reason: 'order 9912041 is canceled, and the desk is HALTED' })
  expect(sent).toEqual([])
  expect(asked).toEqual([
    ['0.03', { kind: 'instead', orderId: '9912041' }],
    ['0.03', { kind: 'instead', orderId: '9912041' }],
    ['0.03', { kind: 'begun' }],
    ['0.03', { kind: 'rest' }],
  ])
  expect(journal.entries[0]).toMatchObject({ steps: [], outcome: { kind: 'notSent' } })
  expect(events.map((event) => event.type)).toEqual(['cancelSent', 'cancelOutcome', 'orderNotSent'])
})

test('a desk that is halted while an order waits for its turn, or for the disk, sends nothing', async () => {
  for (const wait of ['turn', 'disk'] as const) {
    let isHalted = false
    const guard: OrderGuard = () => (isHalted ? [block('mode', 'the desk is HALTED')] : [])
    const { entry, journal, sent, events } = anEntry(() => Promise.resolve(anOrder()), undefined, guard)
    const { alone, begin } = journal
    const halt = () => {
      isHalted = true
    }
    if (wait === 'turn')
      journal.alone = (run) => {
        halt()
        return alone(run)
      }
    else journal.begin = (intent, atMs) => begin(intent, atMs).finally(halt)
    expect(await entry.submit(aDraft())).toEqual({ kind: 'notSent', reason: 'the desk is HALTED' })
    expect(sent).toEqual([])
    expect(events.map(({ type }) => type)).toEqual(['orderNotSent'])
    expect(journal.entries.map(({ outcome }) => outcome?.kind)).toEqual(wait === 'turn' ? [] : ['notSent'])
  }
})

test('an order does not leave once the machine has slept between its checks and its leaving; one of a plan does', async () => {
  for (const of of ['user', 'plan'] as const) {
    const { entry, journal, sent, clock } = anEntry(() => Promise.resolve(undefined))
    const { begin } = journal
    journal.begin = async (intent, atMs) => {
      const begun = await begin(intent, atMs)
      await clock.advance(25_000)
      return begun
    }
    const outcome = await entry.submit(aDraft(), of === 'plan' ? { besides: [] } : {})
    if (of === 'plan') expect(outcome.kind).toBe('accepted')
    else {
      const reason = '25 s have passed since it was checked, and prices may have moved: review it again'
      expect(outcome).toEqual({ kind: 'notSent', reason })
    }
    expect(sent).toHaveLength(of === 'plan' ? 1 : 0)
    expect(journal.entries.map((each) => each.outcome?.kind)).toEqual([outcome.kind])
  }
})

test('what is looked at after the checks of an order, however long, makes them no younger', async () => {
  const { entry, journal, sent, clock } = anEntry(() => Promise.resolve(undefined))
  const lastLook = () => clock.advance(25_000).then(() => null)
  const reason = '25 s have passed since it was checked, and prices may have moved: review it again'
  expect(await entry.submit(aDraft(), { lastLook })).toEqual({ kind: 'notSent', reason })
  expect(sent).toEqual([])
  expect(journal.entries[0]?.outcome).toEqual({ kind: 'notSent', reason })
})

test.each([
  { asleep: 'the disk', ms: 25_000, of: 'user', ends: 'stays' },
  { asleep: 'the disk', ms: 25_000, of: 'plan', ends: 'moved' },
  { asleep: 'the cancel', ms: 60_000, of: 'user', ends: 'gone' },
  { asleep: 'the cancel', ms: 60_000, of: 'plan', ends: 'moved' },
  // As long as an exchange may take for it: without its order nothing protects what it was to protect.
  { asleep: 'the cancel', ms: 25_000, of: 'user', ends: 'moved' },
] as const)('a move of a $of that waits $ms ms for $asleep: $ends', async ({ asleep, ms, of, ends }) => {
  const ended = anOrder({ status: 'CANCELED', leavesQuantity: new Decimal('0.05'), cumQuantity: new Decimal('0') })
  const desk = anEntry(async (order) => {
    if (asleep === 'the cancel' && order === null) await desk.clock.advance(ms)
    return undefined
  }, ended)
  const { begin } = desk.journal
  if (asleep === 'the disk')
    desk.journal.begin = async (intent, atMs) => {
      const begun = await begin(intent, atMs)
      await desk.clock.advance(ms)
      return begun
    }
  const outcome = await desk.entry.move({ orderId: '9912041', whole: aDraft() }, of === 'plan' ? { besides: [] } : {})
  const late = `${ms / 1_000} s have passed since it was checked, and prices may have moved: review it again`
  const reason = ends === 'gone' ? `order 9912041 is canceled, and ${late}` : late
  if (ends === 'moved') expect(outcome.kind).toBe('accepted')
  else expect(outcome).toEqual({ kind: 'notSent', reason })
  const did = desk.calls.map((call) => call.split(' ')[0])
  expect(did).toEqual({ stays: [], gone: ['cancel'], moved: ['cancel', 'place'] }[ends])
  expect(desk.journal.entries[0]?.outcome?.kind).toBe(outcome.kind)
})

test('a desk that is halted while a move waits for its turn cancels nothing, and later places nothing', async () => {
  for (const at of ['turn', 'disk', 'step'] as const) {
    let isHalted = false
    const guard: OrderGuard = () => (isHalted ? [block('mode', 'the desk is HALTED')] : [])
    const ended = anOrder({ status: 'CANCELED', leavesQuantity: new Decimal('0.03'), cumQuantity: new Decimal('0.02') })
    const { entry, journal, calls } = anEntry(() => Promise.resolve(undefined), ended, guard)
    const { alone, begin } = journal
    const halt = () => {
      isHalted = true
    }
    if (at === 'turn')
      journal.alone = (run) => {
        halt()
        return alone(run)
      }
    else if (at === 'disk') journal.begin = (intent, atMs) => begin(intent, atMs).finally(halt)
    else
      journal.begin = async (intent, atMs) => {
        const write = await begin(intent, atMs)
        return { ...write, step: (...step) => write.step(...step).finally(halt) }
      }
    const rest = aDraft({ orderQuantity: new Decimal('0.03') })
    const outcome = await entry.move({ orderId: '9912041', whole: aDraft(), rest })
    const reason = at === 'step' ? 'order 9912041 is canceled, and the desk is HALTED' : 'the desk is HALTED'
    expect(outcome).toEqual({ kind: 'notSent', reason })
    expect(calls.filter((call) => call.startsWith('place'))).toEqual([])
    expect(calls.filter((call) => call.startsWith('cancel')).length).toBe(at === 'step' ? 1 : 0)
  }
})

test('a move whose steps the disk does not take says that the old order is gone', async () => {
  const ended = anOrder({ status: 'CANCELED', leavesQuantity: new Decimal('0.05'), cumQuantity: new Decimal('0') })
  const { entry, journal, calls } = anEntry(() => Promise.resolve(undefined), ended)
  const { begin } = journal
  journal.begin = async (intent, atMs) => {
    const write = await begin(intent, atMs)
    return { ...write, step: () => Promise.reject(new JournalError('the disk is gone')) }
  }
  const reason = 'order 9912041 is canceled, and the disk is gone'
  expect(await entry.move({ orderId: '9912041', whole: aDraft() })).toEqual({ kind: 'notSent', reason })
  expect(calls.filter((call) => call.startsWith('place'))).toEqual([])
  expect(journal.entries[0]?.outcome).toEqual({ kind: 'notSent', reason })
})

test('a like order that another desk of the account has open holds back an order and a move, and no cancel', async () => {
  const { entry, journal, calls, events } = anEntry(() => Promise.resolve(undefined))
  const intent = { kind: 'order', clientOrderId: 'theirs', draft: aDraft() } as const
  const theirs = { id: 'x', atMs: 0, intent, steps: [], outcome: null, settlement: null }
  journal.openElsewhere = () => Promise.resolve([theirs])
  await expect(entry.submit(aDraft())).resolves.toMatchObject({ kind: 'notSent' })
  await expect(entry.move({ orderId: '9', whole: aDraft() })).resolves.toMatchObject({ kind: 'notSent' })
  expect(events).toMatchObject([{ type: 'orderNotSent' }, { type: 'orderNotSent' }])
  expect(events[0]).toHaveProperty('reason', expect.stringContaining('another desk of this account'))
  await entry.cancel('9')
  expect(calls).toEqual(['cancel after 1 intents'])
})

test('the decimals of the symbol are written down with an order: a sentence about it later has them, and every digit without them', async () => {
  const { entry, journal } = anEntry(failure('unknown'))
  await entry.submit(aDraft())
  await entry.submit(aDraft({ symbol: 'NEW-USD', limitPrice: new Decimal('0.125') }))
  const [known, other] = journal.entries.map(({ intent }) => describeIntent(intent))
  expect(known).toBe('order BUY 0.0500 BTC-USD LIMIT @ 64,209.50 as c1')
  expect(other).toBe('order BUY 0.05 NEW-USD LIMIT @ 0.125 as c2')
  const again = await entry.submit(aDraft())
  expect(again).toMatchObject({ kind: 'notSent', reason: expect.stringContaining('BUY 0.0500 BTC-USD') })
})

test('an order goes out under the id that is given, unless a last look says why not: then nothing is begun', async () => {
  const { entry, journal, sent } = anEntry((order) =>
    Promise.resolve(anOrder({ clientOrderId: order?.clientOrderId ?? '' })),
  )
  const held = await entry.submit(aDraft(), { clientOrderId: 'mine', lastLook: () => Promise.resolve('mine was used') })
  expect(held).toEqual({ kind: 'notSent', reason: 'mine was used' })
  expect({ sent, entries: journal.entries }).toEqual({ sent: [], entries: [] })
  expect(await entry.submit(aDraft(), { clientOrderId: 'mine' })).toMatchObject({ kind: 'accepted' })
  expect(sent.map(({ clientOrderId }) => clientOrderId)).toEqual(['mine'])
})

test('an order and a move of a plan go out under the ids that its record has, and its own orders are no duplicates', async () => {
  const asked: unknown[] = []
  const { entry, sent, events } = anEntry(
    () => Promise.resolve(undefined),
    anOrder({ status: 'CANCELED', cumQuantity: new Decimal('0.02') }),
    (_, movedAs) => {
      asked.push(movedAs)
      return []
    },
  )
  const under = { clientOrderId: 'plan1', besides: ['plan0'] }
  await entry.submit(aDraft(), under)
  await entry.move({ orderId: '9912041', whole: aDraft() }, { ...under, clientOrderId: 'plan2' })
  expect(sent.map(({ clientOrderId }) => clientOrderId)).toEqual(['plan1', 'plan2'])
  const ofPlan = events.filter((event) => 'isOfPlan' in event).map(({ type }) => type)
  expect(ofPlan).toEqual(['orderSent', 'orderOutcome', 'orderSent', 'orderOutcome'])
  const placing = { kind: 'instead', orderId: null, besides: ['plan0'] }
  const moving = { kind: 'instead', orderId: '9912041', besides: ['plan0'] }
  const begun = { kind: 'begun' }
  expect(asked).toEqual([placing, placing, begun, moving, moving, begun, { kind: 'rest' }, begun])
})

test('looking for duplicates and beginning is one turn, that no other desk of the account comes between', async () => {
  const { entry, journal, calls } = anEntry(() => Promise.resolve(anOrder()))
  const seen: string[] = []
  const { alone } = journal
  journal.alone = async (run) => {
    seen.push('turn')
    const done = await alone(run)
    seen.push(`${journal.entries.length} begun`)
    return done
  }
  await entry.submit(aDraft(), {
    lastLook: async () => {
      seen.push('look')
      return await Promise.resolve(null)
    },
  })
  expect(seen).toEqual(['turn', 'look', '1 begun'])
  // A cancel waits for nobody.
  await entry.cancel('41')
  expect(seen).toHaveLength(3)
  expect(calls).toHaveLength(2)
})

test('no cancel waits for the terms that its report has to agree with', async () => {
  const { entry, calls, clock, events } = anEntry(() => Promise.resolve(undefined), anOrder({ status: 'CANCELED' }))
  const lookUpWas = async () => {
    calls.push('looked up')
    return await Promise.resolve({ ...asKnown(anOrder({})), symbol: 'ETH-USD' })
  }
  const canceled = entry.cancel('9', { lookUpWas })
  for (let look = 0; look < 10; look += 1) await clock.advance(1_000)
  await canceled
  expect(calls).toEqual(['cancel after 1 intents', 'looked up'])
  expect(events.at(-1)).toMatchObject({ outcome: { kind: 'unknown', reason: expect.stringContaining('another one') } })
})

const moveOf = (orderId: string) => ({ orderId, whole: aDraft(), rest: aDraft() })

test('several moves go one after the other, each told as one of several, and those before are no duplicates', async () => {
  const asked: unknown[] = []
  const guard: OrderGuard = (_, movedAs) => {
    asked.push(movedAs)
    return []
  }
  const { entry, events } = anEntry(() => Promise.resolve(undefined), anOrder({ status: 'CANCELED' }), guard)
  await expect(entry.moveAll([moveOf('7'), moveOf('8')])).resolves.toEqual({ moved: 2, gone: [], stop: null })
  const first = { kind: 'instead', orderId: '7', besides: [] }
  const second = { kind: 'instead', orderId: '8', besides: ['c1'] }
  // Each is asked about when it is made and again at its turn.
  expect(asked.filter((each) => JSON.stringify(each).includes('instead'))).toEqual([first, first, second, second])
  const outcomes = events.filter((event) => event.type === 'orderOutcome')
  expect(outcomes.map(({ movedFrom }) => movedFrom?.isOneOfMany)).toEqual([true, true])
})

test('several moves stop at the first without a sure outcome, and say which stay where they are', async () => {
  let placed = 0
  const { entry, sent } = anEntry((order) => {
    if (order === null) return Promise.resolve(undefined)
    placed += 1
    return placed === 2 ? failure('unknown')() : Promise.resolve(undefined)
  })
  const ended = await entry.moveAll([moveOf('7'), moveOf('8'), moveOf('9')])
  expect(ended).toEqual({
    moved: 1,
    gone: [],
    stop: { orderId: '8', reason: 'outcome unknown, checking', left: ['9'] },
  })
  expect(sent).toHaveLength(2)
})

test.each([
  ['canceled, the new one rejected: the exchange does not accept', 'place', anOrder({ status: 'CANCELED' })],
  ['stays, cancel refused: the exchange does not accept', 'cancel', anOrder()],
  ['not sent: order 7 was canceled elsewhere', 'cancel', anOrder({ status: 'CANCELED' })],
] as const)('several moves stop where one is %s', async (reason, at, ended) => {
  const words = { kind: 'rejected', method: 'POST', path: '/orders', reason: 'no', words: 'no', status: 400 } as const
  const { entry } = anEntry(
    (order) =>
      (order === null) === (at === 'cancel')
        ? Promise.reject(new ExchangeError({ ...words, outcome: 'refused' }))
        : Promise.resolve(undefined),
    ended,
  )
  const stop = { orderId: '7', reason: expect.stringContaining(reason), left: ['8'] }
  expect(await entry.moveAll([moveOf('7'), moveOf('8')])).toEqual({ moved: 0, gone: [], stop })
})

test('a cancel by hand takes back a single move as well, and no move of a plan', async () => {
  for (const [cancel, of] of [
    ['7', 'hand'],
    ['BTC-USD', 'hand'],
    ['ETH-USD', 'none'],
    ['BTC-USD', 'plan'],
  ] as const) {
    let isAsked = false
    const { entry } = anEntry(
      async () => {
        if (isAsked) return undefined
        isAsked = true
        await (cancel === '7' ? entry.cancel(cancel) : entry.cancelAll(cancel))
        return undefined
      },
      anOrder({ status: 'CANCELED' }),
    )
    const outcome = await entry.move(moveOf('7'), of === 'plan' ? { besides: [] } : {})
    expect(outcome.kind).toBe(of === 'hand' ? 'notSent' : 'accepted')
  }
})

test('a cancel that is asked for while an order is moved is about what takes its place too: nothing is placed behind it', async () => {
  const takesBack = {
    all: ['a cancel of all orders of every symbol was asked for', ['8', '9']],
    symbol: ['a cancel of all orders of BTC-USD was asked for', ['8', '9']],
    one: ['a cancel of order 7 was asked for', ['8', '9']],
  } as const
  for (const [how, [why, left]] of Object.entries(takesBack)) {
    let isAsked = false
    const { entry, sent } = anEntry(
      async () => {
        if (isAsked) return undefined
        isAsked = true
        await (how === 'one' ? entry.cancel('7') : entry.cancelAll(how === 'all' ? null : 'BTC-USD'))
        return undefined
      },
      anOrder({ status: 'CANCELED' }),
    )
    const stop = { orderId: '7', reason: `not sent: order 7 is canceled, and ${why}`, left }
    await expect(entry.moveAll([moveOf('7'), moveOf('8'), moveOf('9')])).resolves.toEqual({ moved: 0, gone: [], stop })
    expect(sent).toEqual([])
  }
})

test('behind a cancel of all none of several is moved any more; one of another symbol or order stops none', async () => {
  const moved = async (cancel: (entry: ReturnType<typeof anEntry>['entry']) => Promise<unknown>) => {
    let count = 0
    const { entry } = anEntry(
      async (order) => {
        count += order === null ? 0 : 1
        if (order !== null && count === 1) await cancel(entry)
        return undefined
      },
      anOrder({ status: 'CANCELED' }),
    )
    return await entry.moveAll([moveOf('7'), moveOf('8')])
  }
  const reason = 'not sent: a cancel of all orders of every symbol was asked for'
  expect(await moved((entry) => entry.cancelAll(null))).toEqual({
    moved: 1,
    gone: [],
    stop: { orderId: '8', reason, left: [] },
  })
  expect(await moved((entry) => entry.cancelAll('BTC-USD'))).toMatchObject({ moved: 1 })
  expect(await moved((entry) => entry.cancelAll('ETH-USD'))).toMatchObject({ moved: 2, stop: null })
  expect(await moved((entry) => entry.cancel('12'))).toMatchObject({ moved: 2, stop: null })
  // A later move is not kept from one before it.
  const later = anEntry(() => Promise.resolve(undefined), anOrder({ status: 'CANCELED' }))
  await later.entry.cancelAll(null)
  expect(await later.entry.move(moveOf('7'))).toMatchObject({ kind: 'accepted' })
})

test('one of several that had filled before its turn has nothing to move, and the others go on', async () => {
  const filled = anEntry(failure('refused'), anOrder({ status: 'FILLED', cumQuantity: new Decimal('0.05') }))
  await expect(filled.entry.moveAll([moveOf('7'), moveOf('8')])).resolves.toEqual({
    moved: 0,
    gone: ['7', '8'],
    stop: null,
  })
})

test('an order like one that was answered as rejected waits half a minute for lists without an end, or until it is called off', async () => {
  for (const isCalledOff of [false, true]) {
    const clock = new FakeClock()
    const { stop, sent } = { stop: new AbortController(), sent: [] as NewOrder[] }
    const unused = () => Promise.reject(new Error('not asked for here'))
    const entry = createOrderEntry(
      {
        placeOrder: async (order) => {
          sent.push(order)
          return answerTo(order)
        },
        ...{ cancelOrder: unused, cancelAllOrders: unused, fetchOrder: unused, ...endlessLists(clock) },
      },
      {
        ...{ clock, journal: createMemoryJournal(), newClientOrderId: () => 'c1', emit: () => undefined },
        ...{ guard: () => [], onWritten: () => undefined, onUnknown: () => undefined },
        ...{ refusedBefore: () => [{ clientOrderId: 'before', atMs: 0 }], looksSignal: stop.signal },
      },
    )
    const outcomes: unknown[] = []
    void entry.submit(aDraft()).then((outcome) => outcomes.push(outcome))
    await clock.advance(29_999)
    expect(outcomes).toEqual([])
    if (isCalledOff) stop.abort()
    else await clock.advance(1)
    for (let turn = 0; turn < 5; turn += 1) await clock.advance(0)
    const why = isCalledOff ? 'the call was canceled' : 'the lists of orders were not read to their end within 30 s'
    expect(outcomes).toEqual([
      {
        kind: 'notSent',
        reason: `whether the same order, answered as rejected before, is there cannot be seen: ${why}`,
      },
    ])
    expect(sent).toEqual([])
  }
})

test('an order that waited long for its turn leaves, for it was checked again then', async () => {
  const { entry, journal, sent, clock } = anEntry(() => Promise.resolve(undefined))
  const { alone } = journal
  journal.alone = async (run) => {
    await clock.advance(25_000)
    return await alone(run)
  }
  expect(await entry.submit(aDraft())).toMatchObject({ kind: 'accepted' })
  expect(sent).toHaveLength(1)
})
