import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { PageQuery } from '../domain/gateway/inbox-source.ts'
import type { EventStore, Recorded } from './event-store.ts'
import { toKept } from './kept-text.ts'
import { moveLogIntoFile, rememberPlace, saveBeside } from './sqlite/file-place.ts'
import { forgetting } from './sqlite/forgetting.ts'
import { openDatabase } from './sqlite/open-database.ts'
import { inTransaction, recording, type ToKeep } from './sqlite/recording.ts'
import { toQuarantinedBody, toReceived, toStoredEvent, whole } from './sqlite/rows.ts'
import { watchFile } from './sqlite/watch-file.ts'

/** Of some 500 each. */
const forgetSteps = 20

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

/** An open file with the questions that are asked of it. */
function connect(path: string, cacheKiB: number | undefined) {
  const database = openDatabase(path, cacheKiB)
  return {
    database,
    fault: rememberPlace(path),
    write: recording(database),
    forget: forgetting(database),
    byId: database.prepare('SELECT * FROM events WHERE event_id = ?'),
    beside: database.prepare('SELECT * FROM conflicts WHERE event_id = ? ORDER BY sequence'),
    totals: database.prepare('SELECT * FROM totals'),
    markReplayed: database.prepare('UPDATE quarantine SET replayed_at_ms = ? WHERE sequence = ?'),
    version: database.prepare('PRAGMA data_version'),
    identity: database.prepare('SELECT id FROM store_identity'),
  }
}

/**
 * The file of a store, which somebody may take away while it is open: SQLite itself would go on writing to what no
 * later start finds. Nothing is said to be kept unless the file is in its place before and after the commit.
 */
function guardedFile({ path, clock, cacheKiB }: SqliteOptions) {
  let file = connect(path, cacheKiB)
  /** Says what became of the file, from the moment it was lost. */
  let lost: string | null = null

  const mendLog = (): string => {
    if (!moveLogIntoFile(file.database)) return `ALARM the log of the inbox file ${path} was removed`
    file.database.close()
    file = connect(path, cacheKiB)
    return `ALARM the log of the inbox file ${path} was removed: what it held is in the file, and it has a new one`
  }
  const loseFile = (): string => {
    const saved = () => {
      try {
        return `What it held is in ${saveBeside(file.database, path, clock.wallMs())}`
      } catch (error) {
        return `What it held could not be saved (${error instanceof Error ? error.message : String(error)})`
      }
    }
    return `ALARM the inbox file ${path} was removed or replaced while it is open. ${saved()}. Nothing is taken until it is back, or the inbox is started again`
  }
  const assertInPlace = (): void => {
    const fault = file.fault()
    if (fault === null) {
      lost = null
      return
    }
    if (fault === 'log') throw new Error(mendLog())
    lost ??= loseFile()
    throw new Error(lost)
  }

  return {
    get now() {
      return file
    },
    /** Runs `work` where it is found again. Throws a sentence when the file is lost. */
    inPlace<T>(work: (at: typeof file) => T): T {
      assertInPlace()
      const result = work(file)
      assertInPlace()
      return result
    },
  }
}

/**
 * Events in one SQLite file: written ahead and synced at each commit, so what `record` has resolved for outlives a
 * power cut. Several processes may have it open. Throws a sentence that names the file when it cannot be opened.
 */
export function openSqliteStore(options: SqliteOptions): SqliteStore {
  const file = guardedFile(options)
  const { listen, tell, end } = watchFile(() => whole(file.now.version.get(), 'data_version'), options.clock)
  const page = (table: string, of: string, query: PageQuery, values: readonly string[] = []) => {
    const { where, order, values: places } = pageOf(query)
    const text = `SELECT * FROM ${table} WHERE ${of}${where} ORDER BY sequence ${order} LIMIT ?`
    return file.now.database.prepare(text).all(...values, ...places, query.count)
  }

  return {
    async record(batch) {
      if (batch.length === 0) return []
      const outcomes = file.inPlace(({ database, write }) => inTransaction(database, () => write(batch)))
      tell()
      return outcomes
    },
    async events({ orderId, ...query }) {
      const rows =
        orderId === undefined
          ? page('events', '', query)
          : page('events', 'order_id = ? AND ', query, [toKept(orderId)])
      return rows.map(toStoredEvent)
    },
    async event(eventId) {
      const row = file.now.byId.get(toKept(eventId))
      return row === undefined ? null : toStoredEvent(row)
    },
    conflictsOf: async (eventId) => file.now.beside.all(toKept(eventId)).map(toReceived),
    quarantine: async (query) => page('quarantine', '', query).map(toQuarantinedBody),
    async release(sequence, event, atMs) {
      const [outcome] = file.inPlace(({ database, markReplayed, write }) =>
        inTransaction(database, () => {
          if (markReplayed.run(atMs, sequence).changes !== 1)
            throw new Error(`nothing is in quarantine as number ${sequence}`)
          return write([event])
        }),
      )
      tell()
      return outcome ?? 'known'
    },
    async counts() {
      const row = file.now.totals.get()
      return {
        events: whole(row, 'events'),
        copies: whole(row, 'copies'),
        conflicts: whole(row, 'conflicts'),
        quarantined: whole(row, 'quarantined'),
      }
    },
    async forgetBefore(receivedAtMs) {
      let count = 0
      for (let steps = 0; steps < forgetSteps; steps += 1) {
        const step = file.inPlace(({ forget }) => forget(receivedAtMs))
        if (step === 0) break
        count += step
        // What comes in meanwhile goes first.
        await nextTurn()
      }
      if (count > 0) tell()
      return count
    },
    identity: async () => String(file.now.identity.get()?.id),
    listen,
    async close() {
      end()
      file.now.database.close()
    },
  }
}
