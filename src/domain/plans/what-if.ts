import { zero } from '../money.ts'
import type { OrderDraft } from '../orders/order.ts'
import { isStopReached } from '../orders/stop-trigger.ts'
import { type PlanFacts, type PlanPrice, recordFacts } from './facts.ts'
import { holdReason, viewOf } from './next-step.ts'
import { isLive, type Plan, type PlanOrder, withPlanEvent } from './plan.ts'
import { decide } from './plan-table.ts'

// What a plan would come to, for whoever is asked before it happens.

/** What becomes of a plan whose orders are canceled by hand. */
export type AfterCancel = 'holds' | 'ends' | 'goesOn'
export const afterCancels: readonly AfterCancel[] = ['holds', 'ends', 'goesOn']

/**
 * What a plan comes to once these of its orders are canceled by hand, with no more filled than is known: without an
 * entry that has not filled it ends, without a leg it is held. Null where it loses nothing that could still trade.
 */
export function afterCancel(plan: Plan, isCanceled: (order: PlanOrder) => boolean): AfterCancel | null {
  const lost = plan.orders.filter((order) => isLive(order) && isCanceled(order))
  if (lost.length === 0) return null
  if (plan.cancel !== null) return 'ends'
  const { planId, dueSinceMs: nowMs } = plan
  const canceled = { standing: 'ended', status: 'CANCELED', quantity: null, reason: null } as const
  const after = lost.reduce((each, { clientOrderId, orderId, filled }) => {
    const of = { planId, atMs: nowMs, clientOrderId, orderId, filled: filled ?? zero }
    return withPlanEvent(each, { event: 'seen', ...of, ...canceled })
  }, plan)
  // At the time it was asked for nothing is late, and neither price nor rules say whether a plan waits for a person.
  const facts = recordFacts(nowMs)
  if (holdReason(viewOf(after, facts)) !== null) return 'holds'
  return decide(after, facts).state === 'over' ? 'ends' : 'goesOn'
}

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
function mayTradeAtOnce(draft: OrderDraft, price: PlanPrice): boolean {
  const { side, stopPrice, limitPrice, postOnly } = draft
  if (stopPrice === null && limitPrice === null) return true
  if (postOnly) return false
  if (price.kind === 'unknown') return true
  // The last trade triggers stops, and the mid stands for what the other side of the book asks.
  const seen = price.last === null ? [price.price] : [price.price, price.last]
  if (limitPrice === null || stopPrice !== null) return seen.some((each) => isStopReached(draft, each))
  return seen.some((each) => (side === 'BUY' ? each.lte(limitPrice) : each.gte(limitPrice)))
}
