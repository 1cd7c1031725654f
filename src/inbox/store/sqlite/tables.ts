import type { DatabaseSync } from 'node:sqlite'
import { type Row, rowReaders } from '../../../base/files/sqlite-rows.ts'
import type { QuarantinedBody, StoredEvent } from '../../../domain/gateway/inbox-source.ts'
import { stampMs } from '../event-stamp.ts'
import {
  bodyText,
  countRecorded,
  forgetStep,
  fromKept,
  type Incoming,
  isSameEvent,
  type Recorded,
  toKept,
} from '../event-store.ts'

const columns = rowReaders((name) => new Error(`the inbox is damaged: its column ${name} holds something else`))
const { bytes } = columns
export const { text, whole } = columns

export const toReceived = (row: Row): { receivedAtMs: number; source: string; body: string } => ({
  receivedAtMs: whole(row, 'received_at_ms'),
  source: text(row, 'source'),
  body: bodyText(bytes(row, 'body')),
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

type IncomingEvent = Omit<Extract<Incoming, { kind: 'event' }>, 'orderState' | 'updatedAtNs'>

/** What the file stores of a body; the rest is read from the body again. */
export type ToKeep = IncomingEvent | Extract<Incoming, { kind: 'unreadable' }>

/** Runs `work` in one transaction: all of it is on disk when this returns, and none of it when it throws. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // Some failures, such as a full disk, have already rolled back the transaction.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Writes bodies inside the caller's transaction, and returns the outcome of each. */
export function recording(database: DatabaseSync) {
  // Tried first, because nearly everything is new; changes nothing when the id is known.
  const insert = database.prepare(
    `INSERT INTO events (event_id, order_id, received_at_ms, source, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (event_id) DO NOTHING`,
  )
  const countCopy = database.prepare('UPDATE events SET copies = copies + 1 WHERE event_id = ? AND body = ?')
  const first = database.prepare('SELECT sequence, body FROM events WHERE event_id = ?')
  const countSame = database.prepare('UPDATE events SET copies = copies + 1 WHERE sequence = ?')
  // A conflicting body that arrives again is stored once.
  const keepBeside = database.prepare(
    `INSERT INTO conflicts (event_id, received_at_ms, source, body) SELECT ?1, ?2, ?3, ?4
     WHERE NOT EXISTS (SELECT 1 FROM conflicts WHERE event_id = ?1 AND body = ?4)`,
  )
  const countConflict = database.prepare('UPDATE events SET conflicts = conflicts + 1 WHERE event_id = ?')
  const setAside = database.prepare('INSERT INTO quarantine (received_at_ms, source, reason, body) VALUES (?, ?, ?, ?)')
  const addTotals = database.prepare(
    `UPDATE totals SET events = events + ?, copies = copies + ?,
       conflicts = conflicts + ?, quarantined = quarantined + ?`,
  )

  /** New conflicting bodies in the current batch. */
  let besideCount = 0

  const recordEvent = (event: IncomingEvent): Recorded => {
    const { receivedAtMs, source, body } = event
    const eventId = toKept(event.eventId)
    if (insert.run(eventId, toKept(event.orderId), receivedAtMs, source, body).changes === 1) return 'new'
    if (countCopy.run(eventId, body).changes === 1) return 'known'
    // Rare: the same event in another form.
    const kept = first.get(eventId)
    if (kept !== undefined && isSameEvent(kept.body, body)) {
      countSame.run(whole(kept, 'sequence'))
      return 'known'
    }
    if (keepBeside.run(eventId, receivedAtMs, source, body).changes === 1) {
      countConflict.run(eventId)
      besideCount += 1
    }
    return 'conflict'
  }

  return (batch: readonly ToKeep[]): Recorded[] => {
    besideCount = 0
    const outcomes = batch.map((each): Recorded => {
      if (each.kind === 'event') return recordEvent(each)
      setAside.run(each.receivedAtMs, each.source, each.reason, each.body)
      return 'quarantined'
    })
    const counts = countRecorded(outcomes)
    addTotals.run(counts.new, counts.known, besideCount, counts.quarantined)
    return outcomes
  }
}

/**
 * Deletes a few of the oldest entries received and dated before a moment, with their conflicts, all received before it
 * as well, and their rows in the `beside` tables; returns the number of events and quarantined bodies. Scans each list
 * from its oldest end to the first entry young enough, so that no index by time is needed.
 */
export function forgetting(database: DatabaseSync, beside: readonly string[]): (receivedAtMs: number) => number {
  const oldest = `SELECT sequence, copies, conflicts FROM events ORDER BY sequence LIMIT ${forgetStep}`
  const sums = database.prepare(
    `SELECT count(*) AS events, coalesce(max(sequence), 0) AS last,
       coalesce(sum(copies), 0) AS copies, coalesce(sum(conflicts), 0) AS conflicts
     FROM (${oldest}) WHERE sequence < ?`,
  )
  const firstYoung = (table: string, more = '') =>
    database.prepare(
      `SELECT coalesce(min(sequence), 9007199254740991) AS sequence
       FROM (SELECT * FROM ${table} ORDER BY sequence LIMIT ${forgetStep}) AS each
       WHERE received_at_ms >= ?1 ${more}`,
    )
  const firstYoungReceived = firstYoung(
    'events',
    `OR (conflicts > 0 AND EXISTS (
       SELECT 1 FROM conflicts WHERE event_id = each.event_id AND conflicts.received_at_ms >= ?1))`,
  )
  const firstYoungBody = firstYoung('quarantine')
  const oldBodies = database.prepare(
    `SELECT sequence, body FROM events WHERE sequence < ? ORDER BY sequence LIMIT ${forgetStep}`,
  )
  /** The number of the first event that is young by its receipt, that of another body of it, or its date. */
  const firstYoungEvent = (beforeMs: number): number => {
    const received = whole(firstYoungReceived.get(beforeMs), 'sequence')
    const isYoung = (row: Row) => (stampMs(bodyText(bytes(row, 'body'))) ?? 0) >= beforeMs
    const dated = oldBodies.all(received).find(isYoung)
    return dated === undefined ? received : whole(dated, 'sequence')
  }
  const dropBeside = database.prepare(
    'DELETE FROM conflicts WHERE event_id IN (SELECT event_id FROM events WHERE sequence <= ? AND conflicts > 0)',
  )
  const dropMore = beside.map((table) => database.prepare(`DELETE FROM ${table} WHERE event_sequence <= ?`))
  const dropEvents = database.prepare('DELETE FROM events WHERE sequence <= ?')
  const dropBodies = database.prepare(
    `DELETE FROM quarantine
     WHERE sequence IN (SELECT sequence FROM quarantine WHERE sequence < ? ORDER BY sequence LIMIT ${forgetStep})`,
  )
  const takeFromTotals = database.prepare(
    `UPDATE totals SET events = events - ?, copies = copies - ?,
       conflicts = conflicts - ?, quarantined = quarantined - ?`,
  )

  return (receivedAtMs) =>
    inTransaction(database, () => {
      const sum = sums.get(firstYoungEvent(receivedAtMs))
      const count = whole(sum, 'events')
      if (count > 0) {
        dropBeside.run(whole(sum, 'last'))
        for (const drop of dropMore) drop.run(whole(sum, 'last'))
        dropEvents.run(whole(sum, 'last'))
      }
      const bodies = Number(dropBodies.run(whole(firstYoungBody.get(receivedAtMs), 'sequence')).changes)
      takeFromTotals.run(count, whole(sum, 'copies'), whole(sum, 'conflicts'), bodies)
      return count + bodies
    })
}
