import { expect, test } from 'vitest'
import { ExchangeError, type WriteOutcome } from '../../../src/api/errors.ts'
import { err } from '../../../src/base/result.ts'
import { hourMs } from '../../../src/base/text/time-text.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { readableListing } from '../../../src/domain/listing.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { block } from '../../../src/domain/orders/checks/check.ts'
import type { DraftedOrder } from '../../../src/domain/orders/drafted-order.ts'
import type { WriteJournal } from '../../../src/journal/entry.ts'
import { createOrderEntry } from '../../../src/services/orders/order-entry.ts'
import { createOrderQueue, keepOrder, type OrderDraftsKeeper } from '../../../src/services/orders/order-queue.ts'
import type { NewOrder } from '../../../src/wire/order-requests.ts'
import { anOrderDraft } from '../../fakes/drafts.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { createMemoryDrafts } from '../../fakes/memory-drafts.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'

type Answer = 'taken' | 'unknown' | 'refused' | 'notSent' | 'never' | 'lost'

/** Drafts over one file, one journal and one exchange, which any number of desks may open. */
function aMachine() {
  const clock = new FakeClock(1_000)
  const drafts = createMemoryDrafts<DraftedOrder>()
  const journal = createMemoryJournal()
  const sent: NewOrder[] = []
  const events: WriteEvent[] = []
  const world = { answer: 'taken' as Answer, stop: null as string | null, looks: 0, hangUp: () => {} }
  const failed = (outcome: WriteOutcome) =>
    new ExchangeError({ kind: 'connectivity', method: 'POST', path: '/orders', reason: 'reset', outcome })
  const place = (order: NewOrder) => {
    sent.push(order)
    const { answer } = world
    if (answer === 'never') return new Promise<never>(() => {})
    if (answer === 'lost')
      return new Promise<never>((_, reject) => {
        world.hangUp = () => reject(failed('unknown'))
      })
    const { clientOrderId, symbol, side, type, limitPrice, orderQuantity } = order
    if (answer === 'taken')
      return Promise.resolve(
        anOrder({ orderId: '7', clientOrderId, symbol, side, type, limitPrice, leavesQuantity: orderQuantity }),
      )
    return Promise.reject(failed(answer))
  }
  let told: readonly DraftedOrder[] = []
  let count = 0
  const newDraftId = () => `new${++count}`
  const open = (over: WriteJournal = journal, orderDrafts: OrderDraftsKeeper = drafts) => {
    const context = {
      ...{ clock, journal: over, emit: (event: WriteEvent) => events.push(event) },
      onUnknown: () => {
        world.looks += 1
      },
      ...{ newClientOrderId: () => 'other', onWritten: () => {} },
      guard: () => (world.stop === null ? [] : [block('funds', world.stop)]),
    }
    const orders = createOrderEntry(
      {
        placeOrder: place,
        cancelOrder: () => Promise.reject(new Error('nothing is canceled here')),
        cancelAllOrders: () => Promise.reject(new Error('nothing is canceled here')),
        fetchOrder: () => Promise.reject(new Error('nothing is looked up here')),
        fetchOrders: () => Promise.resolve(readableListing([])),
        fetchOrderPage: () => Promise.resolve({ nextOrderId: '0', orders: [] }),
      },
      context,
    )
    return createOrderQueue(orders, {
      ...context,
      ...{ orderDrafts, newDraftId },
      onOrderDrafts: (now) => {
        told = now
      },
    })
  }
  const keep = async (draft = anOrderDraft({ createdAtMs: clock.wallMs() })) => {
    await drafts.update((before) => ({ ok: true, value: [draft, ...before] }))
    return draft
  }
  const stateOf = (draftId = 'abc234') => drafts.drafts.find((draft) => draft.draftId === draftId)?.state
  return { clock, drafts, journal, sent, events, world, open, keep, stateOf, told: () => told }
}

