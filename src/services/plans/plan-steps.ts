import type { Clock } from '../../base/clock.ts'
import type { Decimal } from '../../domain/money.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { CancelOutcome, KnownOrder, OrderOutcome } from '../../domain/orders/order-outcome.ts'
import type { PlanStep } from '../../domain/plans/next-step.ts'
import type { Plan, PlanEvent, PlanOrder } from '../../domain/plans/plan.ts'
import type { NotSent } from '../../domain/write-outcome.ts'
import type { OrderEntry } from '../orders/order-entry.ts'

export type StepContext = {
  orders: Pick<OrderEntry, 'submit' | 'cancel' | 'move'>
  clock: Clock
  /** The id under which the plan's next order goes out. */
  clientOrderId: string
  /** Puts a line on disk and lets it count; false where the disk does not take it: then nothing may be sent. */
  keep: (event: PlanEvent) => Promise<boolean>
  /** What was seen counts at once. */
  learn: (event: PlanEvent) => void
  report: (order: Order, quantity: Decimal | null) => void
  /** No cancel of this order is under way any more. */
  answered: (clientOrderId: string) => void
  /** Client order ids of what plans have sent: a user has approved each plan, and its duplicates are intended. */
  besides: readonly string[]
  /** The order as it is known by now. */
  orderNow: (clientOrderId: string) => PlanOrder | null
}

/**
 * Takes one step: on the plan's record first, then through order entry, then what came of it. What has no answer stays
 * as it was written down, to be looked for. False when nothing was done, because the disk did not take it.
 */
export async function takeStep(plan: Plan, step: PlanStep, context: StepContext): Promise<boolean> {
  switch (step.do) {
    case 'place':
      return await place(plan, step, context)
    case 'cancel':
      return await cancel(plan, step.order, context)
    case 'replace':
      return await replace(plan, step, context)
  }
}

async function place(
  plan: Plan,
  { role, slice, draft }: Extract<PlanStep, { do: 'place' }>,
  context: StepContext,
): Promise<boolean> {
  const { planId } = plan
  const { clientOrderId } = context
  const atMs = context.clock.wallMs()
  if (!(await context.keep({ event: 'sending', planId, atMs, clientOrderId, role, slice, draft, replaces: null })))
    return false
  const outcome = await context.orders.submit(draft, { clientOrderId, besides: context.besides })
  takePlaced(planId, clientOrderId, outcome, context)
  return true
}

/** An order of a plan as it was written down: reports of its end are held against that. */
function knownOf({ clientOrderId, draft: { symbol, side, limitPrice, orderQuantity } }: PlanOrder): KnownOrder {
  return { clientOrderId, symbol, side, limitPrice, orderQuantity }
}

/** What became of an order that was sent under this id. */
function takePlaced(
  planId: string,
  clientOrderId: string,
  outcome: OrderOutcome | NotSent,
  context: StepContext,
): void {
  if (outcome.kind === 'accepted') context.report(outcome.order, null)
  else if (outcome.kind === 'rejected') notPlaced(planId, clientOrderId, outcome.reason, true, context)
  else if (outcome.kind === 'notSent') notPlaced(planId, clientOrderId, outcome.reason, false, context)
}

function notPlaced(
  planId: string,
  clientOrderId: string,
  reason: string,
  isRefusal: boolean,
  { clock, learn, orderNow }: StepContext,
): void {
  // A report that came meanwhile knows better, also one that tells no more than that the order is there.
  const now = orderNow(clientOrderId)
  if (now?.standing !== 'sent' || now.orderId !== null) return
  const status = isRefusal ? 'REJECTED' : null
  const seen = { orderId: null, standing: 'notPlaced', status, filled: null, quantity: null, reason } as const
  learn({ event: 'seen', planId, atMs: clock.wallMs(), clientOrderId, ...seen })
}

async function cancel({ planId }: Plan, order: PlanOrder, context: StepContext): Promise<boolean> {
  const { clientOrderId, orderId } = order
  if (orderId === null) return false
  if (!(await context.keep({ event: 'canceling', planId, atMs: context.clock.wallMs(), clientOrderId }))) return false
  const outcome = await context.orders.cancel(orderId, { was: knownOf(order) })
  // That this one had no effect says nothing of the one before it, which may still arrive.
  const isFirst = order.cancelingSinceMs === null
  if (isFirst || outcome.kind === 'canceled' || outcome.kind === 'ended')
    takeCanceled(planId, clientOrderId, outcome, context)
  return true
}

function takeCanceled(
  planId: string,
  clientOrderId: string,
  outcome: CancelOutcome | NotSent,
  { clock, learn, report, orderNow }: StepContext,
): void {
  if (outcome.kind === 'canceled' || outcome.kind === 'ended') report(outcome.order, null)
  else if (outcome.kind !== 'unknown' && (orderNow(clientOrderId)?.cancelingSinceMs ?? null) !== null)
    learn({ event: 'notCanceled', planId, atMs: clock.wallMs(), clientOrderId, reason: outcome.reason })
}

async function replace(
  plan: Plan,
  { order, role, draft, rest, isSwap }: Extract<PlanStep, { do: 'replace' }>,
  context: StepContext,
): Promise<boolean> {
  const { planId } = plan
  const { orderId } = order
  if (orderId === null) return false
  const { clock, clientOrderId } = context
  const of = { planId, clientOrderId, role, slice: order.slice, draft: rest, replaces: order.clientOrderId }
  if (!(await context.keep({ event: 'sending', atMs: clock.wallMs(), ...of }))) return false
  const beganMs = clock.now()
  const outcome = await context.orders.move(
    { orderId, was: knownOf(order), whole: draft, rest, fromStop: order.draft.stopPrice },
    { clientOrderId, besides: context.besides },
  )
  const tookMs = clock.now() - beganMs
  switch (outcome.kind) {
    case 'accepted':
      context.report(outcome.order, null)
      if (isSwap) context.learn({ event: 'swapped', planId, atMs: clock.wallMs(), tookMs })
      break
    case 'rejected':
      notPlaced(planId, clientOrderId, outcome.reason, true, context)
      break
    case 'unknown':
      // Of the new order it stays to be looked for; of the cancel nothing new has left.
      if ('orderId' in outcome) notPlaced(planId, clientOrderId, outcome.reason, false, context)
      break
    case 'notSent':
      notPlaced(planId, clientOrderId, outcome.reason, false, context)
      // Whether the cancel left before that, its own report tells: it was answered, or never left.
      context.answered(order.clientOrderId)
      break
    case 'refused':
    case 'ended':
    case 'canceled':
      notPlaced(
        planId,
        clientOrderId,
        outcome.kind === 'refused' ? outcome.reason : 'the order had ended',
        false,
        context,
      )
      takeCanceled(planId, order.clientOrderId, outcome, context)
      break
  }
  return true
}
