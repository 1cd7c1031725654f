import type { GatewayDelivery } from '../../../domain/gateway/delivery.ts'
import type { GatewayOrderState } from '../../../domain/gateway/event.ts'
import type { WireMode } from '../../../wire/exact-json.ts'
import { windowMs } from './delivery-schedule.ts'

/** Where a partner's events are sent. */
export type Endpoint = {
  readonly id: number
  /** Unique among the partner's endpoints; registering the name again moves it to another address. */
  readonly name: string
  readonly partner: string
  readonly url: string
  readonly registeredAtMs: number
}

/**
 * `pending`: something is due at `dueMs`. `expired`: given up at the end of its window, or because its endpoint was
 * removed.
 */
export type DeliveryState =
  | { readonly kind: 'pending'; readonly dueMs: number }
  | { readonly kind: 'delivered' | 'expired'; readonly atMs: number }
export const deliveryKinds = ['pending', 'delivered', 'expired'] as const
type DeliveryKind = DeliveryState['kind']

/** One event's delivery to one endpoint. */
export type Delivery = {
  /** Numbered from 1. */
  readonly id: number
  readonly endpointId: number
  readonly eventId: string
  readonly orderId: string
  readonly orderState: GatewayOrderState
  /** How amounts are written: the same in every attempt, because a repeated event must be identical. */
  readonly mode: WireMode
  /** When the event was created. */
  readonly madeAtMs: number
  readonly attemptCount: number
  readonly state: DeliveryState
  /** Null before the first attempt. */
  readonly lastAttempt: AttemptOutcome | null
}

/** The outcome of an attempt. Delivered means a status of 200 to 299 in time. */
export type AttemptResult =
  /** `excerpt`: the first characters of the answer, safe to print. */
  | { readonly kind: 'answered'; readonly status: number; readonly excerpt: string }
  /** `reason`: a readable clause. */
  | { readonly kind: 'failed'; readonly reason: string }

export type AttemptOutcome = { readonly result: AttemptResult; readonly latencyMs: number }

/** An attempt as stored; `atMs` is when it began. */
export type Attempt = AttemptOutcome & { readonly deliveryId: number; readonly atMs: number }

/** Newest first, with ids below `before`. Omitted fields match any. */
export type DeliveriesQuery = {
  readonly count: number
  readonly before?: number
  readonly endpointId?: number
  readonly kind?: DeliveryKind
}

export const isDelivered = (result: AttemptResult): boolean =>
  result.kind === 'answered' && result.status >= 200 && result.status <= 299

/**
 * Storage of endpoints and deliveries. Changes are visible at once, and durable when `settled` says so or soon after; a
 * crash only loses them, so that the work is repeated.
 */
export type DeliveryStore = {
  /** Those not removed, by id. */
  endpoints(): readonly Endpoint[]
  /** Any endpoint that ever existed. */
  endpoint(id: number): Endpoint | undefined
  /** An endpoint that was not removed. */
  activeEndpoint(id: number): Endpoint | undefined
  addEndpoint(endpoint: Omit<Endpoint, 'id'>): Endpoint
  moveEndpoint(id: number, url: string): void
  removeEndpoint(id: number): void

  /** Sequence number of the last outbox event for which deliveries were created. */
  takenSequence(): number
  setTakenSequence(sequence: number): void

  addDelivery(delivery: Omit<Delivery, 'id'>): Delivery
  delivery(id: number): Delivery | undefined
  /** Replaces the delivery with the same id. */
  updateDelivery(delivery: Delivery): void
  /** Every pending delivery, by id. */
  pending(): Iterable<Delivery>
  deliveries(query: DeliveriesQuery): readonly Delivery[]
  addAttempt(attempt: Attempt): void
  /** Of one delivery, oldest first. */
  attempts(deliveryId: number): readonly Attempt[]
  /** Deletes deliveries that ended this way before this time, with their attempts. */
  forget(kind: Exclude<DeliveryKind, 'pending'>, beforeMs: number): void
  /** Deletes everything except the endpoints. */
  clear(): void
  settled(): Promise<void>
}

/** A delivery for display. */
export function shownDelivery(delivery: Delivery, endpoint: Endpoint | undefined): GatewayDelivery {
  const { id, eventId, orderId, orderState, attemptCount, madeAtMs, state, lastAttempt } = delivery
  const { result } = lastAttempt ?? { result: null }
  return {
    deliveryId: String(id),
    endpoint: endpoint?.name ?? '',
    eventId,
    orderId,
    orderState,
    state: state.kind,
    attemptCount,
    madeAtMs,
    nextAtMs: state.kind === 'pending' ? state.dueMs : null,
    expiresAtMs: madeAtMs + windowMs,
    lastStatus: result?.kind === 'answered' ? result.status : null,
    lastLatencyMs: lastAttempt?.latencyMs ?? null,
    lastWords: result === null ? null : result.kind === 'answered' ? result.excerpt : result.reason,
  }
}
