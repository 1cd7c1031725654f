import { fileURLToPath } from 'node:url'
import type { Clock } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { errorText } from '../../base/text/error-text.ts'
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
      return ok(isApart ? await openSqliteWorkerStore({ path, clock }) : openSqliteStore({ path, clock, use }))
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
