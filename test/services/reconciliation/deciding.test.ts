import { expect, test } from 'vitest'
import type { HubDraft } from '../../../src/domain/hub/draft.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Withdrawal } from '../../../src/domain/transfers/transfer.ts'
import type { WriteIntent } from '../../../src/journal/entry.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aWithdrawalDraft } from '../../fakes/transfers.ts'
import { aReconciliation, aVenue, startMs } from './scene.ts'

const order = (clientOrderId: string): WriteIntent => ({ kind: 'order', clientOrderId, draft: aDraft() })
const money = (draftId: string | null = null): WriteIntent => ({
  ...{ kind: 'withdrawal', request: { currency: 'BTC', beneficiary: 'wl-1', amount: new Decimal('0.5') }, draftId },
})
const listed = (withdrawalId: string, change: Partial<Withdrawal> = {}): Withdrawal => ({
  ...{ withdrawalId, amount: new Decimal('0.5'), fee: null, currency: 'BTC', beneficiary: 'wl-1' },
  ...{ state: 'PENDING', timestampMs: startMs },
  ...change,
})

test('a person’s word is taken only where it is asked for, and it is on record with the evidence', async () => {
  const desk = aReconciliation(aVenue().client)
  const { reconciliation } = desk
  await desk.unknown(order('c1'))
  expect(await reconciliation.decide('other', 'notPlaced')).toEqual({ ok: false, error: 'Already resolved.' })
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await reconciliation.decide('c1', 'notPlaced')).toEqual({
    ...{ ok: false, error: 'Still checking: wait until its evidence is complete.' },
  })
  await desk.clock.advance(40_000)
  const refused = await reconciliation.decide('c1', 'placed')
  expect(refused.ok ? '' : refused.error).toMatch(/^"placed" does not answer this: Order c1 is neither among/)
  const before = desk.events.length
  // What was not placed has no id, whatever was typed.
  expect(await reconciliation.decide('c1', 'notPlaced', '7')).toEqual({
    ...{ ok: true, value: 'Resolved by you as not placed: c1.' },
  })
  expect(desk.events.slice(before)).toEqual([
    {
      ...{ type: 'writeResolved', key: 'c1', id: null, level: 'info', atMs: desk.clock.now() },
      sentence: 'Resolved by you as not placed: c1.',
    },
  ])
  const [entry] = await desk.journal.history(0)
  expect(entry?.settlement).toMatchObject({ how: 'notPlaced', by: 'person', id: null })
  expect(entry?.settlement?.evidence).toMatch(/^Order c1 is neither/)
  expect(desk.found).toEqual([])
  await stop()
})

test('an order resolved as not placed that arrives all the same is an alarm, once: sent again there are two', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(40_000)
  expect(await desk.reconciliation.decide('c1', 'notPlaced')).toMatchObject({ ok: true })
  const before = desk.events.length
  venue.orders = [anOrder({ orderId: '8', clientOrderId: 'c1' })]
  await desk.clock.advance(60_000)
  expect(desk.events.slice(before)).toMatchObject([
    {
      ...{ type: 'writeResolved', key: 'c1', id: '8', level: 'bad', isFalseRefusal: true },
      sentence: 'Order c1 was resolved as not placed, but order 8 is OPEN.',
    },
  ])
  await stop()
})

test('an order that is resolved as placed is looked for no more: that it is there is no alarm', async () => {
  const { venue, client } = aVenue()
  venue.orders = [anOrder({ orderId: '8', clientOrderId: 'c1' }), anOrder({ orderId: '9', clientOrderId: 'c1' })]
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(40_000)
  expect(await desk.reconciliation.decide('c1', 'placed')).toMatchObject({ ok: true })
  const before = desk.events.length
  await desk.clock.advance(60_000)
  expect(desk.events.slice(before)).toEqual([])
  await stop()
})

