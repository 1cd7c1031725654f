import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { PageQuery } from '../domain/gateway/inbox-source.ts'
import type { EventStore, Recorded } from './event-store.ts'
import { toKept } from './kept-text.ts'
import { forgetting } from './sqlite/forgetting.ts'
import { openDatabase } from './sqlite/open-database.ts'
import { inTransaction, recording, type ToKeep } from './sqlite/recording.ts'
import { toQuarantinedBody, toReceived, toStoredEvent, whole } from './sqlite/rows.ts'
import { watchFile } from './sqlite/watch-file.ts'

type Page = { readonly where: string; readonly order: 'ASC' | 'DESC'; readonly values: readonly number[] }

function pageOf(query: PageQuery): Page {
  if ('after' in query) return { where: 'sequence > ?', order: 'ASC', values: [query.after] }
  if (query.before === null) return { where: 'TRUE', order: 'DESC', values: [] }
  return { where: 'sequence < ?', order: 'DESC', values: [query.before] }
}

export type SqliteStore = Omit<EventStore, 'record'> & {
  record(batch: readonly ToKeep[]): Promise<readonly Recorded[]>
}

/** `cacheKiB`: how much of the file is kept at hand; little unless given. */
type SqliteOptions = { path: string; clock: Clock; cacheKiB?: number | undefined }

/**
 * Events in one SQLite file: written ahead and synced at each commit, so what `record` has resolved for outlives a power cut. Several processes may
 * have it open. Throws a sentence that names the file when it cannot be opened.
 */
export function openSqliteStore({ path, clock, cacheKiB }: SqliteOptions): SqliteStore {
  const database = openDatabase(path, cacheKiB)
  const write = recording(database)
  const forget = forgetting(database)
  const { listen, tell, end } = watchFile(database, clock)
  const byId = database.prepare('SELECT * FROM events WHERE event_id = ?')
  const beside = database.prepare('SELECT * FROM conflicts WHERE event_id = ? ORDER BY sequence')
  const totals = database.prepare('SELECT * FROM totals')
  const markReplayed = database.prepare('UPDATE quarantine SET replayed_at_ms = ? WHERE sequence = ?')

  return {
    async record(batch) {
      if (batch.length === 0) return []
      const outcomes = inTransaction(database, () => write(batch))
      tell()
      return outcomes
    },
    async events({ orderId, ...query }) {
      const { where, order, values } = pageOf(query)
      const ofOrder = orderId === undefined ? '' : 'order_id = ? AND '
      const statement = database.prepare(
        `SELECT * FROM events WHERE ${ofOrder}${where} ORDER BY sequence ${order} LIMIT ?`,
      )
      return statement
        .all(...(orderId === undefined ? [] : [toKept(orderId)]), ...values, query.count)
        .map(toStoredEvent)
    },
    async event(eventId) {
      const row = byId.get(toKept(eventId))
      return row === undefined ? null : toStoredEvent(row)
    },
    conflictsOf: async (eventId) => beside.all(toKept(eventId)).map(toReceived),
    async quarantine(query) {
      const { where, order, values } = pageOf(query)
      const statement = database.prepare(`SELECT * FROM quarantine WHERE ${where} ORDER BY sequence ${order} LIMIT ?`)
      return statement.all(...values, query.count).map(toQuarantinedBody)
    },
    async release(sequence, event, atMs) {
      const [outcome] = inTransaction(database, () => {
        if (markReplayed.run(atMs, sequence).changes !== 1)
          throw new Error(`nothing is in quarantine as number ${sequence}`)
        return write([event])
      })
      tell()
      return outcome ?? 'known'
    },
    async counts() {
      const row = totals.get()
      return {
        events: whole(row, 'events'),
        copies: whole(row, 'copies'),
        conflicts: whole(row, 'conflicts'),
        quarantined: whole(row, 'quarantined'),
      }
    },
    async forgetBefore(receivedAtMs) {
      let count = 0
      for (let step = forget(receivedAtMs); step > 0; step = forget(receivedAtMs)) {
        count += step
        // What comes in meanwhile goes first.
        await nextTurn()
      }
      if (count > 0) tell()
      return count
    },
    listen,
    async close() {
      end()
      database.close()
    },
  }
}
