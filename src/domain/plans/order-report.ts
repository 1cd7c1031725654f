import { type Decimal, sameAmount, zero } from '../money.ts'
import { isStopType, isWorking, type Order } from '../orders/order.ts'
import { isFillUnknown, type PlanOrder, type SeenEvent, type Standing } from './plan.ts'

/** What is known of a report, and of its order besides. */
type Told = {
  planId: string
  atMs: number
  /**
   * What it was placed with; null when that is not said: then of a replacement whose quantity is not known it only
   * counts that it is there.
   */
  quantity: Decimal | null
  /** It was reported finished but works on: earlier reports no longer count, its executions do. */
  isBack: boolean
  /** What its executions come to, as far as they are told. */
  told: Decimal
}

/** The event of an exchange report about a plan's order; null when it is not news. */
export function seenOf(
  before: PlanOrder,
  report: Order,
  { planId, atMs, quantity, isBack, told }: Told,
): SeenEvent | null {
  const { orderId, status, cumQuantity, text } = report
  // A reported end is final: an outdated list does not contradict it.
  if (before.standing === 'ended' && before.status !== null && !isBack) {
    if (before.filled !== null || cumQuantity === null || isWorking(report)) return null
  }
  // A rejected duplicate of an order says nothing about the order itself.
  if ((status === 'REJECTED' && orderId !== before.orderId) || isOtherOrder(before, report)) return null
  const { clientOrderId, draft, isQuantityKnown } = before
  const of = { event: 'seen', planId, atMs, clientOrderId, orderId } as const
  if (!isQuantityKnown && quantity === null && before.standing !== 'ended') {
    if (orderId === null || orderId === before.orderId) return null
    return { ...of, standing: 'sent', status: null, filled: zero, quantity, reason: null }
  }
  const standing: Standing = isWorking(report) ? 'working' : 'ended'
  const asked = quantity ?? draft.orderQuantity
  const odd = oddQuantity(report, asked, told)
  // While the order works, an impossible report is ignored: the next one tells.
  if (odd !== null && standing === 'working') return null
  const filled = odd === null ? filledAfter(isBack ? { filled: told } : before, report, asked) : null
  const isSame =
    before.standing === standing &&
    before.orderId === (orderId ?? before.orderId) &&
    before.status === status &&
    sameAmount(before.filled, filled)
  if (isSame) return null
  const placed = isQuantityKnown && draft.orderQuantity.eq(asked) ? null : quantity
  const seen = { ...of, standing, status, filled, quantity: placed, reason: odd?.reason ?? text }
  return odd?.isContradicted === true ? { ...seen, isContradicted: true } : seen
}

const isOtherOrder = ({ draft }: PlanOrder, report: Order) =>
  draft.symbol !== report.symbol || draft.side !== report.side

/** The event of an order whose executions come to more than it was reported to have ended with. */
export function endedOtherwise(
  { clientOrderId, orderId, status, filled }: PlanOrder,
  told: Decimal,
  planId: string,
  atMs: number,
): SeenEvent {
  const reason = `reported as ${status ?? 'ended'} with ${filled?.toFixed() ?? 'no sum'}, ${executedText(told)}`
  const unknown = { standing: 'ended', status: null, filled: null, quantity: null } as const
  return { event: 'seen', planId, atMs, clientOrderId, orderId, ...unknown, reason, isContradicted: true }
}

const executed = 'while its executions come to'
const executedText = (told: Decimal): string => `${executed} ${told.toFixed()}`

/** A line of a record; in older ones, without `isContradicted`, the words of the reason say it. */
export const withContradiction = (event: SeenEvent): SeenEvent =>
  event.reason?.includes(executed) === true ? { ...event, isContradicted: true } : event

/**
 * True for an order of whose end no report tells, while its executions come to all of it: nothing of it can trade any
 * more. Not where a report contradicts them: a person looks.
 */
export const isFilledByExecutions = (order: PlanOrder, told: Decimal): boolean =>
  isFillUnknown(order) && order.isQuantityKnown && order.isContradicted !== true && told.eq(order.draft.orderQuantity)

/** The event of an order whose executions tell more of its end than its reports did. */
export const toldByExecutions = (order: PlanOrder, told: Decimal, planId: string, atMs: number): SeenEvent =>
  isFilledByExecutions(order, told)
    ? {
        ...{ event: 'seen', planId, atMs, clientOrderId: order.clientOrderId, orderId: order.orderId },
        ...{ standing: 'ended', status: 'FILLED', filled: told, quantity: null, reason: null },
      }
    : endedOtherwise(order, told, planId, atMs)

/** Why a report's quantities are not believed, and whether the order's executions are what contradicts them. */
type Oddity = { reason: string; isContradicted?: true }

/** Why a report's quantities cannot be those of an order of `asked`: its fills are not believed. Null when they can. */
function oddQuantity(report: Order, asked: Decimal, told: Decimal): Oddity | null {
  const { type, status, cumQuantity: cum, leavesQuantity: leaves } = report
  if (cum === null) return null
  const reason = `reported as ${status} with ${cum.toFixed()} of ${asked.toFixed()}`
  if (status === 'FILLED' && !cum.eq(asked)) return { reason }
  const before = leaves === null ? '' : `, ${leaves.toFixed()} open before`
  if (cum.gt(asked) || cum.lt(0)) return { reason: reason + before }
  if (told.gt(cum) && !isWorking(report)) return { reason: `${reason}, ${executedText(told)}`, isContradicted: true }
  // Open before the end plus filled is all of it; an untriggered stop may report zeros.
  if (leaves === null || (status !== 'CANCELED' && status !== 'EXPIRED')) return null
  const isAll = cum.plus(leaves).eq(asked) || (isStopType(type) && cum.isZero() && leaves.isZero())
  return isAll ? null : { reason: reason + before }
}

/** The filled quantity of a consistent report, never less than known before. Null when not reported. */
function filledAfter(before: Pick<PlanOrder, 'filled'>, report: Order, asked: Decimal): Decimal | null {
  const { status, cumQuantity } = report
  const known = before.filled ?? zero
  if (status === 'FILLED') return cumQuantity ?? asked
  if (cumQuantity === null && status !== 'REJECTED') return isWorking(report) ? before.filled : null
  return cumQuantity?.gt(known) === true ? cumQuantity : known
}