test('which of several withdrawals it was must be one of those listed; whom it paid is told', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [listed('w-1'), listed('w-2')]
  const desk = aReconciliation(client)
  const key = `withdrawal ${await desk.unknown(money())}`
  const stop = desk.start()
  await desk.clock.advance(100)
  for (const id of [null, 'w-3'])
    expect(await desk.reconciliation.decide(key, 'placed', id)).toEqual({
      ...{ ok: false, error: 'Select which of those listed it was: the list has changed meanwhile.' },
    })
  expect(await desk.reconciliation.decide(key, 'placed')).toMatchObject({ ok: false })
  expect(await desk.reconciliation.decide(key, 'placed', 'w-2')).toEqual({
    ...{ ok: true, value: `Resolved by you as placed: ${key}, as w-2.` },
  })
  expect(desk.events.at(-1)).toMatchObject({ type: 'writeResolved', key, id: 'w-2', paid: 'wl-1' })
  expect((await desk.journal.history(0))[0]?.settlement).toMatchObject({ how: 'placed', by: 'person', id: 'w-2' })
  await stop()
})

test('that none of them was it is said of those that were seen: with another one listed by then nothing is settled', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [listed('w-1'), listed('w-2')]
  const desk = aReconciliation(client)
  const key = `withdrawal ${await desk.unknown(money())}`
  const stop = desk.start()
  const evidence = () => desk.events.findLast((event) => event.type === 'writeQuestion')?.question.evidence ?? ''
  await desk.clock.advance(100)
  const seen = evidence()
  venue.withdrawals = [listed('w-1'), listed('w-2'), listed('w-3')]
  for (let beats = 0; beats < 600 && evidence() === seen; beats += 1) await desk.clock.advance(1_000)
  expect([seen, evidence()]).toEqual([expect.not.stringContaining('w-3'), expect.stringContaining('w-3')])
  expect(await desk.reconciliation.decide(key, 'notPlaced', null, seen)).toEqual({
    ...{ ok: false, error: 'Not resolved: evidence changed. Look again.' },
  })
  expect((await desk.journal.history(0))[0]?.settlement).toBeNull()
  expect(await desk.reconciliation.decide(key, 'notPlaced', null, evidence())).toMatchObject({ ok: true })
  await stop()
})

test('that none of them was it settles without an id, and nobody was paid', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [listed('w-1'), listed('w-2')]
  const desk = aReconciliation(client)
  const key = `withdrawal ${await desk.unknown(money())}`
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await desk.reconciliation.decide(key, 'notPlaced')).toMatchObject({ ok: true })
  expect((await desk.journal.history(0))[0]?.settlement).toMatchObject({ how: 'notPlaced', id: null })
  expect(desk.events.at(-1)).not.toHaveProperty('paid')
  await stop()
})

test('a withdrawal that was found tells whom it paid; a rejected one paid nobody', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [listed('w-1')]
  const desk = aReconciliation(client)
  await desk.unknown(money())
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(desk.events.at(-1)).toMatchObject({ type: 'writeResolved', id: 'w-1', paid: 'wl-1', level: 'good' })
  venue.withdrawals = [listed('w-1'), listed('w-2', { state: 'REJECTED', timestampMs: startMs + 100 })]
  await desk.unknown(money())
  desk.reconciliation.wake()
  await desk.clock.advance(60_000)
  expect(desk.events.at(-1)).toMatchObject({ type: 'writeResolved', id: 'w-2', level: 'warn' })
  expect(desk.events.at(-1)).not.toHaveProperty('paid')
  await stop()
})

test('an order that is found is passed on; a cancel that is resolved passes none on', async () => {
  const { venue, client } = aVenue()
  venue.orders = [anOrder({ orderId: '9', status: 'CANCELED' })]
  const desk = aReconciliation(client)
  await desk.unknown({ kind: 'cancel', orderId: '9' })
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await desk.settlements()).toEqual(['canceled'])
  expect(desk.found).toEqual([])
  await stop()
})

/** How many rounds of questions come in so many ms. */
async function rounds(desk: ReturnType<typeof aReconciliation>, asked: readonly string[], ms: number, what: string) {
  const before = asked.filter((each) => each === what).length
  await desk.clock.advance(ms)
  return asked.filter((each) => each === what).length - before
}

test('it looks once a second while something may turn up, every ten while a person is asked, and not at all without', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  const stop = desk.start()
  const looks = (ms: number) => rounds(desk, venue.asked, ms, 'orders working')
  expect(await looks(10_000)).toBeGreaterThanOrEqual(9)
  await desk.clock.advance(30_000)
  expect(desk.types()).toContain('writeQuestion')
  const asking = await looks(100_000)
  expect(asking).toBeGreaterThanOrEqual(8)
  expect(asking).toBeLessThanOrEqual(12)
  await desk.reconciliation.decide('c1', 'notPlaced')
  await desk.clock.advance(40_000)
  expect(await looks(100_000)).toBe(0)
  // Something new is looked for when it is told of, at the latest after half a minute.
  await desk.unknown(order('c2'))
  desk.reconciliation.wake()
  expect(await looks(100)).toBe(1)
  // One that is only asked of a person does not slow the other down.
  await desk.clock.advance(60_000)
  await desk.unknown(order('c3'))
  desk.reconciliation.wake()
  expect(await looks(10_000)).toBeGreaterThanOrEqual(9)
  await stop()
})

