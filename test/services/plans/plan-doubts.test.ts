import { expect, test } from 'vitest'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import { listBehindMs } from '../../../src/domain/orders/listed-again.ts'
import type { Plan, PlanOrder } from '../../../src/domain/plans/plan.ts'
import { PlanDoubts } from '../../../src/services/plans/plan-doubts.ts'
import { cancelMayArriveMs, gone, type Look } from '../../../src/services/plans/plan-looks.ts'
import { anOrder } from '../../fakes/orders.ts'
import { protectedPlan } from '../../fakes/plans.ts'

const { plan } = protectedPlan('p1', 'own-stop')
const [stop] = plan.orders
if (stop === undefined) throw new Error('the plan has no stop')
const sentAtMs = stop.atMs

type OrdersEvent = Extract<FeedEvent, { type: 'orders' }>
const listAt = (afterMs: number, more: Partial<OrdersEvent> = {}): OrdersEvent => ({
  ...{ type: 'orders', orders: [], atMs: sentAtMs + afterMs },
  ...more,
})
const listed = [anOrder({ clientOrderId: 'own-stop' })]
const withStop = (change: Partial<PlanOrder>): Plan => ({ ...plan, orders: [{ ...stop, ...change }] })

/** Whether the stop is doubted after one list. */
const doubted = (event: OrdersEvent, of: Plan = plan): boolean => {
  const doubts = new PlanDoubts()
  doubts.takeList(event, [of], 0)
  return doubts.isOpen(of)
}

test('an order that rests is doubted where a whole list lacks it, once it has had the time to get there', () => {
  expect(doubted(listAt(5_001))).toBe(true)
  expect(doubted(listAt(5_000))).toBe(false)
  // The clock was set back: how long it rests is not known.
  expect(doubted(listAt(-5_001))).toBe(true)
  expect(doubted(listAt(60_000, { orders: listed }))).toBe(false)
  expect(doubted(listAt(60_000, { isWhole: false }))).toBe(false)
  expect(doubted(listAt(60_000, { unreadable: [{ reason: 'odd', atMs: null, fields: {} }] }))).toBe(false)
  // One that the list lacks while the desk shows it still is lacked.
  expect(doubted(listAt(60_000, { orders: listed, unlistedSince: new Map([['own-stop', 1]]) }))).toBe(true)
})

test('what does not rest is not doubted', () => {
  const doubts = new PlanDoubts()
  const ended = withStop({ standing: 'ended' })
  doubts.takeList(listAt(60_000), [ended], 0)
  expect(doubts.isOpen(plan)).toBe(false)
  doubts.doubt('own-stop')
  expect([doubts.isOpen(plan), doubts.isOpen(ended)]).toEqual([true, false])
})

test('one that lists lack for 5 s, and nothing tells of, is gone; a report begins anew', () => {
  const doubts = new PlanDoubts()
  const isGone = (afterMs: number) => doubts.isGone(stop, sentAtMs + afterMs)
  expect(isGone(90_000)).toBe(false)
  for (const afterMs of [60_000, 62_000]) doubts.takeList(listAt(afterMs), [plan], 0)
  expect([isGone(64_999), isGone(65_000)]).toEqual([false, true])
  doubts.trust('own-stop', sentAtMs + 65_000)
  expect([doubts.isOpen(plan), isGone(90_000)]).toEqual([false, false])
})

test('an order that every list leaves out is asked for every few seconds, not with each list', () => {
  const doubts = new PlanDoubts()
  const isOpenAfter = (afterMs: number) => {
    doubts.takeList(listAt(afterMs), [plan], 0)
    return doubts.isOpen(plan)
  }
  expect(isOpenAfter(60_000)).toBe(true)
  doubts.trust('own-stop', sentAtMs + 60_500)
  expect([61_000, 65_500, 65_501].map(isOpenAfter)).toEqual([false, false, true])
  doubts.forget('own-stop')
  expect(isOpenAfter(61_000)).toBe(true)
  // One that has it ends that.
  doubts.takeList(listAt(70_000, { orders: listed }), [plan], 0)
  doubts.trust('own-stop', sentAtMs + 70_000)
  expect(isOpenAfter(71_000)).toBe(true)
  doubts.trust('own-stop', sentAtMs + 71_500)
  doubts.takeList(listAt(72_000, { orders: listed }), [plan], 0)
  expect(isOpenAfter(73_000)).toBe(true)
})

test('a list that has an order which ended asks for its own report, until that came', () => {
  const doubts = new PlanDoubts()
  const ended: PlanOrder = { ...stop, standing: 'ended' }
  doubts.listAgain('own-stop')
  expect([doubts.isListedAgain(ended), doubts.isListedAgain(stop)]).toEqual([true, false])
  doubts.looked('own-stop')
  expect(doubts.isListedAgain(ended)).toBe(false)
})

