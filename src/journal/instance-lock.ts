import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { diskReason } from '../base/disk-error.ts'
import { err, ok, type Result } from '../base/result.ts'

/** A lock that this process holds. The operating system lets go of it when the process ends, in whatever way. */
export type Lock = { release(): void }

/**
 * Locks the file at `path`, which is made for the owner alone when it is not there. Null when another process, or
 * another part of this one, holds it. `waitMs` is how long the one who holds it is waited for, with this process
 * standing still. The error is what the disk says.
 */
export function takeLock(path: string, waitMs = 0): Result<Lock | null> {
  let database: DatabaseSync
  try {
    // A known file is never opened by hand: closing it would let go of a lock that this process has on it.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    database = new DatabaseSync(path, { timeout: waitMs })
  } catch (error) {
    return err(diskReason(error))
  }
  try {
    // Nothing is ever written, beside the file neither: a disk that is full can be locked on as well.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    return ok({ release: () => database.close() })
  } catch (error) {
    database.close()
    return isBusy(error) ? ok(null) : err(diskReason(error))
  }
}

const sqliteBusy = 5
const isBusy = (error: unknown): boolean => error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