test('an exchange that is down is asked at least every quarter of a minute', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.unknown(order('c1'))
  venue.isDown = true
  const stop = desk.start()
  await desk.clock.advance(120_000)
  expect(await rounds(desk, venue.asked, 150_000, 'orders working')).toBeGreaterThanOrEqual(9)
  await stop()
})

test('entries of desks that are gone are told of as they are taken over, with those of the start', async () => {
  const { client } = aVenue()
  const journal = createMemoryJournal()
  const adopted = { at: 0 }
  const desk = aReconciliation(client, {
    ...journal,
    async adopt() {
      adopted.at += 1
      if (adopted.at !== 2) return []
      const write = await journal.begin(order('late'), startMs)
      await write.end({ kind: 'unknown', reason: 'gone' }, startMs)
      return journal.open().filter(({ id }) => id === write.id)
    },
  })
  await desk.unknown(order('early'))
  await journal.begin(order('flying'), startMs)
  const stop = desk.start()
  expect(desk.events).toMatchObject([{ type: 'writeUnknown', write: { key: 'early' }, atMs: startMs }])
  await desk.clock.advance(5_000)
  const told = desk.events.flatMap((event) => (event.type === 'writeUnknown' ? [event.write.key] : []))
  expect(told).toEqual(['early', 'late'])
  await stop()
})

test('a write whose answer is still to come is not looked for', async () => {
  const { venue, client } = aVenue()
  const desk = aReconciliation(client)
  await desk.journal.begin(order('flying'), startMs)
  venue.orders = [anOrder({ clientOrderId: 'flying' })]
  const stop = desk.start()
  await desk.clock.advance(60_000)
  desk.reconciliation.observe(venue.orders)
  await desk.clock.advance(0)
  expect({ asked: venue.asked, settled: await desk.settlements() }).toEqual({ asked: [], settled: [null] })
  await stop()
})

test('a report of a feed that an order was refused, or is working, settles neither the order nor its cancel', async () => {
  const desk = aReconciliation(aVenue().client)
  await desk.unknown(order('c1'))
  await desk.unknown({ kind: 'cancel', orderId: '9' })
  desk.reconciliation.observe([anOrder({ clientOrderId: 'c1', status: 'REJECTED' }), anOrder({ orderId: '9' })])
  await desk.clock.advance(0)
  expect(await desk.settlements()).toEqual([null, null])
  // Twice in one turn is once.
  const there = anOrder({ clientOrderId: 'c1', orderId: '7' })
  desk.reconciliation.observe([there, there])
  await desk.clock.advance(0)
  expect(desk.events.map(({ type }) => type)).toEqual(['writeResolved'])
  expect(desk.found).toEqual(['7'])
})

test('a refused order is doubted for ten minutes, to the end', async () => {
  const desk = aReconciliation(aVenue().client)
  const stop = desk.start()
  desk.reconciliation.doubt('c1')
  desk.reconciliation.doubt('c2')
  await desk.clock.advance(600_000)
  desk.reconciliation.observe([anOrder({ clientOrderId: 'c1', orderId: '7' })])
  expect(desk.events).toMatchObject([
    { type: 'writeResolved', key: 'c1', id: '7', level: 'bad', atMs: startMs + 600_000 },
  ])
  await desk.clock.advance(1)
  desk.reconciliation.observe([anOrder({ clientOrderId: 'c2', orderId: '8' })])
  expect(desk.events).toHaveLength(1)
  await stop()
})

