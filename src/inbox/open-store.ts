import { fileURLToPath } from 'node:url'
import type { Clock } from '../clock.ts'
import { err, ok, type Result } from '../domain/result.ts'
import type { EventStore } from './event-store.ts'
import { openSqliteStore } from './sqlite-store.ts'

/**
 * Opens the store at `sqlite:///path` or `postgres://host/database`, made if need be. The error is one sentence; it names the file, or host and database,
 * and never a user or a password.
 */
export async function openStore(address: string, { clock }: { clock: Clock }): Promise<Result<EventStore>> {
  const url = URL.parse(address)
  try {
    if (url?.protocol === 'sqlite:') {
      if (url.host !== '' || url.pathname.length < 2)
        return err('The store must be named with its full path: sqlite:///path.')
      return ok(openSqliteStore({ path: fileURLToPath(`file://${url.pathname}`), clock }))
    }
    if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') {
      // The driver is loaded for those who use it.
      const { openPostgresStore } = await import('./postgres-store.ts')
      return ok(await openPostgresStore({ url: address, clock }))
    }
    return err('The store must be sqlite:///path or postgres://host/database.')
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error))
  }
}
