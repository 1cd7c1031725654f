import { z } from 'zod'
import type { QuarantinedBody, StoreCounts, StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { fromKept } from '../kept-text.ts'
import { idOf } from './batch.ts'

const bytes = z.instanceof(Uint8Array)
// The driver gives 64-bit numbers as text; these stay far below 2^53.
const whole = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number)
const kept = z.string().transform(fromKept)

const eventRow = z.object({
  sequence: whole,
  event_key: z.string(),
  long_event_id: z.string().nullable(),
  order_key: z.string(),
  long_order_id: z.string().nullable(),
  received_at_ms: whole,
  source: kept,
  body: bytes,
  copies: whole,
  conflicts: whole,
})
const conflictRow = z.object({ received_at_ms: whole, source: kept, body: bytes })
const quarantineRow = z.object({
  sequence: whole,
  received_at_ms: whole,
  source: kept,
  reason: kept,
  replayed_at_ms: whole.nullable(),
  body: bytes,
})
const totalRow = z.object({ events: whole, copies: whole, conflicts: whole, quarantined: whole })

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** An event of a row that was read; throws when the table holds something else. */
export function toStoredEvent(row: unknown): StoredEvent {
  const read = eventRow.parse(row)
  return {
    sequence: read.sequence,
    eventId: idOf(read.event_key, read.long_event_id),
    orderId: idOf(read.order_key, read.long_order_id),
    receivedAtMs: read.received_at_ms,
    source: read.source,
    body: utf8.decode(read.body),
    copies: read.copies,
    conflicts: read.conflicts,
  }
}

export function toReceived(row: unknown): { receivedAtMs: number; source: string; body: string } {
  const { received_at_ms: receivedAtMs, source, body } = conflictRow.parse(row)
  return { receivedAtMs, source, body: utf8.decode(body) }
}

export function toQuarantinedBody(row: unknown): QuarantinedBody {
  const { received_at_ms: receivedAtMs, replayed_at_ms: replayedAtMs, ...rest } = quarantineRow.parse(row)
  return { ...rest, receivedAtMs, replayedAtMs }
}

export const toCounts = (row: unknown): StoreCounts => totalRow.parse(row)
export const toWhole = (value: unknown): number => whole.parse(value)
