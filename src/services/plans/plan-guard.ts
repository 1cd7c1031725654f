import type { CheckRule } from '../../domain/orders/checks/check.ts'
import type { Side } from '../../domain/orders/order.ts'
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
