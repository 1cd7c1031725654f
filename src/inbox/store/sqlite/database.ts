import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorText } from '../../../base/error-text.ts'

/**
 * What brings a file of version N (its `user_version`) to N + 1, oldest first; only ever added to. Numbers are never
 * given twice, so that a place in a list stays one after old events are forgotten. `totals` is what `count(*)` would
 * have to read millions of rows for.
 */
const migrations: readonly string[] = [
  `CREATE TABLE events (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     event_id TEXT NOT NULL UNIQUE,
     order_id TEXT NOT NULL,
     received_at_ms INTEGER NOT NULL,
     source TEXT NOT NULL,
     copies INTEGER NOT NULL DEFAULT 0,
     conflicts INTEGER NOT NULL DEFAULT 0,
     body BLOB NOT NULL
   ) STRICT;
   CREATE INDEX events_by_order ON events (order_id, sequence);
   CREATE TABLE conflicts (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     event_id TEXT NOT NULL,
     received_at_ms INTEGER NOT NULL,
     source TEXT NOT NULL,
     body BLOB NOT NULL
   ) STRICT;
   CREATE INDEX conflicts_by_event ON conflicts (event_id, sequence);
   CREATE TABLE quarantine (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     received_at_ms INTEGER NOT NULL,
     source TEXT NOT NULL,
     reason TEXT NOT NULL,
     replayed_at_ms INTEGER,
     body BLOB NOT NULL
   ) STRICT;
   CREATE TABLE totals (
     events INTEGER NOT NULL,
     copies INTEGER NOT NULL,
     conflicts INTEGER NOT NULL,
     quarantined INTEGER NOT NULL
   ) STRICT;
   INSERT INTO totals VALUES (0, 0, 0, 0);`,
]

/**
 * Tells one inbox from another that came into its place: numbers of events mean something within one only. A copy of
 * the file is the same inbox. Beside the versions, because older programs can do without.
 */
const identity = `CREATE TABLE IF NOT EXISTS store_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO store_identity SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM store_identity)`

/** Brings the file to the newest version, or throws when a newer program made it. */
function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    if (version > migrations.length) throw new Error('the inbox was made by a newer version of this program')
    for (const step of migrations.slice(version)) database.exec(step)
    database.exec(identity)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

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
    throw new Error(`The inbox cannot be opened at ${path}: ${errorText(error)}.`)
  }
}
