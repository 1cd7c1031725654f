import { type Clock, nextTurn, sleepToBeat } from '../../base/clock.ts'
import { createListeners } from '../../base/listeners.ts'
import type { PageQuery } from '../../domain/gateway/inbox-source.ts'
import { type EventStore, forgetInSteps, pageOf, type Recorded, toKept } from './event-store.ts'
import { guardedFile, type SqliteOptions } from './sqlite/database.ts'
import { inTransaction, type ToKeep, toQuarantinedBody, toReceived, toStoredEvent, whole } from './sqlite/tables.ts'

export type SqliteStore = Omit<EventStore, 'record'> & {
  record(batch: readonly ToKeep[]): Promise<readonly Recorded[]>
}

const ofOrders = 'order_id IN (SELECT value FROM json_each(?)) AND '

/**
 * Opens an event store in an SQLite file with a write-ahead log that is synced at each commit, so recorded events
 * survive a power cut. Several processes may open it. Throws a sentence that names the file when it cannot be opened.
 */
export function openSqliteStore(options: SqliteOptions): SqliteStore {
  const file = guardedFile(options)
  const { listen, tell, end } = watchFile(() => versionOf(file), options.clock)
  const page = (table: string, of: string, query: PageQuery, values: readonly string[] = []) => {
    const { text, values: places } = pageOf(query, () => '?')
    return file.now.database.prepare(`SELECT * FROM ${table} WHERE ${of}${text}`).all(...values, ...places)
  }

  return {
    async record(batch) {
      if (batch.length === 0) return []
      const outcomes = file.inPlace(({ database, write }) => inTransaction(database, () => write(batch)))
      tell()
      return outcomes
    },
    async events({ orderIds, ...query }) {
      const rows =
        orderIds === undefined
          ? page('events', '', query)
          : page('events', ofOrders, query, [JSON.stringify(orderIds.map(toKept))])
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
      const count = await forgetInSteps(async () => {
        const gone = file.inPlace(({ forget }) => forget(receivedAtMs))
        // Lets incoming events go first.
        if (gone > 0) await nextTurn()
        return gone
      })
      if (count > 0) tell()
      return count
    },
    identity: async () => String(file.now.identity.get()?.id),
    takeLease: async (wish) => file.inPlace(({ forward }) => forward.takeLease(wish)),
    renewLease: async (target, fence, _leaseMs, from) => file.now.forward.renewLease(target, fence, from),
    releaseLease: async (target, fence) => file.inPlace(({ forward }) => forward.releaseLease(target, fence)),
    movePlace: async (target, fence, change) => file.inPlace(({ forward }) => forward.movePlace(target, fence, change)),
    waitingEvents: async (target, query) => file.now.forward.waitingEvents(target, query),
    attemptsOf: async (sequence) => file.now.forward.attemptsOf(sequence),
    deadLetters: async (query) => file.now.forward.deadLetters(query),
    async sendAgain(target, sequences) {
      const count = file.inPlace(({ forward }) => forward.sendAgain(target, sequences))
      tell()
      return count
    },
    forgetTarget: async (target, fence) => file.inPlace(({ forward }) => forward.forgetTarget(target, fence)),
    standings: async () => file.now.forward.standings(),
    countAfter: async (sequence) => file.now.forward.countAfter(sequence),
    unreadCount: async () => file.now.forward.unreadCount(),
    listen,
    async close() {
      end()
      file.close()
    },
  }
}

/** A number that changes when another connection commits; null when it cannot be read, which later calls report. */
function versionOf(file: ReturnType<typeof guardedFile>): number | null {
  try {
    return whole(file.now.version.get(), 'data_version')
  } catch {
    return null
  }
}

/** Interval at which other processes' writes are noticed. */
const lookEveryMs = 250

/**
 * Notifies listeners of new data: at once for this process's writes, and within the interval for others'. `version` is
 * a number that changes exactly when other connections commit; null when unavailable.
 */
function watchFile(version: () => number | null, clock: Clock) {
  const listeners = createListeners()
  let looking: AbortController | null = null

  const look = async (signal: AbortSignal): Promise<void> => {
    let seen = version()
    for (;;) {
      await sleepToBeat(clock, lookEveryMs, signal)
      if (signal.aborted) return
      const now = version()
      if (now !== seen) listeners.tell()
      seen = now
    }
  }

  const end = (): void => {
    looking?.abort()
    looking = null
    listeners.clear()
  }

  const listen = (listener: () => void): (() => void) => {
    const leave = listeners.add(listener)
    if (looking === null) {
      looking = new AbortController()
      void look(looking.signal)
    }
    return () => {
      leave()
      if (listeners.size === 0) end()
    }
  }

  return { listen, tell: listeners.tell, end }
}
