import type { Clock } from '../../base/clock.ts'
import { sameItems } from '../../base/same-items.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { GatewayOrderChange } from '../../domain/alerts/news.ts'
import type { GatewayDelivery } from '../../domain/gateway/delivery.ts'
import { type InboxOrder, inboxOrder } from '../../domain/gateway/inbox-order.ts'
import type { InboxSource } from '../../domain/gateway/inbox-source.ts'
import type { GatewayServiceEvent } from '../../domain/gateway/service-events.ts'
import type { LedgerChange } from './inbox-ledger.ts'
import { conflictsOf, eventsOfOrder, type InboxBounds, InboxReader, inboxBounds } from './inbox-reader.ts'

/** News of a gateway order for the user, once each. */
export type GatewayAlertEvent =
  | { type: 'gatewayOrderChanged'; change: GatewayOrderChange; atMs: number }
  | { type: 'gatewayOrderStuck'; order: InboxOrder; atMs: number }
  /** An event with a known id and another body. */
  | { type: 'gatewayEventsDiffer'; orderId: string; eventId: string; atMs: number }

export type InboxFeedContext = {
  clock: Clock
  signal: AbortSignal
  emit: (events: readonly (GatewayServiceEvent | GatewayAlertEvent)[]) => void
  /** Time after its last change when an unfinished order counts as stuck. */
  stuckAfterMs: number
}

export type InboxFeed = {
  /** Reads the stored events, then new ones, until the signal is aborted. */
  run(): Promise<void>
  /** Reads all stored events of an order; the result is emitted as an event. */
  readOrder(orderId: string): Promise<void>
}

/** Minimum pause between reads: a burst is read at once, and a screen shows no more. */
const restMs = 100
const failedRestMs = 2_000
/** Maximum pause between reads: a listener may miss a change when its connection breaks. */
const lookAgainMs = 30_000

/** Follows an inbox: its orders, updated by each new event, its quarantine, and the user's alerts. */
export function createInboxFeed(
  source: InboxSource,
  context: InboxFeedContext,
  bounds: InboxBounds = inboxBounds,
): InboxFeed {
  const { clock, signal, emit } = context
  const reader = new InboxReader(source, bounds)
  const tellStuck = stuckTeller(reader, context)
  const { rest, wake } = createRests(context)

  /** Reads once; resolves to the pause until the next read. */
  async function look(): Promise<number> {
    const { changes, differing, isNew, isMore } = await reader.look()
    const atMs = clock.now()
    const { ledger, counts, quarantine, sumsSinceMs } = reader
    if (isNew && counts !== null) {
      const { orders, isCut, sums } = ledger
      emit([
        { type: 'inboxRead', orders, isCut, sums, sumsSinceMs, counts, quarantine, atMs },
        ...changes.flatMap((change) => failureOf(change, atMs)),
        ...differing.map(({ orderId, eventId }) => ({ type: 'gatewayEventsDiffer', orderId, eventId, atMs }) as const),
      ])
    }
    const nextAtMs = tellStuck()
    if (isMore) return 0
    return nextAtMs === null ? lookAgainMs : Math.min(lookAgainMs, Math.max(0, nextAtMs - clock.wallMs()))
  }

  async function lookSafely(): Promise<number> {
    try {
      return await look()
    } catch (error) {
      if (signal.aborted) return 0
      emit([{ type: 'inboxFailed', sentence: reasonOf(error), atMs: clock.now() }])
      return failedRestMs
    }
  }

  return {
    async run() {
      const leave = source.listen(wake)
      while (!signal.aborted) await rest(restMs, await lookSafely())
      leave()
    },
    async readOrder(orderId) {
      const read = { type: 'gatewayOrderRead', orderId } as const
      try {
        const events = await eventsOfOrder(source, orderId)
        const order = inboxOrder(events)
        const failure = order === null ? 'the inbox has no event of this order' : null
        emit([{ ...read, order, conflicts: await conflictsOf(source, events), failure }])
      } catch (error) {
        emit([{ ...read, order: null, conflicts: [], failure: reasonOf(error) }])
      }
    },
  }
}

