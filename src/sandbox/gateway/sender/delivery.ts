import type { GatewayOrderState } from '../../../domain/gateway/event.ts'
import type { WireMode } from '../../../wire/json-write.ts'

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
export type DeliveryKind = DeliveryState['kind']

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
