import type { Decimal } from '../money.ts'
import { epochMsOf, type GatewayEvent } from './event.ts'
import { compareStates, type HistoryStep, isEnded, type ReceivedEvent, stampOf } from './order.ts'

const shared = <T extends Decimal | null>(amount: T, earlier: T): T =>
  amount !== null && earlier !== null && amount.eq(earlier) ? earlier : amount

/**
 * The event with the very amounts of an earlier one of its order where they are equal. Amounts weigh most of all
 * fields, from one state of an order to the next they hardly ever differ, and a desk holds thousands of orders for
 * days.
 */
const withSharedAmounts = (event: GatewayEvent, earlier: GatewayEvent): GatewayEvent => ({
  ...event,
  inputAmount: shared(event.inputAmount, earlier.inputAmount),
  outputAmount: shared(event.outputAmount, earlier.outputAmount),
  amountUsd: shared(event.amountUsd, earlier.amountUsd),
  processingFee: shared(event.processingFee, earlier.processingFee),
  processingFeeUsd: shared(event.processingFeeUsd, earlier.processingFeeUsd),
  partnerFee: shared(event.partnerFee, earlier.partnerFee),
  partnerFeeUsd: shared(event.partnerFeeUsd, earlier.partnerFeeUsd),
  networkFee: shared(event.networkFee, earlier.networkFee),
  networkFeeUsd: shared(event.networkFeeUsd, earlier.networkFeeUsd),
})

/** An event as the inbox keeps it. */
export type InboxEvent = ReceivedEvent & {
  /** Its place in the order of receipt. */
  readonly sequence: number
  /** The address it came from. */
  readonly source: string
  /** How many other bodies came under its id. */
  readonly conflicts: number
}

/** A step in an order's history, with what the inbox knows of its receipt. */
export type InboxStep = HistoryStep & InboxEvent

/**
 * An order as the events in the inbox tell it: what is shown is the latest state; a late event never takes it back and
 * stays in the history.
 */
export type InboxOrder = {
  readonly orderId: string
  readonly shown: GatewayEvent
  /** In the order in which they were received. */
  readonly history: readonly InboxStep[]
  readonly lateCount: number
  readonly copyCount: number
  readonly conflictCount: number
  /** The place of the event that was received last. */
  readonly lastSequence: number
  /** When the event that is shown was received. */
  readonly shownReceivedAtMs: number
}

/**
 * The order with one event more, received after all that it has; null before its first one. The same order for an event
 * that it has already, unless copies or conflicts grew.
 */
export function withReceived(order: InboxOrder | null, event: InboxEvent): InboxOrder {
  if (order === null) return withStep(null, { ...event, isLate: false })
  const at = order.history.findIndex((step) => step.event.eventId === event.event.eventId)
  const known = order.history[at]
  if (known === undefined) {
    const isLate = compareStates(stampOf(event.event), stampOf(order.shown)) < 0
    return withStep(order, { ...event, isLate })
  }
  if (known.copies === event.copies && known.conflicts === event.conflicts) return order
  return {
    ...order,
    history: order.history.with(at, { ...known, copies: event.copies, conflicts: event.conflicts }),
    copyCount: order.copyCount + event.copies - known.copies,
    conflictCount: order.conflictCount + event.conflicts - known.conflicts,
  }
}

function withStep(order: InboxOrder | null, received: InboxStep): InboxOrder {
  const step = order === null ? received : { ...received, event: withSharedAmounts(received.event, order.shown) }
  const isShown = order === null || !step.isLate
  return {
    orderId: step.event.orderId,
    shown: isShown ? step.event : order.shown,
    shownReceivedAtMs: isShown ? step.receivedAtMs : order.shownReceivedAtMs,
    history: [...(order?.history ?? []), step],
    lateCount: (order?.lateCount ?? 0) + (step.isLate ? 1 : 0),
    copyCount: (order?.copyCount ?? 0) + step.copies,
    conflictCount: (order?.conflictCount ?? 0) + step.conflicts,
    lastSequence: step.sequence,
  }
}

/** The order that these events of one order tell of, oldest first; null of none. */
export function inboxOrder(events: readonly InboxEvent[]): InboxOrder | null {
  let order: InboxOrder | null = null
  for (const event of events) order = withReceived(order, event)
  return order
}

/**
 * Since when an order waits in its state: since its last change, or since word of it came where the gateway's clock is
 * ahead of this one.
 */
export const waitsSinceMs = ({ shown, shownReceivedAtMs }: InboxOrder): number =>
  Math.min(shownReceivedAtMs, epochMsOf(shown.orderStateUpdatedAt))

/** When it is stuck; null for an order that has ended. */
export const stuckAtMs = (order: InboxOrder, stuckAfterMs: number): number | null =>
  isEnded(order.shown.orderState) ? null : waitsSinceMs(order) + stuckAfterMs
