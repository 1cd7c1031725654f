import { expect, test } from 'vitest'
import type { FeedEvent } from '../../../src/domain/desk/events.ts'
import type { Plan, PlanOrder } from '../../../src/domain/plans/plan.ts'
import { PlanDoubts } from '../../../src/services/plans/plan-doubts.ts'
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