test('behind a hub a draft is asked of the hub, anything else of the exchange', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [listed('w-1')]
  const drafts: HubDraft[] = [
    {
      ...aWithdrawalDraft({ draftId: 'd1', state: { kind: 'sent', withdrawalId: 'w-9', atMs: startMs } }),
      ...{ version: 1, revision: 1, madeBy: 'ann' },
    },
  ]
  const asked: string[] = []
  const hubDraft = async (draftId: string) => {
    asked.push(draftId)
    return drafts.find((draft) => draft.draftId === draftId) ?? null
  }
  const desk = aReconciliation(client, createMemoryJournal(), { hubDraft })
  await desk.unknown(money('d1'))
  await desk.unknown(money())
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(asked).toEqual(['d1'])
  expect((await desk.journal.history(0)).map(({ settlement }) => settlement?.id)).toEqual(['w-9', 'w-1'])
  await stop()
})

test('a draft that its hub looks for is no question for a person until that has lasted', async () => {
  const draft: HubDraft = {
    ...aWithdrawalDraft({ draftId: 'd1', state: { kind: 'unknown', atMs: startMs, journalKey: 'k' } }),
    ...{ version: 1, revision: 1, madeBy: 'ann' },
  }
  const at = async (foundAfterMs: number) => {
    const hubDraft = async (): Promise<HubDraft> =>
      desk.clock.now() < startMs + foundAfterMs
        ? draft
        : { ...draft, state: { kind: 'sent', withdrawalId: 'w-9', atMs: startMs } }
    const desk = aReconciliation(aVenue().client, createMemoryJournal(), { hubDraft })
    await desk.unknown(money('d1'))
    const stop = desk.start()
    await desk.clock.advance(60_000)
    await stop()
    return desk.types()
  }
  expect(await at(10_000)).toEqual(['writeUnknown', 'writeResolved'])
  expect(await at(40_000)).toEqual(['writeUnknown', 'writeQuestion', 'writeResolved'])
})

test('that a draft is one still, its hub must have answered twice, whatever it said before', async () => {
  let answers = 0
  const hubDraft = async (): Promise<HubDraft> => {
    const isLooking = desk.clock.now() < startMs + 60_000
    if (!isLooking) answers += 1
    const state = isLooking ? ({ kind: 'unknown', atMs: startMs, journalKey: 'k' } as const) : undefined
    const draft = aWithdrawalDraft({ draftId: 'd1', ...(state === undefined ? {} : { state }) })
    return { ...draft, version: 1, revision: 1, madeBy: 'ann' }
  }
  const desk = aReconciliation(aVenue().client, createMemoryJournal(), { hubDraft })
  await desk.unknown(money('d1'))
  const stop = desk.start()
  const asked = () =>
    desk.events.flatMap((event) => (event.type === 'writeQuestion' ? [event.question.verdicts.join()] : []))
  while (answers === 0) await desk.clock.advance(1_000)
  expect(asked()).toEqual([''])
  await desk.clock.advance(20_000)
  expect(answers).toBeGreaterThan(1)
  expect(asked()).toEqual(['', 'notPlaced'])
  await stop()
})

test('without a hub a draft is looked for at the exchange', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [listed('w-1')]
  const desk = aReconciliation(client)
  await desk.unknown(money('d1'))
  const stop = desk.start()
  await desk.clock.advance(100)
  expect((await desk.journal.history(0))[0]?.settlement?.id).toBe('w-1')
  await stop()
})

test('a fault of the program itself is no silence of the exchange: it ends the looking', async () => {
  const { client } = aVenue()
  const desk = aReconciliation({ ...client, fetchOrders: () => Promise.reject(new TypeError('a fault')) })
  await desk.unknown(order('c1'))
  let failure: unknown = null
  void desk.reconciliation.run().catch((error: unknown) => {
    failure = error
  })
  await desk.clock.advance(100)
  expect(failure).toEqual(new TypeError('a fault'))
})

test('a withdrawal from before a clock ran ahead is looked for in the seven days before, and up to now', async () => {
  const { venue, client } = aVenue()
  const dayMs = 86_400_000
  venue.withdrawals = [
    listed('too early', { timestampMs: startMs - 7 * dayMs - 60_000 }),
    listed('w-1', { timestampMs: startMs - 7 * dayMs + 60_000 }),
    listed('later', { timestampMs: startMs + dayMs }),
  ]
  const desk = aReconciliation(client)
  await desk.unknown(money(), startMs + 3 * dayMs)
  const stop = desk.start()
  await desk.clock.advance(100)
  expect((await desk.journal.history(0))[0]?.settlement?.id).toBe('w-1')
  await stop()
})

