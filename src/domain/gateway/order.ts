import { type Decimal, exactPlus, zero } from '../money.ts'
import { epochMsOf, type GatewayEvent, type GatewayOrderState } from './event.ts'

/** The rank of a state in an order's life; both ends have the same. */
const rank: Readonly<Record<GatewayOrderState, number>> = { PENDING: 0, WITHDRAWING: 1, COMPLETED: 2, FAILED: 2 }

/** True for a state that no other one follows. */
export const isEnded = (state: GatewayOrderState): boolean => rank[state] === 2

/** The values that decide which of two events is shown. */
type StateStamp = {
  readonly orderState: GatewayOrderState
  readonly updatedAtNs: bigint
  readonly eventId: string
}

/**
 * Negative when `left` is the earlier state: by time of change, to the nanosecond; then by rank; then, so that all
 * readers agree, COMPLETED before FAILED and by id.
 */
export function compareStates(left: StateStamp, right: StateStamp): number {
  if (left.updatedAtNs !== right.updatedAtNs) return left.updatedAtNs < right.updatedAtNs ? -1 : 1
  const byRank = rank[left.orderState] - rank[right.orderState]
  if (byRank !== 0) return byRank
  if (left.orderState !== right.orderState) return left.orderState === 'COMPLETED' ? -1 : 1
  return left.eventId < right.eventId ? -1 : left.eventId > right.eventId ? 1 : 0
}

/** By what the event is compared with others of its order: see `StateStamp`. */
export const stampOf = (event: GatewayEvent): StateStamp => ({
  orderState: event.orderState,
  updatedAtNs: event.orderStateUpdatedAt.epochNs,
  eventId: event.eventId,
})

/** A received event. `copies`: number of identical copies. */
export type ReceivedEvent = { readonly event: GatewayEvent; readonly receivedAtMs: number; readonly copies: number }

/** A step of an order's history, late when a later state was received before it. */
export type HistoryStep = ReceivedEvent & { readonly isLate: boolean }

/**
 * The sums of orders of one UTC day, state and currency. An order counts twice: in the currency that funds it and in
 * the one paid out.
 */
export type OrderSum = {
  /** The day of the orders' creation, `2026-11-20`. */
  readonly day: string
  readonly state: GatewayOrderState
  readonly currency: string
  readonly direction: 'input' | 'output'
  readonly orderCount: number
  readonly amount: Decimal
  /** Of the input only: the service's, partner's and network's fees, in the same currency. */
  readonly processingFees: Decimal
  readonly partnerFees: Decimal
  readonly networkFees: Decimal
}

/** Sums by key, updated by changes, never recomputed from all orders. */
export type OrderSums = ReadonlyMap<string, OrderSum>

export const noOrderSums: OrderSums = new Map()

/** The UTC day of the order's creation, whatever its time's offset. */
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

/** A change of an order's shown event; null when it did not or does not exist. */
export type ShownChange = { readonly before: GatewayEvent | null; readonly after: GatewayEvent | null }

/** Applies changes to the sums, exactly. */
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

/** So many characters of an order's or event's id are enough, where only one id begins with them. */
export const idStartMin = 4
