import { expect, test } from 'vitest'
import { cancelDue, unknownFillComplaint, viewOf } from '../../../src/domain/plans/next-step.ts'
import { type Plan, type PlanEvent, type PlanOrder, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import { amount } from '../../fakes/amounts.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { protectedPlan } from '../../fakes/plans.ts'

test('a cancel without an answer is sent again after 2, 4 and 8 s, and then no more', () => {
  const clientOrderId = 'own-stop'
  const canceling = (plan: Plan, atMs: number): Plan =>
    withPlanEvent(plan, { event: 'canceling', planId: plan.planId, atMs, clientOrderId } satisfies PlanEvent)
  const isDue = (plan: Plan, nowMs: number): boolean => {
    const facts = { nowMs } as Parameters<typeof cancelDue>[0]['facts']
    return cancelDue({ plan, facts } as Parameters<typeof cancelDue>[0]) !== undefined
  }
  let { plan } = protectedPlan('p1', clientOrderId)
  let atMs = 1_000_000
  expect(isDue(plan, atMs)).toBe(false)
  for (const pauseMs of [2_000, 4_000, 8_000]) {
    plan = canceling(plan, atMs)
    expect([isDue(plan, atMs + pauseMs - 1), isDue(plan, atMs + pauseMs)]).toEqual([false, true])
    // The clock was set back: a cancel more does no harm, and nobody waits as long as the clock was set back.
    expect([isDue(plan, atMs - 1_000), isDue(plan, atMs - 3_600_000)]).toEqual([false, true])
    atMs += pauseMs
  }
  plan = canceling(plan, atMs)
  expect(isDue(plan, atMs + 3_600_000)).toBe(false)
})

/** The plan with its stop as it is told of. */
const withStop = (change: Partial<PlanOrder>): Plan => {
  const { plan } = protectedPlan('p1', 'own-stop')
  return { ...plan, orders: plan.orders.map((order) => ({ ...order, ...change })) }
}

test.each<[string, Partial<PlanOrder>, string]>([
  ['rests', { standing: 'working', status: null }, '0.01'],
  ['was canceled', { standing: 'ended', status: 'CANCELED' }, '0.01'],
  ['was rejected', { standing: 'ended', status: 'REJECTED' }, '0.05'],
  ['has ended, nobody knows how', { standing: 'ended', status: null }, '0.05'],
  ['rests, in a size that nobody has told', { standing: 'working', isQuantityKnown: false }, '0.05'],
  ['is under way', { standing: 'sent', status: null }, '0.05'],
  ['was not placed', { standing: 'notPlaced', status: 'CANCELED' }, '0.05'],
])('a minimum that grew holds up nothing of the size of an order that %s', (_, change, least) => {
  const plan = withStop(change)
  const draft = { ...plan.orders[0]?.draft, orderQuantity: amount('0.01') } as PlanOrder['draft']
  const facts = { instrument: anInstrument({ minQuantity: amount('1000') }) } as Parameters<typeof viewOf>[1]
  expect(viewOf({ ...plan, orders: plan.orders.map((order) => ({ ...order, draft })) }, facts).least.toFixed()).toBe(
    least,
  )
})

test('a plan is not resumed on fills that nobody has told, and says what ends the wait', () => {
  expect(unknownFillComplaint(withStop({ standing: 'ended', filled: null }))).toMatch(
    /^Plan p1 is not resumed: how much of the stop .* The exchange is asked again until it tells; to end the plan, cancel it\.$/,
  )
  expect(unknownFillComplaint(withStop({}))).toBeNull()
})
