import { zero } from '../money.ts'
import { ask, block, type Check, checkLevels } from '../orders/checks/check.ts'
import { type CheckContext, orderChecks } from '../orders/checks/pre-trade.ts'
import type { SentOrder } from '../orders/exposure.ts'
import type { OrderDraft } from '../orders/order.ts'
import type { PlanFacts } from './facts.ts'
import { begunPlan, type Plan, planNumber } from './plan.ts'
import { decide } from './plan-table.ts'
import type { PlanTerms } from './terms.ts'

/** The orders a plan sends first: one, or all of a scale; a clause when they cannot be determined. */
function firstDrafts(terms: PlanTerms, facts: PlanFacts): readonly OrderDraft[] | string {
  const move = decide(begunPlan('p0', terms, facts.nowMs), facts)
  if (move.kind !== 'step' || move.step.do !== 'place') return move.kind === 'wait' ? move.why : 'it has nothing to do'
  const { draft } = move.step
  if (terms.kind !== 'scale') return [draft]
  return terms.slices.map(({ price, quantity }) => ({ ...draft, limitPrice: price, orderQuantity: quantity }))
}

/** The worst result of each rule over all orders; the first of equally bad ones. */
export function worstOfEach(checks: readonly Check[]): Check[] {
  const byRule = new Map<string, Check>()
  for (const check of checks) {
    const before = byRule.get(check.rule)
    if (before === undefined || checkLevels.indexOf(check.level) > checkLevels.indexOf(before.level))
      byRule.set(check.rule, check)
  }
  return [...byRule.values()]
}

/** Rules that are applied to the sum of several orders, as one order. */
const ofTheSum: ReadonlySet<string> = new Set(['funds', 'orderValue', 'dayValue'])

/**
 * All checks of the orders a plan sends first, as if a user sent them: each order of a scale alone, their sum as one
 * order, and one of them with all others open.
 */
export function firstOrderChecks(terms: PlanTerms, facts: PlanFacts, context: CheckContext): Check[] {
  const drafts = firstDrafts(terms, facts)
  if (typeof drafts === 'string') return [block('market', drafts)]
  const checks = drafts.flatMap((draft) => orderChecks(draft, context))
  const [first, ...rest] = drafts
  if (terms.kind !== 'scale' || first === undefined) return worstOfEach(checks)
  const notional = terms.slices.reduce((sum, { price, quantity }) => sum.plus(price.times(quantity)), zero)
  const average = notional.div(terms.quantity)
  const sum = orderChecks({ ...first, orderQuantity: terms.quantity, limitPrice: average }, context)
  const others = rest.map(
    (draft, at): SentOrder => ({ clientOrderId: `p0-${at}`, draft, atMs: context.nowMs, stage: 'inFlight' }),
  )
  const beside = orderChecks(first, { ...context, recentOrders: [...context.recentOrders, ...others] })
  return worstOfEach([
    ...checks,
    ...sum.filter(({ rule }) => ofTheSum.has(rule)),
    ...beside.filter(({ rule }) => rule === 'openOrders'),
  ])
}

/** Sorted, because terms from a record have another field order than typed ones. */
const termsKey = (terms: PlanTerms): string => JSON.stringify(Object.entries(terms).toSorted())

/**
 * Asks about a plan equal to an open one that was started a moment ago, which is more often a mistake than intended.
 * `nowMs` is wall clock time.
 */
export function alikePlanChecks(
  terms: PlanTerms,
  open: Iterable<Plan>,
  { nowMs, withinMs }: { nowMs: number; withinMs: number },
): Check[] {
  for (const plan of open) {
    const agoMs = nowMs - plan.atMs
    if (plan.ended !== null || agoMs < 0 || agoMs >= withinMs || termsKey(plan.terms) !== termsKey(terms)) continue
    return [ask('duplicate', `plan ${plan.planId} is the same, begun ${Math.ceil(agoMs / 1_000)} s ago`)]
  }
  return []
}

/**
 * The refusal of a plan equal to one that was begun after its check, which saw the plans up to number `after`: of two
 * scripts that run in the same moment, or of a desk beside one, neither sees the other's plan.
 */
export function begunMeanwhile(terms: PlanTerms, plans: Iterable<Plan>, after: number): string | null {
  for (const plan of plans)
    if (planNumber(plan.planId) > after && termsKey(plan.terms) === termsKey(terms))
      return `plan ${plan.planId} is the same, begun after this one was checked`
  return null
}