test('a draft is kept and told of, and goes out once under the id that is in its own', async () => {
  const { open, sent, journal, told, events } = aMachine()
  const queue = open()
  const kept = await queue.keep({ order: aDraft(), by: 'script', reason: null, lifeMs: hourMs })
  expect(kept).toMatchObject({ ok: true, value: { draftId: 'new1', state: { kind: 'draft' } } })
  expect(told()).toMatchObject([{ draftId: 'new1' }])
  expect(sent).toEqual([])
  expect(await queue.send('new1', aDraft())).toMatchObject({ kind: 'accepted' })
  expect(told()).toMatchObject([{ state: { kind: 'sent', orderId: '7' } }])
  for (const each of [queue, open()])
    expect(await each.send('new1', aDraft())).toEqual({
      ...{ kind: 'notSent', reason: 'the draft cannot be sent: it was sent as 7' },
    })
  // Whoever tells of it must not add that nothing was placed.
  expect(events.at(-1)).toMatchObject({ type: 'orderNotSent', isThere: true })
  expect(sent.map(({ clientOrderId }) => clientOrderId)).toEqual(['draftnew1'])
  expect(journal.entries).toHaveLength(1)
})

test.each([
  ['unknown', { kind: 'unknown', journalKey: 'draftabc234' }],
  ['refused', { kind: 'refused' }],
] as const)('after an answer of %s it is not sent again', async (answer, state) => {
  const { open, keep, sent, world, stateOf } = aMachine()
  const { order } = await keep()
  world.answer = answer
  await open().send('abc234', order)
  expect(stateOf()).toMatchObject(state)
  world.answer = 'taken'
  expect(await open().send('abc234', order)).toMatchObject({ kind: 'notSent' })
  expect(sent).toHaveLength(1)
})

test('a draft that says it lives for ever is not sent after a day', async () => {
  const { clock, open, keep, sent } = aMachine()
  const { order } = await keep(anOrderDraft({ createdAtMs: clock.wallMs(), lifeMs: Number.MAX_SAFE_INTEGER }))
  await clock.advance(24 * hourMs)
  expect(await open().send('abc234', order)).toMatchObject({
    ...{ kind: 'notSent', reason: expect.stringContaining('it expired') },
  })
  expect(sent).toEqual([])
})

test('one that certainly never left is a draft as before, for this desk and the next one', async () => {
  const { open, keep, sent, world, stateOf } = aMachine()
  const { order } = await keep()
  world.answer = 'notSent'
  expect(await open().send('abc234', order)).toMatchObject({ kind: 'notSent' })
  expect(stateOf()).toEqual({ kind: 'draft' })
  await open().takeUp()
  expect(stateOf()).toEqual({ kind: 'draft' })
  world.answer = 'taken'
  expect(await open().send('abc234', order)).toMatchObject({ kind: 'accepted' })
  expect(sent).toHaveLength(2)
})

test('what a check stops stays a draft, nothing is on record, and the ticket that waits is told', async () => {
  const { open, keep, sent, world, journal, events, stateOf } = aMachine()
  const { order } = await keep()
  world.stop = 'not enough'
  expect(await open().send('abc234', order)).toEqual({ kind: 'notSent', reason: 'not enough' })
  expect([stateOf(), sent.length, journal.entries.length]).toEqual([{ kind: 'draft' }, 0, 0])
  expect(events).toMatchObject([{ type: 'orderNotSent', reason: 'not enough' }])
})

test('another order than the one that was reviewed does not go', async () => {
  const { open, keep, sent, stateOf } = aMachine()
  const { order } = await keep()
  for (const other of [
    { ...order, orderQuantity: order.orderQuantity.plus('0.0001') },
    { ...order, limitPrice: new Decimal(1) },
    { ...order, postOnly: !order.postOnly },
  ])
    expect(await open().send('abc234', other)).toMatchObject({
      ...{ kind: 'notSent', reason: expect.stringContaining('not what was reviewed') },
    })
  expect([sent.length, stateOf()]).toEqual([0, { kind: 'draft' }])
})

