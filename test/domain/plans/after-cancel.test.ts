import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { type Plan, withPlanEvent } from '../../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { afterCancel } from '../../../src/domain/plans/what-if.ts'
import {
  heldPlan,
  ocoTerms,
  planAfter,
  protectedPlan,
  seen,
  sent,
  stopSent,
  tenth,
  tenthLegs,
} from '../../fakes/plans.ts'

const everything = () => true
const named =
  (...ids: readonly string[]) =>
  ({ clientOrderId }: { clientOrderId: string }) =>
    ids.includes(clientOrderId)
const terms: PlanTerms = { ...tenth, kind: 'bracket', side: 'BUY', entryPrice: new Decimal(64_000), ...tenthLegs }
/** A bracket whose entry rests, so much of it filled; and with its stop. */
const entered = (filled: string) =>
  planAfter('p1', terms, sent('e1', 'entry'), seen('e1', { status: 'OPEN', filled: new Decimal(filled) }))
const stopped = planAfter(
  'p1',
  terms,
  ...[sent('e1', 'entry'), seen('e1', { status: 'PART_FILLED', filled: new Decimal('0.05') })],
  ...[stopSent('s1'), seen('s1', {})],
)

test('a plan that loses an entry which has not filled ends; one that has filled goes on with that', () => {
  expect(afterCancel(entered('0'), everything)).toBe('ends')
  expect(afterCancel(entered('0.05'), everything)).toBe('goesOn')
  expect(afterCancel(stopped, named('e1'))).toBe('goesOn')
})

test('a plan that loses its stop, or an order of a scale, is held', () => {
  expect(afterCancel(stopped, everything)).toBe('holds')
  expect(afterCancel(protectedPlan().plan, everything)).toBe('holds')
  const slices = [{ price: new Decimal(63_000), quantity: tenth.quantity }]
  const scale = planAfter(
    'p1',
    { ...tenth, kind: 'scale', side: 'BUY', postOnly: false, slices },
    sent('a1', 'slice', 0),
  )
  expect(afterCancel(scale, everything)).toBe('holds')
})

test('a plan that was asked to end ends, and one that loses nothing is none of those that do', () => {
  const ending: Plan = withPlanEvent(protectedPlan().plan, {
    event: 'cancelAsked',
    planId: 'p1',
    atMs: 9,
    how: 'takeBack',
  })
  expect(afterCancel(ending, everything)).toBe('ends')
  expect(afterCancel(protectedPlan().plan, named('another'))).toBeNull()
  expect(afterCancel(heldPlan().plan, everything)).toBeNull()
  expect(afterCancel(planAfter('p1', ocoTerms), everything)).toBeNull()
})
