import type { GatewayDelivery } from '../../../domain/gateway/delivery.ts'
import type { GatewayOrderState } from '../../../domain/gateway/event.ts'
import type { WireMode } from '../../../wire/exact-json.ts'
import { windowMs } from './delivery-schedule.ts'

/** Where a partner's events are sent. */
export type Endpoint = {
  readonly id: number
  /** One of its own among the partner's endpoints; registering the name again moves it to another address. */
  readonly name: string
  readonly partner: string
  readonly url: string
  readonly registeredAtMs: number
}

/**
 * `pending`: something is to be done at `dueMs`. `expired`: given up, at the end of its window or because its endpoint
 * was removed.
 */
export type DeliveryState =
  | { readonly kind: 'pending'; readonly dueMs: number }
  | { readonly kind: 'delivered' | 'expired'; readonly atMs: number }
export const deliveryKinds = ['pending', 'delivered', 'expired'] as const
type DeliveryKind = DeliveryState['kind']

/** One event on its way to one endpoint. */
export type Delivery = {
  /** Counts from 1. */
  readonly id: number
  readonly endpointId: number
  readonly eventId: string
  readonly orderId: string
  readonly orderState: GatewayOrderState
  /** How amounts are written: the same at every attempt, for an event that comes again must be the same. */
  readonly mode: WireMode
  /** When the event was made. */
  readonly madeAtMs: number
  readonly attemptCount: number
  readonly state: DeliveryState
  /** Null before the first attempt. */
  readonly lastAttempt: AttemptOutcome | null
}

/** What came of an attempt. Delivered is what was answered with a status of 200 to 299, in time. */
export type AttemptResult =
  /** `excerpt`: the first characters of the answer, safe to print. */
  | { readonly kind: 'answered'; readonly status: number; readonly excerpt: string }
  /** `reason`: a clause for a person. */
  | { readonly kind: 'failed'; readonly reason: string }

export type AttemptOutcome = { readonly result: AttemptResult; readonly latencyMs: number }

/** An attempt as it is kept; `atMs` is when it began. */
export type Attempt = AttemptOutcome & { readonly deliveryId: number; readonly atMs: number }

/** Newest first, those with a lower id than `before`. What is left out is any. */
export type DeliveriesQuery = {
  readonly count: number
  readonly before?: number
  readonly endpointId?: number
  readonly kind?: DeliveryKind
}

export const isDelivered = (result: AttemptResult): boolean =>
  result.kind === 'answered' && result.status >= 200 && result.status <= 299

/**
 * Where endpoints and deliveries are kept. What was changed is seen at once, and is durable when `settled` says so or
 * soon after; what a crash takes back has only been forgotten, so that it is done again.
 */
export type DeliveryStore = {
  /** Those that are not removed, by id. */
  endpoints(): readonly Endpoint[]
  /** Any that there ever was. */
  endpoint(id: number): Endpoint | undefined
  /** One that is not removed. */
  activeEndpoint(id: number): Endpoint | undefined
  addEndpoint(endpoint: Omit<Endpoint, 'id'>): Endpoint
  moveEndpoint(id: number, url: string): void
  removeEndpoint(id: number): void

  /** The sequence number of the last event of the outbox for which deliveries were made. */
  takenSequence(): number
  setTakenSequence(sequence: number): void

  addDelivery(delivery: Omit<Delivery, 'id'>): Delivery
  delivery(id: number): Delivery | undefined
  /** Puts this in the place of the delivery with the same id. */
  updateDelivery(delivery: Delivery): void
  /** Every delivery that is pending, by id. */
  pending(): Iterable<Delivery>
  deliveries(query: DeliveriesQuery): readonly Delivery[]
  addAttempt(attempt: Attempt): void
  /** Of one delivery, oldest first. */
  attempts(deliveryId: number): readonly Attempt[]
  /** Forgets what ended in this way before this time, with its attempts. */
  forget(kind: Exclude<DeliveryKind, 'pending'>, beforeMs: number): void
  /** Forgets all but the endpoints. */
  clear(): void
  settled(): Promise<void>
}

/** A delivery as a person is shown it. */
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