test('an entry a little ahead of the clock is no entry of a wrong clock', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [listed('w-1', { timestampMs: startMs - 60_000 })]
  const desk = aReconciliation(client)
  await desk.unknown(money(), startMs + 20_000)
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await desk.settlements()).toEqual([null])
  await stop()
})

test('a draft that the hub does not list may be said to have been placed, as nothing that is listed', async () => {
  const desk = aReconciliation(aVenue().client, createMemoryJournal(), { hubDraft: async () => null })
  const key = `withdrawal ${await desk.unknown(money('d1'))}`
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await desk.reconciliation.decide(key, 'placed')).toEqual({
    ok: true,
    value: `Resolved by you as placed: ${key}.`,
  })
  await stop()
})

test('a person who answers twice at once is taken at their first word', async () => {
  const { venue, client } = aVenue()
  venue.withdrawals = [listed('w-1'), listed('w-2')]
  const journal = createMemoryJournal()
  const desk = aReconciliation(client, {
    ...journal,
    // As a disk is.
    async settle(...settled) {
      await settle()
      await journal.settle(...settled)
    },
  })
  const key = `withdrawal ${await desk.unknown(money())}`
  const stop = desk.start()
  await desk.clock.advance(100)
  const both = await Promise.all([
    desk.reconciliation.decide(key, 'placed', 'w-1'),
    desk.reconciliation.decide(key, 'placed', 'w-2'),
  ])
  expect(both.map(({ ok }) => ok)).toEqual([true, false])
  expect(desk.types().filter((type) => type === 'writeResolved')).toHaveLength(1)
  await stop()
})

test('what a feed settles while the exchange is asked is told once, and no question is put about it', async () => {
  const { venue, client } = aVenue()
  const there = anOrder({ clientOrderId: 'c1', orderId: '7', timestampMs: startMs })
  const meanwhile = { lists: [there] }
  const desk = aReconciliation({
    ...client,
    async fetchOrders(query) {
      // A poll comes back while the list is read.
      desk.reconciliation.observe([there])
      venue.orders = meanwhile.lists
      return client.fetchOrders(query)
    },
  })
  await desk.unknown(order('c1'))
  const stop = desk.start()
  await desk.clock.advance(40_000)
  expect(desk.events.map(({ type }) => type)).toEqual(['writeUnknown', 'writeResolved'])
  expect(desk.found).toEqual(['7'])
  // Nor where the list that was read does not have it yet.
  meanwhile.lists = []
  await desk.unknown(order('c1'))
  desk.reconciliation.wake()
  await desk.clock.advance(60_000)
  expect(desk.types()).not.toContain('writeQuestion')
  await stop()
})

test('for a cancel only its order is asked for, and no list', async () => {
  const { venue, client } = aVenue()
  venue.orders = [anOrder({ orderId: '9', status: 'CANCELED' })]
  const desk = aReconciliation(client)
  await desk.unknown({ kind: 'cancel', orderId: '9' })
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(venue.asked).toEqual(['order 9'])
  await stop()
})

test('of several orders the lists are read as far back as the oldest', async () => {
  const { venue, client } = aVenue()
  const hourMs = 3_600_000
  const filled = { status: 'FILLED', leavesQuantity: new Decimal(0), cumQuantity: new Decimal('0.05') } as const
  venue.orders = [
    anOrder({ clientOrderId: 'c1', orderId: '7', timestampMs: startMs - hourMs, ...filled }),
    anOrder({ clientOrderId: 'c2', orderId: '8', timestampMs: startMs, ...filled }),
  ]
  const engine = async () => ({ orders: [], nextOrderId: '0' })
  const desk = aReconciliation({ ...client, fetchOrderPage: engine })
  await desk.unknown(order('c1'), startMs - hourMs)
  await desk.unknown(order('c2'))
  const stop = desk.start()
  await desk.clock.advance(100)
  expect(await desk.settlements()).toEqual(['placed', 'placed'])
  await stop()
})

test('while nothing is sought, desks that are gone are looked for every half minute', async () => {
  const journal = createMemoryJournal()
  let adoptions = 0
  const desk = aReconciliation(aVenue().client, {
    ...journal,
    async adopt() {
      adoptions += 1
      return []
    },
  })
  const stop = desk.start()
  await desk.clock.advance(301_000)
  expect(adoptions).toBeGreaterThanOrEqual(9)
  expect(adoptions).toBeLessThanOrEqual(13)
  await stop()
})
