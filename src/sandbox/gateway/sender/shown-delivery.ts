import type { GatewayDelivery } from '../../../domain/gateway/delivery.ts'
import type { Delivery, Endpoint } from './delivery.ts'
import { windowMs } from './schedule.ts'

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
