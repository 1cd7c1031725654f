import { hash } from 'node:crypto'
import { z } from 'zod'
import type { QuarantinedBody, StoreCounts, StoredEvent } from '../../../domain/gateway/inbox-source.ts'
import { bodyText, fromKept, type Incoming, type Recorded, toKept } from '../event-store.ts'

/** More than any gateway's ids have, and far less than an index entry may. */
const longestKey = 512

/**
 * What an id is found by: itself, or its digest when it is longer than an index takes (no kept text has `\s` in it).
 */
export function keyOf(id: string): { key: string; long: string | null } {
  const kept = toKept(id)
  return kept.length <= longestKey ? { key: kept, long: null } : { key: `\\sha256:${hash('sha256', kept)}`, long: kept }
}

/** The id that was kept as a key, or whole beside it. */
const idOf = (key: string, long: string | null): string => fromKept(long ?? key)

/** The arguments of `inbox_record`: a list for each column, and all bodies in one piece, which goes over as it is. */
export function batchArguments(batch: readonly Incoming[]): unknown[] {
  const ids = batch.map((each) => (each.kind === 'event' ? keyOf(each.eventId) : { key: null, long: null }))
  const orders = batch.map((each) => (each.kind === 'event' ? keyOf(each.orderId) : { key: null, long: null }))
  let next = 1
  const starts = batch.map(({ body }) => {
    const start = next
    next += body.length
    return start
  })
  return [
    ids.map(({ key }) => key),
    ids.map(({ long }) => long),
    orders.map(({ key }) => key),
    orders.map(({ long }) => long),
    batch.map((each) => (each.kind === 'event' ? each.orderState : null)),
    batch.map((each) => (each.kind === 'event' ? String(each.updatedAtNs) : null)),
    batch.map((each) => (each.kind === 'event' ? null : toKept(each.reason))),
    batch.map(({ receivedAtMs }) => receivedAtMs),
    batch.map(({ source }) => toKept(source)),
    starts,
    batch.map(({ body }) => body.length),
    Buffer.concat(batch.map(({ body }) => body)),
  ]
}

const outcomes: Readonly<Record<string, Recorded>> = { n: 'new', k: 'known', c: 'conflict', q: 'quarantined' }

/** What `inbox_record` answered, one letter for each of `count` bodies. */
export function readOutcomes(letters: unknown, count: number): Recorded[] {
  const read = typeof letters === 'string' ? [...letters].map((letter) => outcomes[letter]) : []
  const known = read.filter((each) => each !== undefined)
  if (known.length !== count) throw new Error('the database answered something else than what became of each body')
  return known
}

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

/** An event of a row that was read; throws when the table holds something else. */
export function toStoredEvent(row: unknown): StoredEvent {
  const read = eventRow.parse(row)
  return {
    sequence: read.sequence,
    eventId: idOf(read.event_key, read.long_event_id),
    orderId: idOf(read.order_key, read.long_order_id),
    receivedAtMs: read.received_at_ms,
    source: read.source,
    body: bodyText(read.body),
    copies: read.copies,
    conflicts: read.conflicts,
  }
}

export function toReceived(row: unknown): { receivedAtMs: number; source: string; body: string } {
  const { received_at_ms: receivedAtMs, source, body } = conflictRow.parse(row)
  return { receivedAtMs, source, body: bodyText(body) }
}

export function toQuarantinedBody(row: unknown): QuarantinedBody {
  const { received_at_ms: receivedAtMs, replayed_at_ms: replayedAtMs, ...rest } = quarantineRow.parse(row)
  return { ...rest, receivedAtMs, replayedAtMs }
}

export const toCounts = (row: unknown): StoreCounts => totalRow.parse(row)
export const toWhole = (value: unknown): number => whole.parse(value)
