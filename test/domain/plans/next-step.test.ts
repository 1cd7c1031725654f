import { expect, test } from 'vitest'
import { cancelDue } from '../../../src/domain/plans/next-step.ts'
import { type Plan, type PlanEvent, withPlanEvent } from '../../../src/domain/plans/plan.ts'
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
