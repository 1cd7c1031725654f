import type { SQLInputValue } from 'node:sqlite'
import { gatewayOrderStates } from '../../../domain/gateway/event.ts'
import { wireModes } from '../../../wire/json-write.ts'
import { orNull, type Row, text, whole, word } from '../../persistence/columns.ts'
import {
  type Attempt,
  type AttemptOutcome,
  type AttemptResult,
  type Delivery,
  deliveryKinds,
  type Endpoint,
} from './delivery.ts'

export function toEndpoint(row: Row): Endpoint {
  return {
    id: whole(row, 'id'),
    name: text(row, 'name'),
    partner: text(row, 'partner'),
    url: text(row, 'url'),
    registeredAtMs: whole(row, 'registered_at_ms'),
  }
}

/** The columns of a delivery, in the order in which `deliveryValues` gives them. */
export const deliveryColumns = [
  ...['id', 'endpoint', 'event_id', 'order_id', 'order_state', 'mode', 'made_at_ms', 'attempt_count', 'state', 'at_ms'],
  ...['last_status', 'last_words', 'last_latency_ms'],
] as const

export function deliveryValues(delivery: Delivery): SQLInputValue[] {
  const { id, endpointId, eventId, orderId, orderState, mode, madeAtMs, attemptCount, state, lastAttempt } = delivery
  const last = lastAttempt === null ? [null, null, null] : outcomeValues(lastAttempt)
  return [
    ...[id, endpointId, eventId, orderId, orderState, mode, madeAtMs, attemptCount],
    ...[state.kind, state.kind === 'pending' ? state.dueMs : state.atMs],
    ...last,
  ]
}

export function toDelivery(row: Row): Delivery {
  const kind = word(row, 'state', deliveryKinds)
  const atMs = whole(row, 'at_ms')
  return {
    id: whole(row, 'id'),
    endpointId: whole(row, 'endpoint'),
    eventId: text(row, 'event_id'),
    orderId: text(row, 'order_id'),
    orderState: word(row, 'order_state', gatewayOrderStates),
    mode: word(row, 'mode', wireModes),
    madeAtMs: whole(row, 'made_at_ms'),
    attemptCount: whole(row, 'attempt_count'),
    state: kind === 'pending' ? { kind, dueMs: atMs } : { kind, atMs },
    lastAttempt: row.last_words === null ? null : toOutcome(row, 'last_'),
  }
}

/** Status, words and latency. Without a status the words say what went wrong. */
const outcomeValues = ({ result, latencyMs }: AttemptOutcome): SQLInputValue[] =>
  result.kind === 'answered' ? [result.status, result.excerpt, latencyMs] : [null, result.reason, latencyMs]

function toOutcome(row: Row, prefix: string): AttemptOutcome {
  const status = orNull(whole, row, `${prefix}status`)
  const words = text(row, `${prefix}words`)
  const result: AttemptResult =
    status === null ? { kind: 'failed', reason: words } : { kind: 'answered', status, excerpt: words }
  return { result, latencyMs: whole(row, `${prefix}latency_ms`) }
}

export const attemptColumns = ['delivery', 'at_ms', 'status', 'words', 'latency_ms'] as const

export const attemptValues = (attempt: Attempt): SQLInputValue[] => [
  attempt.deliveryId,
  attempt.atMs,
  ...outcomeValues(attempt),
]

export const toAttempt = (row: Row): Attempt => ({
  deliveryId: whole(row, 'delivery'),
  atMs: whole(row, 'at_ms'),
  ...toOutcome(row, ''),
})
