import {
  isStopType,
  isWorking,
  type Order,
  type OrderDraft,
  orderName,
  orderQuantity,
} from '../../domain/orders/order.ts'
import { orderMismatches } from '../../domain/orders/order-outcome.ts'
import type { PlanMove } from '../../domain/plans/next-step.ts'
import type { Plan, PlanRole } from '../../domain/plans/plan.ts'
import type { PlanState } from '../../domain/plans/plan-table.ts'
import { exitSide, type PlanTerms } from '../../domain/plans/terms.ts'
import { mismatchText } from '../../domain/write-outcome.ts'
import type { NextOrders } from './next-orders.ts'
import type { PlanBook } from './plan-book.ts'

/** The order that a plan was about to send; null for a plan about to end. */
type Planned = { role: PlanRole; slice: number | null; draft: OrderDraft }

const plannedOf = (move: PlanMove): Planned | null => {
  if (move.kind !== 'step' || move.step.do === 'cancel') return null
  const { step } = move
  return step.do === 'place' ? step : { role: step.role, slice: step.order.slice, draft: step.rest }
}

/** True for an order that works or has traded: any other does not change a plan that ends. */
const matters = (order: Order): boolean => isWorking(order) || order.cumQuantity?.isZero() !== true

type TakeContext = {
  next: Pick<NextOrders, 'ahead' | 'isUnsure'>
  book: Pick<PlanBook, 'learn' | 'tellOf'>
  report: (order: Order) => void
  wallMs: () => number
}

const isEndAsked = ({ cancel }: Plan, { kind }: PlanMove): boolean => kind === 'end' && cancel !== null

/** Why a plan does its next move, for the user: with what was not seen where a person ends it while the lists fail. */
export const whyOf = (plan: Plan, move: PlanMove, next: Pick<NextOrders, 'isUnsure'>): string =>
  move.kind === 'end' && next.isUnsure(plan) ? `${move.why}; ${unseenAhead}` : move.why

const unseenAhead =
  'the lists of orders could not be read, so that an order of it from another copy of its record may be at the ' +
  'exchange: look there'

/**
 * Takes over what the plan sent but its record lacks, before it sends more, ends without those orders, or takes its own
 * move for a user's cancel. True when it must decide again, false when it must wait for the exchange, null when there
 * is nothing.
 */
export async function takeAhead(
  plan: Plan,
  move: PlanMove & { state: PlanState },
  context: TakeContext,
): Promise<boolean | null> {
  const planned = plannedOf(move)
  const isHeld = move.state === 'held' && plan.hold === null
  if (planned === null && move.kind !== 'end' && !isHeld) return null
  const isLeg = planned?.role === 'stop' || planned?.role === 'target'
  const ahead = await context.next.ahead(plan, isLeg ? 'leg' : isEndAsked(plan, move) ? 'end' : 'nothing')
  if (ahead === 'unseen') {
    if (isHeld) return null
    const waits = { kind: 'wait', why: 'Looking at the exchange for orders of its own first' } as const
    context.book.tellOf({ plan, state: move.state, why: waits.why, refused: null }, waits)
    return false
  }
  const found = move.kind === 'end' ? ahead.filter(matters) : ahead
  // The call took time: it decides again with what is known now.
  if (found.length === 0) return context.next.isUnsure(plan) ? null : true
  takeOver(plan, found, planned, context)
  return true
}

/**
 * Takes over orders that the plan sent and its record lacks, as what they are, whatever it would send now. The user
 * must compare anything else that the record lacks.
 */
function takeOver(
  plan: Plan,
  orders: readonly Order[],
  planned: Planned | null,
  { book, report, wallMs }: TakeContext,
): void {
  const { planId, terms } = plan
  const taken = new Set<string>()
  for (const order of orders) {
    const { clientOrderId } = order
    // A plan can have only one of two orders under one id: both are reported to the user.
    if (taken.has(clientOrderId)) continue
    taken.add(clientOrderId)
    const role = roleOf(terms, order, planned?.role ?? null)
    const slice = role === 'slice' ? sliceOf(terms, order, planned?.slice ?? null) : null
    const draft = draftOf(plan, order, role, planned)
    const of = { planId, clientOrderId, role, slice, draft, replaces: null }
    book.learn({ event: 'sending', atMs: wallMs(), ...of })
    report(order)
  }
  book.learn({ event: 'held', planId, atMs: wallMs(), why: heldText(orders, planned) })
}

function heldText(orders: readonly Order[], planned: Planned | null): string {
  const [first] = orders
  const isOne = orders.length === 1
  const names = orders.map(orderName).join(', ')
  const what = isOne
    ? `order ${names} is at the exchange under the id of its next one`
    : `orders ${names} are at the exchange under the ids of its next ones`
  const mismatches =
    isOne && first !== undefined && planned !== null
      ? orderMismatches({ ...planned.draft, clientOrderId: first.clientOrderId }, first)
      : []
  const otherwise = mismatches.length === 0 ? '' : `, with other terms (${mismatchText(mismatches)})`
  return (
    `${what}${otherwise}: this record is an older copy, or another one runs elsewhere. ` +
    "Compare the plan's orders with the exchange's, and cancel what is there twice"
  )
}

function roleOf(terms: PlanTerms, { side, type }: Order, planned: PlanRole | null): PlanRole {
  if (terms.kind === 'scale') return 'slice'
  if (terms.kind === 'bracket' && side !== exitSide(terms)) return 'entry'
  if (isStopType(type) || terms.kind === 'trailing') return 'stop'
  return type === 'LIMIT' ? 'target' : (planned ?? 'stop')
}

function sliceOf(terms: PlanTerms, { limitPrice }: Order, planned: number | null): number | null {
  const at =
    terms.kind === 'scale' && limitPrice !== null ? terms.slices.findIndex(({ price }) => price.eq(limitPrice)) : -1
  return at === -1 ? planned : at
}

/** Its terms as reported. The stop trigger is not reported, so the plan's own is used. */
function draftOf({ terms, orders }: Plan, order: Order, role: PlanRole, planned: Planned | null): OrderDraft {
  const { symbol, side, type, limitPrice } = order
  const like = planned?.role === role ? planned.draft : null
  const before = orders.findLast((each) => each.role === role)?.draft ?? null
  const ofTerms = terms.kind === 'scale' ? null : terms.stopPrice
  const stopPrice =
    role === 'stop' ? (like?.stopPrice ?? (terms.kind === 'trailing' ? before?.stopPrice : null) ?? ofTerms) : null
  return {
    ...{ symbol, side, type, limitPrice, stopPrice },
    orderQuantity: orderQuantity(order) ?? like?.orderQuantity ?? terms.quantity,
    timeInForce: like?.timeInForce ?? before?.timeInForce ?? (type === 'MARKET' ? 'IOC' : 'GTC'),
    expireDate: null,
    minQuantity: null,
    postOnly: like?.postOnly ?? false,
  }
}