test('a desk that died while its order was out leaves it unknown: no later desk sends it, and what is found settles it', async () => {
  const { open, keep, sent, world, journal, stateOf } = aMachine()
  const { order } = await keep()
  world.answer = 'never'
  void open().send('abc234', order)
  await eventually(() => expect(sent).toHaveLength(1))
  world.answer = 'taken'
  const later = open()
  await later.takeUp()
  expect(stateOf()).toEqual({ kind: 'unknown', atMs: 1_000, journalKey: 'draftabc234' })
  expect(await later.send('abc234', order)).toMatchObject({ kind: 'notSent' })
  expect(sent).toHaveLength(1)
  const [entry] = journal.entries
  await journal.settle(entry?.id ?? '', { how: 'placed', by: 'exchange', id: '7', evidence: 'listed' }, 2_000)
  await later.refresh()
  expect(stateOf()).toEqual({ kind: 'sent', orderId: '7', atMs: 1_000 })
})

test('a desk that died before its entry was on record leaves a draft; one whose record is lost leaves a question', async () => {
  const { open, keep, journal, events, stateOf, world } = aMachine()
  await keep(anOrderDraft({ state: { kind: 'sending', atMs: 900, isBegun: false } }))
  await open().takeUp()
  expect(stateOf()).toEqual({ kind: 'draft' })
  expect(journal.entries).toEqual([])
  await keep(anOrderDraft({ draftId: 'lost', state: { kind: 'sending', atMs: 900, isBegun: true } }))
  await open().takeUp()
  expect(stateOf('lost')).toEqual({ kind: 'unknown', atMs: 900, journalKey: 'draftlost' })
  expect(journal.entries).toMatchObject([{ intent: { clientOrderId: 'draftlost' }, outcome: { kind: 'unknown' } }])
  expect(events).toMatchObject([{ type: 'writeUnknown', write: { key: 'draftlost' } }])
  expect(world.looks).toBe(1)
})

test('of two desks that send at once, one does, whatever the file says to the other', async () => {
  const { open, keep, sent, drafts } = aMachine()
  const draft = await keep()
  await Promise.all([open().send('abc234', draft.order), open().send('abc234', draft.order)])
  expect(sent).toHaveLength(1)
  // A file from before it was sent, put back by hand: the journal knows better.
  await drafts.update(() => ({ ok: true, value: [draft] }))
  expect(await open().send('abc234', draft.order)).toMatchObject({ kind: 'notSent' })
  expect(sent).toHaveLength(1)
})

test('where part of the journal cannot be read, nothing says that it was not sent: it is not', async () => {
  const { open, keep, sent, journal } = aMachine()
  const { order } = await keep()
  const gap = 'a file is damaged'
  const torn: WriteJournal = { ...journal, find: async (key) => ({ ...(await journal.find(key)), gap }) }
  expect(await open(torn).send('abc234', order)).toMatchObject({
    ...{ kind: 'notSent', reason: expect.stringContaining(gap) },
  })
  expect(sent).toEqual([])
})

test('a life ends by the clock that nobody sets too, and an expired draft is noted as such', async () => {
  const { open, keep, sent, clock, stateOf } = aMachine()
  const { order } = await keep()
  const queue = open()
  await queue.look()
  await clock.advance(30 * 60_000)
  clock.setWall(-30 * 60_000)
  await queue.look()
  expect(stateOf()).toEqual({ kind: 'draft' })
  await clock.advance(30 * 60_000)
  expect(await queue.send('abc234', order)).toMatchObject({
    ...{ kind: 'notSent', reason: expect.stringContaining('it expired') },
  })
  expect(stateOf()).toMatchObject({ kind: 'dropped', how: 'expired' })
  expect(sent).toEqual([])
  expect(await queue.drop('abc234')).toMatchObject({ ok: false })
})

test('a full list takes no more, and what expired makes room', async () => {
  const { drafts, clock } = aMachine()
  const context = () => ({ newDraftId: () => `n${drafts.drafts.length}`, nowMs: clock.wallMs() })
  const content = { order: aDraft(), by: 'mcp a', reason: null, lifeMs: hourMs }
  for (let made = 0; made < 200; made += 1) expect((await keepOrder(drafts, content, context())).ok).toBe(true)
  expect(await keepOrder(drafts, content, context())).toEqual({
    ok: false,
    error: expect.stringContaining('200 drafts'),
  })
  await clock.advance(hourMs)
  expect((await keepOrder(drafts, content, context())).ok).toBe(true)
})

