import { zero } from '../money.ts'
import { holdReason, viewOf } from './next-step.ts'
import { isLive, type Plan, type PlanOrder, withPlanEvent } from './plan.ts'
import { decide } from './plan-table.ts'

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
  const price = { kind: 'unknown', why: '', sinceMs: nowMs } as const
  const facts = { nowMs, instrument: null, price, blindMs: 0, judge: () => null, hasBudget: false }
  if (holdReason(viewOf(after, facts)) !== null) return 'holds'
  return decide(after, facts).state === 'over' ? 'ends' : 'goesOn'
}
