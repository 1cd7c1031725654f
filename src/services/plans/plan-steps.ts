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
  /** The client order id of the plan's next order. */
  clientOrderId: string
  /** Writes a line to disk and applies it; false when the disk fails, and then nothing may be sent. */
  keep: (event: PlanEvent) => Promise<boolean>
  /** Applies what was seen at once. */
  learn: (event: PlanEvent) => void
  report: (order: Order, quantity: Decimal | null) => void
  /** Call when no cancel of this order is in progress any more. */
  answered: (clientOrderId: string) => void
  /** Client order ids of all plans' orders: the user approved each plan, so duplicates of these are intended. */
  besides: readonly string[]
  /** The present state of the order. */
  orderNow: (clientOrderId: string) => PlanOrder | null
}

/**
 * Takes one step: recorded first, then sent through order entry, then its outcome recorded. Without an answer it stays
 * as recorded, to be looked for. False when the disk failed and nothing was done.
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

/** A plan's order as recorded, to compare with reports of its end. */
function knownOf({ clientOrderId, draft: { symbol, side, limitPrice, orderQuantity } }: PlanOrder): KnownOrder {
  return { clientOrderId, symbol, side, limitPrice, orderQuantity }
}

/** Applies the outcome of an order sent under this id. */
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
  // A report that arrived meanwhile is newer, even one that only shows that the order exists.
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
  // That this cancel had no effect says nothing about an earlier one, which may still arrive.
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
      // With an order's id the cancel has no answer, and the new order was not sent. Else the new one is looked for.
      if ('orderId' in outcome) notPlaced(planId, clientOrderId, outcome.reason, false, context)
      break
    case 'notSent':
      notPlaced(planId, clientOrderId, outcome.reason, false, context)
      // Its own report shows whether an earlier cancel was sent: it was answered, or never sent.
      context.answered(order.clientOrderId)
      break
    case 'refused':
    case 'ended':
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
