import type pg from 'pg'
import { type Clock, within } from '../../base/clock.ts'
import { createSerial } from '../../base/serial.ts'
import { errorText } from '../../base/text/error-text.ts'
import { secondMs } from '../../base/text/time-text.ts'
import { isDefinite, isStoreFailure, isUnfit } from '../store/database.ts'
import { appendAudit, appendAuditOnce, lastAuditNumber } from './audit.ts'
import type { AuditEvent } from './audit-events.ts'

/** The way to the audit list of what is done already: kept until the database takes it, in the order it came. */
export type AuditNotes = {
  /** Resolves when it is on the list, or when it waits because the database fails. Never rejects. */
  note(event: AuditEvent): Promise<void>
  /** How many rows the list has yet to take. */
  waiting(): number
  /** Waits a little for the database; what it does not take by then is in the log alone. */
  close(): Promise<void>
}

/** How often it is tried while the database fails. */
const retryMs = secondMs
/** How long an end waits: longer than one attempt takes to fail. */
const closeMs = 5 * secondMs
/** Rows that wait at most: more than a busy day. What comes after them is in the log alone. */
const waitingMax = 10_000
/** How much longer ago than this clock says a lost attempt may have been by the database's, in ms. */
const clocksApartMs = 10 * secondMs

/** The log has the row as well: it may be the only place, were this process killed before the list takes it. */
const rowText = ({ person, action, detail }: AuditEvent): string => `${person} ${action} ${JSON.stringify(detail)}`

type NotesOptions = { pool: pg.Pool; clock: Pick<Clock, 'now' | 'sleep'>; log: (line: string) => void }

/** Opens the way to the audit list. Rejects when the database fails. */
export async function createAuditNotes({ pool, clock, log }: NotesOptions): Promise<AuditNotes> {
  const serial = createSerial()
  const over = new AbortController()
  /** Rows on their way, and what says of each that it waits. */
  const underWay = new Map<AuditEvent, () => void>()
  let isLate = false
  let lastNumber = await lastAuditNumber(pool)

  const failed = (event: AuditEvent, error: unknown): 'later' | 'never' => {
    if (!isStoreFailure(error) || isUnfit(error)) {
      log(`ALARM not on the audit list: ${rowText(event)}: ${errorText(error)}`)
      return 'never'
    }
    if (!isLate) {
      // A connection that broke may be back in a moment, or the hub leads no more and says so.
      log(`${isDefinite(error) ? 'ALARM ' : ''}the database does not take the audit list: ${errorText(error)}`)
      for (const waits of underWay.values()) waits()
    }
    isLate = true
    return 'later'
  }
  const append = async (event: AuditEvent): Promise<void> => {
    let mayBeThere = false
    const firstMs = clock.now()
    const lost = () => ({ lastNumber, sinceMs: clock.now() - firstMs + clocksApartMs })
    while (!over.signal.aborted) {
      try {
        lastNumber = await (mayBeThere ? appendAuditOnce(pool, event, lost()) : appendAudit(pool, event))
        return
      } catch (error) {
        if (failed(event, error) === 'never') return
        mayBeThere ||= !isDefinite(error)
        await clock.sleep(retryMs, over.signal)
      }
    }
  }
  return {
    note(event) {
      if (underWay.size >= waitingMax) {
        log(`ALARM not on the audit list, ${waitingMax} rows wait for it already: ${rowText(event)}`)
        return Promise.resolve()
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const waits = () => {
        log(`not on the audit list yet: ${rowText(event)}`)
        resolve()
      }
      underWay.set(event, waits)
      if (isLate) waits()
      void serial(async () => {
        await append(event)
        if (over.signal.aborted) return
        underWay.delete(event)
        resolve()
        if (!isLate || underWay.size > 0) return
        isLate = false
        log('the audit list has everything again')
      })
      return promise
    },
    waiting: () => (isLate ? underWay.size : 0),
    async close() {
      await within(
        serial(() => Promise.resolve()),
        closeMs,
        clock,
      )
      over.abort()
      if (underWay.size > 0) log(`ALARM rows that only this log has, not the audit list: ${underWay.size}`)
    },
  }
}
