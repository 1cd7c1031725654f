import type { OrderDraft } from '../orders/order.ts'
import type { PlanFacts, PlanPrice } from './facts.ts'
import { type Plan, withPlanEvent } from './plan.ts'
import { decide } from './plan-table.ts'

/**
 * The order with which a plan that is resumed may trade at once: a market order, or one whose price the market has
 * reached or may have reached. Null where it sends nothing yet, or what it sends rests first.
 */
export function tradedOnResume(plan: Plan, facts: PlanFacts): OrderDraft | null {
  const resumed = withPlanEvent(plan, { event: 'resumed', planId: plan.planId, atMs: facts.nowMs })
  const move = decide(resumed, facts)
  if (move.kind !== 'step' || move.step.do === 'cancel') return null
  const draft = move.step.do === 'place' ? move.step.draft : move.step.rest
  return mayTradeAtOnce(draft, facts.price) ? draft : null
}

/** Whether an order may trade as soon as it is sent; of an unknown price the worse is taken. */
function mayTradeAtOnce({ side, stopPrice, limitPrice, postOnly }: OrderDraft, price: PlanPrice): boolean {
  const level = stopPrice ?? limitPrice
  if (level === null) return true
  if (postOnly) return false
  if (price.kind === 'unknown') return true
  // The last trade triggers stops, and the mid stands for what the other side of the book asks.
  const seen = price.last === null ? [price.price] : [price.price, price.last]
  // A buy stop waits for a rise, a buy limit for a fall.
  const isReachedAbove = (side === 'BUY') === (stopPrice !== null)
  return seen.some((each) => (isReachedAbove ? each.gte(level) : each.lte(level)))
}
