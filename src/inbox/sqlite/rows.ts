import type { SQLOutputValue } from 'node:sqlite'
import type { QuarantinedBody, StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { fromKept } from '../kept-text.ts'

type Row = Readonly<Record<string, SQLOutputValue>>

const wrong = (name: string): Error => new Error(`the inbox is damaged: its column ${name} holds something else`)

export function whole(row: Row | undefined, name: string): number {
  const value = row?.[name]
  if (typeof value !== 'number') throw wrong(name)
  return value
}

function text(row: Row, name: string): string {
  const value = row[name]
  if (typeof value !== 'string') throw wrong(name)
  return value
}

function bytes(row: Row, name: string): Uint8Array {
  const value = row[name]
  if (!(value instanceof Uint8Array)) throw wrong(name)
  return value
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export const toReceived = (row: Row): { receivedAtMs: number; source: string; body: string } => ({
  receivedAtMs: whole(row, 'received_at_ms'),
  source: text(row, 'source'),
  body: utf8.decode(bytes(row, 'body')),
})

export const toStoredEvent = (row: Row): StoredEvent => ({
  sequence: whole(row, 'sequence'),
  eventId: fromKept(text(row, 'event_id')),
  orderId: fromKept(text(row, 'order_id')),
  ...toReceived(row),
  copies: whole(row, 'copies'),
  conflicts: whole(row, 'conflicts'),
})

export const toQuarantinedBody = (row: Row): QuarantinedBody => ({
  sequence: whole(row, 'sequence'),
  receivedAtMs: whole(row, 'received_at_ms'),
  source: text(row, 'source'),
  reason: text(row, 'reason'),
  body: bytes(row, 'body'),
  replayedAtMs: row.replayed_at_ms === null ? null : whole(row, 'replayed_at_ms'),
})