test('an order is looked for once a second, at once where something was told, and of a plan that ended nothing is kept', () => {
  const doubts = new PlanDoubts()
  expect([doubts.mayLook(stop, 0), doubts.mayLook(stop, 999), doubts.mayLook(stop, 1_000)]).toEqual([true, false, true])
  doubts.hurry('own-stop')
  expect(doubts.mayLook(stop, 1_001)).toBe(true)
  doubts.takeList(listAt(60_000), [plan], 0)
  doubts.listAgain('own-stop')
  doubts.forget('own-stop')
  expect(doubts.mayLook(stop, 1_002)).toBe(true)
  const kept = [doubts.isOpen(plan), doubts.isListedAgain({ ...stop, standing: 'ended' })]
  expect([...kept, doubts.isGone(stop, sentAtMs + 90_000)]).toEqual([false, false, false])
})

test('an unreadable entry makes its own order be asked for, now and then, and no other one', () => {
  const doubts = new PlanDoubts()
  const other: PlanOrder = { ...stop, clientOrderId: 'other', orderId: '9912051' }
  const both: Plan = { ...plan, orders: [stop, other] }
  const doubtedAfter = (afterMs: number, fields: Record<string, string>) => {
    const unreadable = [{ reason: 'odd', atMs: null, fields }]
    doubts.takeList(listAt(afterMs, { orders: listed, unreadable }), [both], 0)
    const ids = both.orders.filter((order) => doubts.isDoubted(order)).map(({ clientOrderId }) => clientOrderId)
    for (const id of ids) doubts.trust(id, sentAtMs + afterMs)
    return ids
  }
  expect(doubtedAfter(60_000, { clOrdId: 'other' })).toEqual(['other'])
  expect(doubtedAfter(61_000, { exOrdId: '9912051' })).toEqual([])
  expect(doubtedAfter(61_000, { exOrdId: '9912050' })).toEqual(['own-stop'])
  expect(doubtedAfter(90_000, { exOrdId: '9912051' })).toEqual(['other'])
})

test('what a look tells counts, however long lists have lacked the order; one that tells nothing of it says that it is gone', () => {
  const doubts = new PlanDoubts()
  for (const afterMs of [60_000, 65_000]) doubts.takeList(listAt(afterMs), [plan], 0)
  const report: Look = { kind: 'report', order: anOrder({ clientOrderId: 'own-stop' }), quantity: null }
  expect(doubts.unlessInVain(report, stop, sentAtMs + 65_000)).toBe(report)
  expect(doubts.unlessInVain({ kind: 'later' }, stop, sentAtMs + 65_000)).toBe(gone)
})

test('an order is not reported readably where looks were in vain for 30 s, with lists since, and nothing else was told', () => {
  const vain: Look = { kind: 'later', untold: { quantity: null } }
  const after = (list: number, ...looks: [Look, number][]) => {
    const doubts = new PlanDoubts()
    doubts.takeList(listAt(list, { orders: listed }), [plan], 0)
    return looks.map(([look, afterMs]) => doubts.unlessInVain(look, stop, sentAtMs + afterMs).kind).at(-1)
  }
  expect(after(65_000, [vain, 60_000], [vain, 89_999])).toBe('later')
  expect(after(65_000, [vain, 60_000], [vain, 90_000])).toBe('odd')
  expect(after(64_999, [vain, 60_000], [vain, 90_000])).toBe('later')
  // Somebody else looked for it in between, or will.
  expect(after(65_000, [vain, 60_000], [{ kind: 'later' }, 70_000], [vain, 90_000])).toBe('later')
  expect(after(65_000, [vain, 60_000], [{ kind: 'later' }, 120_000])).toBe('later')
})

test('an order is taken to rest in spite of a cancel by a list of long after it alone', () => {
  const vain: Look = { kind: 'later', untold: { quantity: null } }
  const after = (list: number, change: Partial<PlanOrder>, look: Look = vain) => {
    const doubts = new PlanDoubts()
    const order = { ...stop, ...change }
    doubts.unlessInVain(look, order, sentAtMs + 60_000)
    doubts.takeList(listAt(list, { orders: listed }), [plan], 0)
    return doubts.unlessInVain(look, order, sentAtMs + 86_000).kind
  }
  const canceling = { cancelingSinceMs: sentAtMs + 59_000 }
  const inTimeMs = 60_000 + cancelMayArriveMs + listBehindMs
  expect(after(inTimeMs, canceling)).toBe('rests')
  expect(after(inTimeMs - 1, canceling)).toBe('later')
  expect(after(inTimeMs, {})).toBe('later')
  expect(after(inTimeMs, canceling, { kind: 'later' })).toBe('later')
})

test('of many doubted orders none is asked for before the list came, but one with a cancel in progress', () => {
  const doubts = new PlanDoubts()
  const orders = Array.from({ length: 21 }, (_, at): PlanOrder => ({ ...stop, clientOrderId: `o${at}` }))
  for (const { clientOrderId } of orders) doubts.doubt(clientOrderId)
  const [first, second] = orders
  if (first === undefined || second === undefined) throw new Error('no orders')
  expect(doubts.mayLook(first, 0)).toBe(false)
  expect(doubts.mayLook({ ...second, cancelingSinceMs: 1 }, 0)).toBe(true)
  expect(doubts.mayLook({ ...first, clientOrderId: 'sure' }, 0)).toBe(true)
  doubts.trust('o20', 0)
  expect(doubts.mayLook(first, 0)).toBe(true)
})
