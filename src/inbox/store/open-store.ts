import { fileURLToPath } from 'node:url'
import type { Clock } from '../../base/clock.ts'
import { errorText, toError } from '../../base/error-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { dayMs, hourMs } from '../../base/time-text.ts'
import { shortestKeepDays } from '../../domain/gateway/inbox-source.ts'
import type { EventStore, StoreUse } from './event-store.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { openSqliteWorkerStore } from './sqlite-worker-store.ts'

/** The file that a `sqlite:` address names. */
export const sqlitePath = ({ pathname }: URL): string => fileURLToPath(`file://${pathname}`)

/**
 * `isApart`: writes a file in a separate thread, for receivers of many events; takes some 50 ms more to start. `use`:
 * to receive by default.
 */
type Ways = { readonly clock: Clock; readonly isApart?: boolean; readonly use?: StoreUse | undefined }

/**
 * Opens or creates the store at `sqlite:///path` or `postgres://host/database`. The error is a sentence that names the
 * file, or host and database, never a user or password.
 */
export async function openStore(address: string, { clock, isApart = false, use }: Ways): Promise<Result<EventStore>> {
  const url = URL.parse(address)
  try {
    if (url?.protocol === 'sqlite:') {
      if (url.host !== '' || url.pathname.length < 2)
        return err('The store must be named with its full path: sqlite:///path.')
      const path = sqlitePath(url)
      return ok(isApart ? await openSqliteWorkerStore({ path }) : openSqliteStore({ path, clock, use }))
    }
    if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') {
      // The driver is loaded on demand.
      const { openPostgresStore } = await import('./postgres-store.ts')
      return ok(await openPostgresStore({ url: address, clock, use }))
    }
    return err('The store must be sqlite:///path or postgres://host/database.')
  } catch (error) {
    return err(errorText(error))
  }
}

type RetentionOptions = {
  /** Days that events are kept after receipt; at least `shortestKeepDays`. */
  readonly keepDays: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called after each run that deleted something, and each failure, which is retried within the hour. */
  readonly report: (result: { readonly forgotten: number } | { readonly error: Error }) => void
}

/**
 * Deletes events older than `keepDays` once an hour, until `signal`; then ends after the current step. Several
 * receivers of one store may all run it. Throws a RangeError when the limit is too short.
 */
export async function runRetention(store: Pick<EventStore, 'forgetBefore'>, options: RetentionOptions): Promise<void> {
  const { keepDays, clock, signal, report } = options
  if (!(keepDays >= shortestKeepDays)) throw new RangeError(`events must be kept for at least ${shortestKeepDays} days`)
  while (!signal.aborted) {
    let forgotten = 0
    try {
      const beforeMs = clock.wallMs() - keepDays * dayMs
      for (let step = -1; step !== 0 && !signal.aborted; forgotten += step) step = await store.forgetBefore(beforeMs)
    } catch (error) {
      report({ error: toError(error) })
    }
    if (forgotten > 0) report({ forgotten })
    await clock.sleep(hourMs, signal)
  }
}
