import type { StoredEvent } from '../../domain/gateway/inbox-source.ts'
import type { Attempt } from '../forward/post.ts'
import type { Outcome } from '../receiver/recording-queue.ts'
import type { Incoming, Recorded } from '../store/event-store.ts'

/** A body on its way in. Told of nothing more once it is answered. */
export type Delivery = {
  /** What the body is, as it goes to the store. */
  read(incoming: Incoming): void
  /** `refused`: the queue was full, or the body too long or broken off. Null: there was nobody to answer. */
  answered(outcome: Outcome | 'refused', status: number | null): void
}

/** An attempt to forward an event. */
export type TracedAttempt = {
  /** What tells the target which trace it is part of. */
  readonly headers: Readonly<Record<string, string>>
  ended(attempt: Attempt): void
}

/**
 * What collects the ways of events. Nothing here waits, or throws. What it tells others has ids, states, outcomes and
 * times; never bodies, amounts, addresses or keys.
 */
export type Tracing = {
  /** A request of somebody who may send; `traceparent` as it came, also one that means nothing. */
  delivery(traceparent: unknown): Delivery
  /** A commit that ended just now. */
  commit(batch: readonly Incoming[], result: readonly Recorded[] | Error, tookMs: number): void
  /** `nth` attempt, from 1. */
  attempt(target: string, event: Pick<StoredEvent, 'eventId' | 'orderId'>, nth: number): TracedAttempt
}
