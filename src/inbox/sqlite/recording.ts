import type { DatabaseSync } from 'node:sqlite'
import type { Incoming, Recorded } from '../event-store.ts'
import { isSameEvent, toKept } from '../kept-text.ts'
import { whole } from './rows.ts'

type IncomingEvent = Omit<Extract<Incoming, { kind: 'event' }>, 'orderState' | 'updatedAtNs'>

/** What a file keeps of what came in: the rest is read from the body again. */
export type ToKeep = IncomingEvent | Extract<Incoming, { kind: 'unreadable' }>

/** Runs `work` in one transaction: all of it is on disk when this returns, none of it when it throws. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // Some failures, such as a full disk, have taken the transaction back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Writes what came in, inside a transaction of the caller's, and says what became of each. */
export function recording(database: DatabaseSync) {
  // Tried first, since nearly everything is new; the statement changes nothing when the id is known.
  const insert = database.prepare(
    'INSERT INTO events (event_id, order_id, received_at_ms, source, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING',
  )
  const countCopy = database.prepare('UPDATE events SET copies = copies + 1 WHERE event_id = ? AND body = ?')
  const first = database.prepare('SELECT sequence, body FROM events WHERE event_id = ?')
  const countSame = database.prepare('UPDATE events SET copies = copies + 1 WHERE sequence = ?')
  // A differing body that comes again is one that is kept already.
  const keepBeside = database.prepare(
    'INSERT INTO conflicts (event_id, received_at_ms, source, body) SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM conflicts WHERE event_id = ?1 AND body = ?4)',
  )
  const countConflict = database.prepare('UPDATE events SET conflicts = conflicts + 1 WHERE event_id = ?')
  const setAside = database.prepare('INSERT INTO quarantine (received_at_ms, source, reason, body) VALUES (?, ?, ?, ?)')
  const addTotals = database.prepare(
    'UPDATE totals SET events = events + ?, copies = copies + ?, conflicts = conflicts + ?, quarantined = quarantined + ?',
  )

  /** Conflicting bodies that were not kept already, in the batch under way. */
  let besideCount = 0

  const recordEvent = (event: IncomingEvent): Recorded => {
    const { receivedAtMs, source, body } = event
    const eventId = toKept(event.eventId)
    if (insert.run(eventId, toKept(event.orderId), receivedAtMs, source, body).changes === 1) return 'new'
    if (countCopy.run(eventId, body).changes === 1) return 'known'
    // Seldom: the same event, written otherwise.
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
    const counts: Record<Recorded, number> = { new: 0, known: 0, conflict: 0, quarantined: 0 }
    const outcomes = batch.map((each): Recorded => {
      if (each.kind === 'event') return recordEvent(each)
      setAside.run(each.receivedAtMs, each.source, each.reason, each.body)
      return 'quarantined'
    })
    for (const outcome of outcomes) counts[outcome] += 1
    addTotals.run(counts.new, counts.known, besideCount, counts.quarantined)
    return outcomes
  }
}
