import { type Decimal, exactPlus, zero } from '../money.ts'
import { epochMsOf, type GatewayEvent, type GatewayOrderState } from './event.ts'

/** How late a state is in the life of an order; the two ends are equally late. */
const rank: Readonly<Record<GatewayOrderState, number>> = { PENDING: 0, WITHDRAWING: 1, COMPLETED: 2, FAILED: 2 }

export const isEnded = (state: GatewayOrderState): boolean => rank[state] === 2

/** What decides which of two events of an order is shown. */
type StateStamp = {
  readonly orderState: GatewayOrderState
  readonly updatedAtNs: bigint
  readonly eventId: string
}

/**
 * Negative when `left` is the earlier state: by the time of the change, to the nanosecond; at the same time by how late
 * the state is in the life of an order; then, so that every reader decides alike, COMPLETED before FAILED and by id.
 */
export function compareStates(left: StateStamp, right: StateStamp): number {
  if (left.updatedAtNs !== right.updatedAtNs) return left.updatedAtNs < right.updatedAtNs ? -1 : 1
  const byRank = rank[left.orderState] - rank[right.orderState]
  if (byRank !== 0) return byRank
  if (left.orderState !== right.orderState) return left.orderState === 'COMPLETED' ? -1 : 1
  return left.eventId < right.eventId ? -1 : left.eventId > right.eventId ? 1 : 0
}

export const stampOf = (event: GatewayEvent): StateStamp => ({
  orderState: event.orderState,
  updatedAtNs: event.orderStateUpdatedAt.epochNs,
  eventId: event.eventId,
})

/** An event as it was received. `copies`: how often the same event came again. */
export type ReceivedEvent = { readonly event: GatewayEvent; readonly receivedAtMs: number; readonly copies: number }

/** A step in an order's history: late when a later state had been received before it. */
export type HistoryStep = ReceivedEvent & { readonly isLate: boolean }

/**
 * What orders of one UTC day, state and currency come to. An order counts twice: in the currency that funds it and in
 * the one it pays out.
 */
export type OrderSum = {
  /** The day the orders were made, `2026-11-20`. */
  readonly day: string
  readonly state: GatewayOrderState
  readonly currency: string
  readonly direction: 'input' | 'output'
  readonly orderCount: number
  readonly amount: Decimal
  /** Of the input only: the service's, the partner's and the network's fee, in the same currency. */
  readonly processingFees: Decimal
  readonly partnerFees: Decimal
  readonly networkFees: Decimal
}

/** Sums by a key of their own; made from changes alone, never from all orders again. */
export type OrderSums = ReadonlyMap<string, OrderSum>

export const noOrderSums: OrderSums = new Map()

/** The UTC day of the order's creation, whatever offset its time is written with. */
const dayOfEvent = ({ createdAt }: GatewayEvent): string => new Date(epochMsOf(createdAt)).toISOString().slice(0, 10)

function partsOf(event: GatewayEvent): OrderSum[] {
  const day = dayOfEvent(event)
  const common = { day, state: event.orderState, orderCount: 1 }
  const { processingFee, partnerFee, networkFee } = event
  const fees = { processingFees: processingFee, partnerFees: partnerFee, networkFees: networkFee }
  const noFees = { processingFees: zero, partnerFees: zero, networkFees: zero }
  return [
    { ...common, currency: event.inputCurrency, direction: 'input', amount: event.inputAmount, ...fees },
    { ...common, currency: event.outputCurrency, direction: 'output', amount: event.outputAmount, ...noFees },
  ]
}

const keyOf = ({ day, state, currency, direction }: OrderSum): string => `${day} ${state} ${direction} ${currency}`

const negated = (sum: OrderSum): OrderSum => ({
  ...sum,
  orderCount: -sum.orderCount,
  amount: sum.amount.neg(),
  processingFees: sum.processingFees.neg(),
  partnerFees: sum.partnerFees.neg(),
  networkFees: sum.networkFees.neg(),
})

const together = (left: OrderSum, right: OrderSum): OrderSum => ({
  ...left,
  orderCount: left.orderCount + right.orderCount,
  amount: exactPlus(left.amount, right.amount),
  processingFees: exactPlus(left.processingFees, right.processingFees),
  partnerFees: exactPlus(left.partnerFees, right.partnerFees),
  networkFees: exactPlus(left.networkFees, right.networkFees),
})

/** An order that was shown as `before` is shown as `after` now; null where it was, or is, not there. */
export type ShownChange = { readonly before: GatewayEvent | null; readonly after: GatewayEvent | null }

/** The sums after these changes, every digit kept. */
export function withChanges(sums: OrderSums, changes: readonly ShownChange[]): OrderSums {
  if (changes.every(({ before, after }) => before === after)) return sums
  const next = new Map(sums)
  const add = (part: OrderSum) => {
    const key = keyOf(part)
    const before = next.get(key)
    const sum = before === undefined ? part : together(before, part)
    if (sum.orderCount === 0) next.delete(key)
    else next.set(key, sum)
  }
  for (const { before, after } of changes) {
    if (before !== null) partsOf(before).map(negated).forEach(add)
    if (after !== null) partsOf(after).forEach(add)
  }
  return next
}
