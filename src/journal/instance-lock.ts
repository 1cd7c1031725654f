import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** A lock that this process holds. The operating system lets go of it when the process ends, in whatever way. */
export type Lock = { release(): void }

/**
 * Locks the file at `path`, which is made for the owner alone when it is not there. Null when another process, or another part of
 * this one, holds it. `waitMs` is how long the one who holds it is waited for, with this process standing still.
 */
export function takeLock(path: string, waitMs = 0): Lock | null {
  // A known file is never opened by hand: closing it would let go of a lock that this process has on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path, { timeout: waitMs })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

const sqliteBusy = 5
const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
