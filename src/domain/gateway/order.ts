import type { GatewayEvent, GatewayOrderState } from './event.ts'

/** How late a state is in the life of an order; the two ends are equally late. */
const rank: Readonly<Record<GatewayOrderState, number>> = { PENDING: 0, WITHDRAWING: 1, COMPLETED: 2, FAILED: 2 }

export const isEnded = (state: GatewayOrderState): boolean => rank[state] === 2

/** What decides which of two events of an order is shown. */
export type StateStamp = {
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
 * An order as its events tell it: what is shown is the latest state; a late event never takes it back and stays in the
 * history.
 */
export type GatewayOrder = {
  readonly orderId: string
  readonly shown: GatewayEvent
  /** In the order in which they were received. */
  readonly history: readonly HistoryStep[]
  readonly lateCount: number
  readonly copyCount: number
}

/** The order that these events of one order tell of, in the order they were received. Null when there are none. */
export function gatewayOrder(received: readonly ReceivedEvent[]): GatewayOrder | null {
  let shown: GatewayEvent | null = null
  const history: HistoryStep[] = []
  let copyCount = 0
  for (const each of received) {
    const isLate = shown !== null && compareStates(stampOf(each.event), stampOf(shown)) < 0
    history.push({ ...each, isLate })
    copyCount += each.copies
    if (!isLate) shown = each.event
  }
  if (shown === null) return null
  const lateCount = history.filter(({ isLate }) => isLate).length
  return { orderId: shown.orderId, shown, history, lateCount, copyCount }
}
