import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from './recording.ts'
import { whole } from './rows.ts'

/** Few enough that what comes in meanwhile does not wait for long. */
const step = 500

/**
 * Takes away a few of the oldest that were received before a moment, the bodies beside an event with it; returns how
 * many events and quarantined bodies. Each list is looked through from its oldest end up to the first that is young
 * enough: no index by time is needed.
 */
export function forgetting(database: DatabaseSync): (receivedAtMs: number) => number {
  const oldest = `SELECT sequence, copies, conflicts FROM events ORDER BY sequence LIMIT ${step}`
  const sums = database.prepare(
    `SELECT count(*) AS events, coalesce(max(sequence), 0) AS last, coalesce(sum(copies), 0) AS copies, coalesce(sum(conflicts), 0) AS conflicts
     FROM (${oldest}) WHERE sequence < ?`,
  )
  const firstYoung = (table: string) =>
    database.prepare(
      `SELECT coalesce(min(sequence), 9007199254740991) AS sequence FROM (SELECT sequence, received_at_ms FROM ${table} ORDER BY sequence LIMIT ${step}) WHERE received_at_ms >= ?`,
    )
  const firstYoungEvent = firstYoung('events')
  const firstYoungBody = firstYoung('quarantine')
  const dropBeside = database.prepare(
    'DELETE FROM conflicts WHERE event_id IN (SELECT event_id FROM events WHERE sequence <= ? AND conflicts > 0)',
  )
  const dropEvents = database.prepare('DELETE FROM events WHERE sequence <= ?')
  const dropBodies = database.prepare(
    `DELETE FROM quarantine WHERE sequence IN (SELECT sequence FROM quarantine WHERE sequence < ? ORDER BY sequence LIMIT ${step})`,
  )
  const takeFromTotals = database.prepare(
    'UPDATE totals SET events = events - ?, copies = copies - ?, conflicts = conflicts - ?, quarantined = quarantined - ?',
  )

  return (receivedAtMs) =>
    inTransaction(database, () => {
      const sum = sums.get(whole(firstYoungEvent.get(receivedAtMs), 'sequence'))
      const count = whole(sum, 'events')
      if (count > 0) {
        dropBeside.run(whole(sum, 'last'))
        dropEvents.run(whole(sum, 'last'))
      }
      const bodies = Number(dropBodies.run(whole(firstYoungBody.get(receivedAtMs), 'sequence')).changes)
      takeFromTotals.run(count, whole(sum, 'copies'), whole(sum, 'conflicts'), bodies)
      return count + bodies
    })
}
