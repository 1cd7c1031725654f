import type { Plan } from '../../domain/plans/plan.ts'
import { notSent } from '../../domain/write-outcome.ts'
import type { PlanEntry } from '../../services/plans/plan-runner.ts'
import { type SendLines, waitedTooLong } from '../people/send-lines.ts'
import { isEntry } from './firm-plans.ts'

/**
 * The orders of a plan, sent in the lines of its person: else somebody's plans could hold every call that the exchange
 * works on. What protects goes before whatever else that person waits for.
 */
export function inLines(plan: Plan, orders: PlanEntry['orders'], lines: SendLines): PlanEntry['orders'] {
  const { person } = plan
  const late = () => Promise.resolve(notSent(waitedTooLong))
  return {
    submit(draft, options) {
      const send = () => orders.submit(draft, options)
      return lines.orders.run(person, send, late, !isEntry(plan, draft)).answer
    },
    move: (move, options) => lines.orders.run(person, () => orders.move(move, options), late, true).answer,
    cancel: (orderId, how) => lines.cancels.run(person, () => orders.cancel(orderId, how), late).answer,
  }
}