test('a disk that is full when a draft is to be marked stops it; one that fills up later never has it sent twice', async () => {
  const { open, keep, drafts, journal, sent, stateOf, events } = aMachine()
  const { order } = await keep()
  let left = 0
  const full: OrderDraftsKeeper = {
    ...drafts,
    update: (change) => (left-- > 0 ? drafts.update(change) : Promise.resolve(err('no space left on the disk'))),
  }
  const queue = open(journal, full)
  expect(await queue.keep({ order: aDraft(), by: 'script', reason: null, lifeMs: hourMs })).toMatchObject({ ok: false })
  expect(await queue.send('abc234', order)).toEqual({ kind: 'notSent', reason: 'no space left on the disk' })
  expect([sent.length, journal.entries.length, stateOf()]).toEqual([0, 0, { kind: 'draft' }])
  // Room for the marks that it is being sent and begun, and none for what became of it.
  left = 2
  expect(await queue.send('abc234', order)).toMatchObject({ kind: 'accepted' })
  expect(events).toContainEqual(expect.objectContaining({ type: 'journalTrouble' }))
  expect(stateOf()).toMatchObject({ kind: 'sending' })
  expect(await open().send('abc234', order)).toMatchObject({ kind: 'notSent' })
  expect([sent.length, stateOf()]).toEqual([1, { kind: 'sent', orderId: '7', atMs: 1_000 }])
})

test('an order whose fields do not go together is not kept: it would cost all drafts when they are read', async () => {
  const { open, drafts } = aMachine()
  const order = aDraft({ timeInForce: 'IOC', postOnly: true })
  expect(await open().keep({ order, by: 'script', reason: null, lifeMs: hourMs })).toEqual(
    err('post-only needs LIMIT with GTC or GTD'),
  )
  expect(drafts.drafts).toEqual([])
})

test('a draft that is discarded says so, and does not go; one that is not there is named', async () => {
  const { open, keep, sent, stateOf, events } = aMachine()
  const { order } = await keep()
  const queue = open()
  expect(await queue.drop('abc234')).toMatchObject({ ok: true, value: { state: { kind: 'dropped' } } })
  expect(stateOf()).toEqual({ kind: 'dropped', atMs: 1_000 })
  const reason = 'the draft cannot be sent: it was discarded: make a new one'
  expect(await queue.send('abc234', order)).toEqual({ kind: 'notSent', reason })
  expect(events).toEqual([{ type: 'orderNotSent', draft: order, reason, atMs: 1_000 }])
  expect(await queue.drop('abc234')).toEqual(err('the draft cannot be discarded: it was discarded: make a new one'))
  expect(await queue.drop('gone')).toEqual(err('no draft gone is kept here'))
  expect(await queue.send('gone', order)).toEqual({ kind: 'notSent', reason: 'no draft gone is kept here' })
  expect(sent).toEqual([])
})

test('what a person is asked right before it leaves can hold it back', async () => {
  const { open, keep, sent, stateOf } = aMachine()
  const { order } = await keep()
  const queue = open()
  expect(await queue.send('abc234', order, async () => 'the desk is halted')).toEqual({
    ...{ kind: 'notSent', reason: 'the desk is halted' },
  })
  expect([sent.length, stateOf()]).toEqual([0, { kind: 'draft' }])
  expect(await queue.send('abc234', order, async () => null)).toMatchObject({ kind: 'accepted' })
})

test('where somebody else is sending, or the file cannot be read, nothing goes, and the ticket that waits is told', async () => {
  const { open, keep, drafts, journal, sent, events, stateOf } = aMachine()
  const { order } = await keep()
  const busy: OrderDraftsKeeper = { ...drafts, alone: () => Promise.resolve(err('Another desk is sending a draft.')) }
  const damaged: OrderDraftsKeeper = { ...drafts, read: () => Promise.resolve(err('The file is damaged.')) }
  expect(await open(journal, busy).send('abc234', order)).toEqual({
    ...{ kind: 'notSent', reason: 'Another desk is sending a draft' },
  })
  expect(await open(journal, damaged).send('abc234', order)).toEqual({ kind: 'notSent', reason: 'The file is damaged' })
  const told = { type: 'orderNotSent', draft: order, atMs: 1_000 }
  expect(events).toEqual([
    { ...told, reason: 'Another desk is sending a draft' },
    { ...told, reason: 'The file is damaged' },
  ])
  expect([sent.length, stateOf()]).toEqual([0, { kind: 'draft' }])
})

