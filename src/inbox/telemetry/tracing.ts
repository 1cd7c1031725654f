import type { StoredEvent } from '../../domain/gateway/inbox-source.ts'
import type { Attempt } from '../attempt.ts'
import type { Incoming, Outcome, Recorded } from '../store/event-store.ts'

/** A body being received. No calls follow its answer. */
export type Delivery = {
  /** Call when the body was read and goes to the store. */
  read(incoming: Incoming): void
  /** `refused`: the queue was full, or the body too long or cut off. Null when the sender was gone. */
  answered(outcome: Outcome | 'refused', status: number | null): void
}

/** An attempt to forward an event. */
export type TracedAttempt = {
  /** Headers that pass the trace to the target. */
  readonly headers: Readonly<Record<string, string>>
  ended(attempt: Attempt): void
}

/**
 * Collects the traces of events. Nothing here waits or throws. Exported data has ids, states, outcomes and times; never
 * bodies, amounts, addresses or keys.
 */
export type Tracing = {
  /** A request of an allowed sender; `traceparent` as received, even if invalid. */
  delivery(traceparent: unknown): Delivery
  /** A commit that just ended. */
  commit(batch: readonly Incoming[], result: readonly Recorded[] | Error, tookMs: number): void
  /** `nth` counts attempts from 1. */
  attempt(target: string, event: Pick<StoredEvent, 'eventId' | 'orderId'>, nth: number): TracedAttempt
}
