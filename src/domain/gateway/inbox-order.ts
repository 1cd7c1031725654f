import type { Decimal } from '../money.ts'
import { epochMsOf, type GatewayEvent } from './event.ts'
import { compareStates, type HistoryStep, isEnded, type ReceivedEvent, stampOf } from './order.ts'

const shared = <T extends Decimal | null>(amount: T, earlier: T): T =>
  amount !== null && earlier !== null && amount.eq(earlier) ? earlier : amount

/**
 * Reuses equal amounts of an earlier event of the order: amounts take the most memory, rarely change between states,
 * and a desk holds thousands of orders for days.
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

/** An event in the inbox. */
export type InboxEvent = ReceivedEvent & {
  /** Its place in the order of receipt. */
  readonly sequence: number
  /** Its source address. */
  readonly source: string
  /** Number of other bodies received with its id. */
  readonly conflicts: number
}

/** A step of an order's history, with its receipt. */
export type InboxStep = HistoryStep & InboxEvent

/**
 * An order by its events in the inbox: the latest state is shown, and a late event never reverts it but stays in the
 * history.
 */
export type InboxOrder = {
  readonly orderId: string
  readonly shown: GatewayEvent
  /** In order of receipt. */
  readonly history: readonly InboxStep[]
  readonly lateCount: number
  readonly copyCount: number
  readonly conflictCount: number
  /** The place of the last event received. */
  readonly lastSequence: number
  /** When the shown event was received. */
  readonly shownReceivedAtMs: number
}

/**
 * Adds an event received after all others of the order; null before its first one. Returns the same order for a known
 * event, unless copies or conflicts increased.
 */
export function withReceived(order: InboxOrder | null, event: InboxEvent): InboxOrder {
  const history = order?.history ?? []
  const at = history.findIndex((step) => step.event.eventId === event.event.eventId)
  const known = history[at]
  if (order === null || known === undefined) {
    const step = nextStep(order, event)
    return withStep(order, step, [...history, step])
  }
  return isAsCounted(known, event) ? order : recounted(order, known, event, history.with(at, countedStep(known, event)))
}

/**
 * Builds an order from its events, oldest first; null for none. In one pass over one history: a sender that repeats an
 * order under new ids may have made it a hundred thousand events long.
 */
export function inboxOrder(events: readonly InboxEvent[]): InboxOrder | null {
  const history: InboxStep[] = []
  const places = new Map<string, number>()
  let order: InboxOrder | null = null
  for (const event of events) {
    const at = places.get(event.event.eventId) ?? history.length
    const known = history[at]
    if (order === null || known === undefined) {
      const step = nextStep(order, event)
      places.set(event.event.eventId, at)
      history.push(step)
      order = withStep(order, step, history)
    } else if (!isAsCounted(known, event)) {
      history[at] = countedStep(known, event)
      order = recounted(order, known, event, history)
    }
  }
  return order
}

function nextStep(order: InboxOrder | null, event: InboxEvent): InboxStep {
  if (order === null) return { ...event, isLate: false }
  const isLate = compareStates(stampOf(event.event), stampOf(order.shown)) < 0
  return { ...event, event: withSharedAmounts(event.event, order.shown), isLate }
}

const withStep = (order: InboxOrder | null, step: InboxStep, history: readonly InboxStep[]): InboxOrder => ({
  orderId: step.event.orderId,
  shown: order === null || !step.isLate ? step.event : order.shown,
  shownReceivedAtMs: order === null || !step.isLate ? step.receivedAtMs : order.shownReceivedAtMs,
  history,
  lateCount: (order?.lateCount ?? 0) + (step.isLate ? 1 : 0),
  copyCount: (order?.copyCount ?? 0) + step.copies,
  conflictCount: (order?.conflictCount ?? 0) + step.conflicts,
  lastSequence: step.sequence,
})

type Counts = Pick<InboxEvent, 'copies' | 'conflicts'>

const isAsCounted = (known: Counts, { copies, conflicts }: Counts): boolean =>
  known.copies === copies && known.conflicts === conflicts

const countedStep = (known: InboxStep, { copies, conflicts }: Counts): InboxStep => ({ ...known, copies, conflicts })

/** The order after a known event was counted anew, in `history` already. */
const recounted = (order: InboxOrder, known: Counts, now: Counts, history: readonly InboxStep[]): InboxOrder => ({
  ...order,
  history,
  copyCount: order.copyCount + now.copies - known.copies,
  conflictCount: order.conflictCount + now.conflicts - known.conflicts,
})

/** Since when an order is in its state: since its last change, or since its receipt if the gateway's clock is ahead. */
export const waitsSinceMs = ({ shown, shownReceivedAtMs }: InboxOrder): number =>
  Math.min(shownReceivedAtMs, epochMsOf(shown.orderStateUpdatedAt))

/** When it counts as stuck; null for a finished order. */
export const stuckAtMs = (order: InboxOrder, stuckAfterMs: number): number | null =>
  isEnded(order.shown.orderState) ? null : waitsSinceMs(order) + stuckAfterMs
