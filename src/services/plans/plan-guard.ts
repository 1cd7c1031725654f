import type { Instrument } from '../../domain/market/instrument.ts'
import { type Check, type CheckRule, stopTexts } from '../../domain/orders/checks/check.ts'
import { changedMeanwhile } from '../../domain/plans/edit.ts'
import type { PlanFacts } from '../../domain/plans/facts.ts'
import { begunMeanwhile } from '../../domain/plans/first-orders.ts'
import type { PlanNow } from '../../domain/plans/news.ts'
import { unknownFillComplaint } from '../../domain/plans/next-step.ts'
import type { Plan } from '../../domain/plans/plan.ts'
import { decide } from '../../domain/plans/plan-table.ts'
import { onlyProtects, type PlanTerms, termsComplaint } from '../../domain/plans/terms.ts'
import type { Side } from '../../domain/side.ts'
import type { OrderGuard } from '../orders/limit-guard.ts'

/** The limits on what is opened. */
const ofOpening: ReadonlySet<CheckRule> = new Set(['orderValue', 'dayValue', 'openOrders'])

/**
 * What stops an order of a plan with legs on the side `exit`, null for one without legs. Limits on what is opened apply
 * to its entry and not to its legs: a used-up day must not leave a plan bare.
 */
export const planGuard =
  (exit: Side | null, guard: OrderGuard): OrderGuard =>
  (draft, movedAs, beside) =>
    guard(draft, movedAs, beside).filter(({ rule }) => draft.side !== exit || !ofOpening.has(rule))

/** Maximum open plans. */
export const plansMax = 100

/**
 * Why a new plan cannot begin beside those that are there, as a sentence; null when it can. `instrument`: the rules of
 * its symbol, if loaded; `after`: the newest plan that its check for duplicates saw, if there was one.
 */
export function addComplaint(
  terms: PlanTerms,
  instrument: Instrument | null,
  there: readonly PlanNow[],
  after: number | undefined,
): string | null {
  if (instrument === null) return `The rules of ${terms.symbol} are not loaded: nothing was planned.`
  const complaint = termsComplaint(terms, instrument)
  if (complaint !== null) return complaint
  const plans = there.map(({ plan }) => plan)
  if (plans.filter(({ ended }) => ended === null).length >= plansMax)
    return `${plansMax} plans are open: cancel one. Nothing was planned.`
  const alike = after === undefined ? null : begunMeanwhile(terms, plans, after)
  return alike === null ? null : `Nothing was planned: ${alike}.`
}

/**
 * What stops the first order of a plan, as a clause; null when it may go, and when needed data is not loaded yet, for
 * which it may wait a moment. A plan that only protects waits as long as necessary, unless the desk's mode stops all
 * orders.
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
 * Why a plan is not resumed or changed while nothing is sent, as a sentence: its orders would go out when the desk is
 * armed, unexpectedly. `halted`: the clause that says why nothing is sent; null while orders are sent.
 */
export const haltComplaint = ({ planId }: Plan, what: 'resumed' | 'changed', halted: string | null): string | null =>
  halted === null ? null : `Plan ${planId} is not ${what}: ${halted}. Nothing was sent, its resting orders stay.`

/** Why a plan cannot be resumed, as a sentence; null when it can. `halted` and `seen` as in those two. */
export const resumeComplaint = (plan: Plan, halted: string | null, seen: PlanTerms | undefined): string | null =>
  haltComplaint(plan, 'resumed', halted) ?? changedMeanwhile(plan, seen) ?? unknownFillComplaint(plan)
