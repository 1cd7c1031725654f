import { type Check, type CheckRule, stopTexts } from '../../domain/orders/checks/check.ts'
import type { PlanFacts } from '../../domain/plans/facts.ts'
import { unknownFillComplaint } from '../../domain/plans/next-step.ts'
import type { Plan } from '../../domain/plans/plan.ts'
import { decide } from '../../domain/plans/plan-table.ts'
import { onlyProtects } from '../../domain/plans/terms.ts'
import type { Side } from '../../domain/side.ts'
import type { OrderGuard } from '../orders/limit-guard.ts'

/** What bounds how much a person opens. */
const ofOpening: ReadonlySet<CheckRule> = new Set(['orderValue', 'dayValue', 'openOrders'])

/**
 * What stops an order of a plan whose legs are on the side `exit`, null of one without legs. The limits on what is
 * opened hold its entry and not its legs: a day that is used up must not leave bare what a plan is to protect.
 */
export const planGuard =
  (exit: Side | null, guard: OrderGuard): OrderGuard =>
  (draft, movedAs) =>
    guard(draft, movedAs).filter(({ rule }) => draft.side !== exit || !ofOpening.has(rule))

/**
 * What stops the first order of a plan that has none yet, as a clause; null when it may go, or when what it depends on
 * is not loaded: for that it may wait a moment. A plan that only protects waits as long as it must, unless nothing at
 * all goes out by the desk's mode.
 */
export function firstStopped(plan: Plan, facts: PlanFacts, guard: OrderGuard): string | null {
  const stops: Check[] = []
  const judge: PlanFacts['judge'] = (draft, insteadOf) => {
    const all = guard(draft, { kind: 'instead', orderId: insteadOf })
    stops.push(...all)
    return stopTexts(all)
  }
  if (decide(plan, { ...facts, judge }).kind !== 'wait') return null
  const byMode = stops.filter(({ rule }) => rule === 'mode')
  if (byMode.length > 0) return stopTexts(byMode)
  return onlyProtects(plan.terms) || stops.some(({ rule }) => rule === 'freshness') ? null : stopTexts(stops)
}

/**
 * Why a plan is not resumed or changed while nothing is sent, as a sentence: a halted desk would carry out nothing of
 * it, and its orders would go out at the moment it is armed, when nobody thinks of them. `halted`: the clause that says
 * so, null while the desk sends.
 */
export const haltComplaint = ({ planId }: Plan, what: 'resumed' | 'changed', halted: string | null): string | null =>
  halted === null ? null : `Plan ${planId} is not ${what}: ${halted}. Nothing was sent, its resting orders stay.`

/** Why a plan is not resumed, as a sentence; null where it may be. `halted` as in `haltComplaint`. */
export const resumeComplaint = (plan: Plan, halted: string | null): string | null =>
  haltComplaint(plan, 'resumed', halted) ?? unknownFillComplaint(plan)