/** Pauses that a change ends early, but not before `minMs`: a burst is read at once. */
function createRests({ clock, signal }: { clock: Clock; signal: AbortSignal }) {
  let wasWoken = false
  let pause = new AbortController()
  return {
    wake(): void {
      wasWoken = true
      pause.abort()
    },
    async rest(minMs: number, maxMs: number): Promise<void> {
      await clock.sleep(minMs, signal)
      if (!wasWoken && maxMs > minMs) {
        pause = new AbortController()
        await clock.sleep(maxMs - minMs, AbortSignal.any([signal, pause.signal]))
      }
      wasWoken = false
    },
  }
}

/** A store's failure for the user; anything but an error is a bug. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error
  return `the inbox cannot be read: ${plainText(error.message)}`
}

function failureOf({ orderId, before, after }: LedgerChange, atMs: number): GatewayAlertEvent[] {
  if (after.orderState !== 'FAILED' || before?.orderState === 'FAILED') return []
  const change = { orderId, before: before?.orderState ?? null, after: after.orderState, reason: null }
  return [{ type: 'gatewayOrderChanged', change, atMs }]
}

/**
 * Reports the stuck orders when they change, and each one once; those of the first look are not news. Returns the time
 * of the next one.
 */
function stuckTeller(reader: InboxReader, { clock, emit, stuckAfterMs }: InboxFeedContext): () => number | null {
  let stuck: ReadonlySet<string> | null = null
  return () => {
    const atMs = clock.now()
    // The gateway dates orders by the wall clock.
    const { orders, nextAtMs } = reader.ledger.stuck(clock.wallMs(), stuckAfterMs)
    const before = stuck
    if (orders.length === (before?.size ?? 0) && orders.every(({ orderId }) => before?.has(orderId))) {
      stuck ??= new Set()
      return nextAtMs
    }
    stuck = new Set(orders.map(({ orderId }) => orderId))
    const fresh = before === null ? [] : orders.filter(({ orderId }) => !before.has(orderId))
    emit([
      { type: 'stuckOrders', orderIds: stuck },
      ...fresh.map((order) => ({ type: 'gatewayOrderStuck', order, atMs }) as const),
    ])
    return nextAtMs
  }
}

/** The deliveries of the desk's own practice gateway. */
export type PracticeDeliveries = {
  /** The newest deliveries first; null once the gateway has stopped. */
  list(count: number): Promise<readonly GatewayDelivery[] | null>
  /** Calls `listener` after any change; the result removes it. */
  onChange(listener: () => void): () => void
}

const shownMax = 200
/** Minimum pause between lists: a burst is shown at once. */
const deliveriesRestMs = 250

/** Emits the deliveries after each change, until the signal is aborted. */
export async function followDeliveries(
  deliveries: PracticeDeliveries,
  context: { clock: Clock; signal: AbortSignal; emit: (event: GatewayServiceEvent) => void },
): Promise<void> {
  const { clock, signal, emit } = context
  const { rest, wake } = createRests(context)
  let known: readonly GatewayDelivery[] = []
  const leave = deliveries.onChange(wake)
  while (!signal.aborted) {
    const listed = await deliveries.list(shownMax)
    // The last list of a stopped gateway grows old on screen.
    if (listed !== null && !signal.aborted) {
      known = kept(known, listed)
      emit({ type: 'deliveriesRead', deliveries: known, atMs: clock.now() })
    }
    await rest(deliveriesRestMs, deliveriesRestMs + stillMs)
  }
  leave()
}

/** Maximum pause between lists, also unchanged ones: the age shows that the list is still followed. */
const stillMs = 5_000

/** The list with unchanged deliveries as the same objects as before. */
function kept(before: readonly GatewayDelivery[], now: readonly GatewayDelivery[]): readonly GatewayDelivery[] {
  const known = new Map(before.map((delivery) => [delivery.deliveryId, delivery]))
  const next = now.map((delivery) => {
    const same = known.get(delivery.deliveryId)
    return same !== undefined && isSame(same, delivery) ? same : delivery
  })
  return sameItems(next, before) ? before : next
}

const isSame = (left: GatewayDelivery, right: GatewayDelivery): boolean =>
  left.state === right.state &&
  left.attemptCount === right.attemptCount &&
  left.nextAtMs === right.nextAtMs &&
  left.endpoint === right.endpoint
