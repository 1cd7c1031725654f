import { zero } from '../money.ts'
import { ask, block, type Check, checkLevels } from '../orders/checks/check.ts'
import { type CheckContext, orderChecks } from '../orders/checks/pre-trade.ts'
import type { SentOrder } from '../orders/exposure.ts'
import type { OrderDraft } from '../orders/order.ts'
import type { PlanFacts } from './facts.ts'
import { begunPlan, type Plan } from './plan.ts'
import { decide } from './plan-table.ts'
import type { PlanTerms } from './terms.ts'

/** The orders that a plan sends first: one, or all of a scale; a clause where none can be said. */
function firstDrafts(terms: PlanTerms, facts: PlanFacts): readonly OrderDraft[] | string {
  const move = decide(begunPlan('p0', terms, 0), facts)
  if (move.kind !== 'step' || move.step.do !== 'place') return move.kind === 'wait' ? move.why : 'it has nothing to do'
  const { draft } = move.step
  if (terms.kind !== 'scale') return [draft]
  return terms.slices.map(({ price, quantity }) => ({ ...draft, limitPrice: price, orderQuantity: quantity }))
}

/** Of each rule the worst that it says of any of the orders; the first of those where several are as bad. */
export function worstOfEach(checks: readonly Check[]): Check[] {
  const byRule = new Map<string, Check>()
  for (const check of checks) {
    const before = byRule.get(check.rule)
    if (before === undefined || checkLevels.indexOf(check.level) > checkLevels.indexOf(before.level))
      byRule.set(check.rule, check)
  }
  return [...byRule.values()]
}

/** What a sum of several orders is judged by, as one order of all of it. */
const ofTheSum: ReadonlySet<string> = new Set(['funds', 'orderValue', 'dayValue'])

/**
 * Every check of the orders that a plan sends first, as if a person sent them: of a scale each by itself, the sum of
 * them as one order, and one of them with all the others open beside it.
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

/** In an order of its own: terms from a record have their parts in another than those that were just typed. */
const termsKey = (terms: PlanTerms): string => JSON.stringify(Object.entries(terms).toSorted())

/**
 * Asks about a plan that is like an open one which was begun a moment ago: twice the same is a slip more often than it
 * is meant. `nowMs` is by the wall clock.
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