test('beside a desk that is sending, what is being sent stays so, and what was unknown is found all the same', async () => {
  const { open, keep, drafts, journal, stateOf } = aMachine()
  await keep(anOrderDraft({ draftId: 'out', state: { kind: 'sending', atMs: 900, isBegun: true } }))
  await keep(anOrderDraft({ state: { kind: 'unknown', atMs: 900, journalKey: 'draftabc234' } }))
  const { end } = await journal.begin({ kind: 'order', clientOrderId: 'draftabc234', draft: aDraft() }, 900)
  await end({ kind: 'accepted', id: '7', status: 'OPEN' }, 950)
  const taken = await open(journal, { ...drafts, alone: () => Promise.resolve(err('busy')) }).takeUp()
  expect(taken).toMatchObject({ ok: true, value: [{ draftId: 'abc234' }, { draftId: 'out' }] })
  expect(stateOf()).toEqual({ kind: 'sent', orderId: '7', atMs: 900 })
  expect(stateOf('out')).toEqual({ kind: 'sending', atMs: 900, isBegun: true })
})

test.each([
  ['never left', ['notSent'], { kind: 'draft' }],
  ['never left, and went out at the second try', ['notSent', 'accepted'], { kind: 'sent', orderId: '7', atMs: 902 }],
  ['went out, and a later copy of it never left', ['accepted', 'notSent'], { kind: 'sent', orderId: '7', atMs: 901 }],
] as const)('a draft of a desk that died, and whose order %s', async (_, outcomes, state) => {
  const { open, keep, journal, stateOf } = aMachine()
  await keep(anOrderDraft({ state: { kind: 'sending', atMs: 900, isBegun: true } }))
  for (const [at, kind] of outcomes.entries()) {
    const write = await journal.begin({ kind: 'order', clientOrderId: 'draftabc234', draft: aDraft() }, 901 + at)
    await write.end(kind === 'accepted' ? { kind, id: '7', status: 'OPEN' } : { kind, reason: 'no connection' }, 950)
  }
  await open().takeUp()
  expect(stateOf()).toEqual(state)
  expect(journal.entries).toHaveLength(outcomes.length)
})

test('a move that took the id of a draft is not that draft, which stays, and cannot go out under it', async () => {
  const { open, keep, journal, sent, stateOf } = aMachine()
  const { order } = await keep()
  const intent = { kind: 'move', orderId: '5', clientOrderId: 'draftabc234', draft: order } as const
  await (await journal.begin(intent, 900)).end({ kind: 'accepted', id: '9', status: 'OPEN' }, 950)
  expect(await open().send('abc234', order)).toEqual({ kind: 'notSent', reason: 'draft abc234 was sent before' })
  expect([sent.length, stateOf()]).toEqual([0, { kind: 'draft' }])
})

test('what another desk has found of a draft meanwhile stays, though its own answer was lost', async () => {
  const { open, keep, sent, world, journal, stateOf } = aMachine()
  const { order } = await keep()
  world.answer = 'lost'
  const going = open().send('abc234', order)
  await eventually(() => expect(sent).toHaveLength(1))
  await open().takeUp()
  const [entry] = journal.entries
  await journal.settle(entry?.id ?? '', { how: 'placed', by: 'exchange', id: '7', evidence: 'listed' }, 2_000)
  await open().refresh()
  world.hangUp()
  expect(await going).toMatchObject({ kind: 'unknown' })
  expect(stateOf()).toEqual({ kind: 'sent', orderId: '7', atMs: 1_000 })
})

test('what was sent does not expire when its time is over', async () => {
  const { open, keep, clock, stateOf } = aMachine()
  const { order } = await keep()
  const queue = open()
  await queue.send('abc234', order)
  await clock.advance(48 * hourMs)
  await queue.look()
  expect(stateOf()).toMatchObject({ kind: 'sent', orderId: '7' })
})
