import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate } from './migrations.ts'

/** How long a writer waits for another process that is writing. */
const busyMs = 2_000
/**
 * Pages of the log (128 MiB) before they are moved into the file. Nothing is recorded meanwhile, for some 50 ms on a
 * quick disk: the longer the log, the more often a page in it was written again and needs to be moved once only, and
 * the fewer events meet such a pause. It is written over and never cut, since a log that grows at each commit gives the
 * file system more to note than the data.
 */
const checkpointPages = 16_000

/**
 * Set when the file is made. Ids come in no order, so each event writes to a page of the index of its own: among fewer,
 * larger pages a commit meets the same ones more often, which costs a sixth less processor time than pages of half the
 * size.
 */
const pageBytes = 8_192

/** Pages of the file that are kept at hand, which a busy inbox meets again and again. */
export const busyCacheKiB = 65_536
/** For a process that has other things to do, and takes in an event now and then. */
const usualCacheKiB = 8_192

/**
 * Opens the file, made if need be, readable by its owner alone; what is committed is on disk. Throws a sentence that
 * names the file.
 */
export function openDatabase(path: string, cacheKiB = usualCacheKiB): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
    const database = new DatabaseSync(path, { timeout: busyMs })
    database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${checkpointPages};
      PRAGMA journal_size_limit = -1; PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY`)
    migrate(database)
    return database
  } catch (error) {
    throw new Error(`The inbox cannot be opened at ${path}: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
