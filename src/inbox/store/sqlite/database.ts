import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Clock } from '../../../base/clock.ts'
import { makeFolder } from '../../../base/files/make-folder.ts'
import { refuseOtherThanFile } from '../../../base/files/plain-file.ts'
import { databaseReason, ownFile, rememberPlace } from '../../../base/files/sqlite-file.ts'
import { errorText, sqliteCode } from '../../../base/text/error-text.ts'
import type { StoreUse } from '../event-store.ts'
import { forwardBeside, forwarding, forwardTables } from './forward.ts'
import { forgetting, inTransaction, recording } from './tables.ts'

/**
 * Statements that migrate version N (`user_version`) to N + 1, oldest first; only ever appended to. Numbers are never
 * reused, so that a place in a list stays valid after old events are deleted. `totals` saves `count(*)` over millions
 * of rows.
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
  forwardTables,
]

/**
 * Distinguishes an inbox from another one in its place, because event numbers are only valid within one. A copy of the
 * file is the same inbox. A separate table, because older versions do not know it.
 */
const identity = `CREATE TABLE IF NOT EXISTS store_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO store_identity SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT 1 FROM store_identity)`

function versionOf(database: DatabaseSync): number {
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > migrations.length) throw new Error('the inbox was made by a newer version of this program')
  return version
}

const hasIdentity = (database: DatabaseSync): boolean =>
  database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'store_identity'`).get() !== undefined &&
  database.prepare('SELECT 1 FROM store_identity').get() !== undefined

/**
 * Migrates the file to the newest version; throws when a newer program created it. Writes nothing where it is: a commit
 * waits for the disk, and a start for the commit; and so the file opens on a full or read-only disk too.
 */
function migrate(database: DatabaseSync): void {
  if (versionOf(database) === migrations.length && hasIdentity(database)) return
  inTransaction(database, () => {
    for (const step of migrations.slice(versionOf(database))) database.exec(step)
    database.exec(identity)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
  })
}

/** Maximum wait for another process's write. */
const busyMs = 2_000
/**
 * Pages of the log (128 MiB) before they are moved into the file. Nothing is recorded during that, some 50 ms on a fast
 * disk: with a longer log more pages were written repeatedly and are moved only once, and fewer events meet such a
 * pause. The log is overwritten, never truncated, because a log that grows at each commit costs the file system more
 * metadata writes than the data.
 */
const checkpointPages = 16_000

/**
 * Set when the file is created. Ids arrive in no order, so each event writes to another page of the index: with fewer,
 * larger pages a commit meets the same page more often, which takes a sixth less processor time than half the size.
 */
const pageBytes = 8_192

/** The page cache of a busy inbox. */
export const busyCacheKiB = 65_536
/**
 * The page cache of a process that receives events occasionally: pages that were read once fill it within half an hour,
 * and the system keeps the file at hand too.
 */
const usualCacheKiB = 1_024

/** Bytes of the file at a path; 0 when there is none. */
const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Opens a file on a disk that takes no writes, and whose log is empty: without locks, since nothing can change. */
function openUnchanging(path: string): DatabaseSync {
  const place = pathToFileURL(path)
  place.search = '?immutable=1'
  return new DatabaseSync(place, { readOnly: true })
}

/** Opens the file; its commits are on disk. */
function openConnection(path: string, cacheKiB: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyMs })
  try {
    database.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      PRAGMA wal_autocheckpoint = ${checkpointPages}; PRAGMA journal_size_limit = -1;
      PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** What SQLite says of a disk on which it cannot make the files beside the database. */
const sqliteCannotOpen = 14

function openExisting(path: string, cacheKiB: number, use: StoreUse): DatabaseSync {
  try {
    return openConnection(path, cacheKiB)
  } catch (error) {
    if (use !== 'read' || sqliteCode(error) !== sqliteCannotOpen || bytesOf(`${path}-wal`) > 0) throw error
    return openUnchanging(path)
  }
}

/**
 * Opens the file, and creates a missing one, readable by its owner only, for those who receive. Throws a sentence that
 * names the file.
 */
function openDatabase(path: string, cacheKiB = usualCacheKiB, use: StoreUse = 'receive'): DatabaseSync {
  // An empty list would say that nothing came, although nobody has looked where it comes.
  if (use !== 'receive' && bytesOf(path) === 0)
    throw new Error(`There is no inbox at ${path}: nothing was received there yet, or --store must name another place.`)
  try {
    if (use === 'receive') ownFile(path)
    else refuseOtherThanFile(path)
    const database = openExisting(path, cacheKiB, use)
    migrate(database)
    return database
  } catch (error) {
    throw new Error(`The inbox cannot be opened at ${path}: ${databaseReason(path, error)}.`)
  }
}

/** Moves the whole log into the file; false when another process prevents it. */
function moveLogIntoFile(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
}

/**
 * Writes the contents of an open database to a new file, on disk when this returns, and returns its path. Throws on
 * failure.
 */
function saveBeside(database: DatabaseSync, path: string, atMs: number): string {
  const saved = `${path}.rescued-${new Date(atMs).toISOString().replaceAll(':', '-')}`
  makeFolder(dirname(path))
  const file = openSync(saved, 'wx', 0o600)
  try {
    database.prepare('VACUUM INTO ?').run(saved)
    fsyncSync(file)
  } catch (error) {
    rmSync(saved, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
  return saved
}

/** `cacheKiB`: size of the page cache; small by default. `use`: to receive by default. */
export type SqliteOptions = {
  path: string
  clock: Clock
  cacheKiB?: number | undefined
  use?: StoreUse | undefined
}

/** An open file with its prepared queries. */
function connect(path: string, cacheKiB: number | undefined, use?: StoreUse) {
  const database = openDatabase(path, cacheKiB, use)
  return {
    database,
    fault: rememberPlace(path),
    write: recording(database),
    forget: forgetting(database, forwardBeside),
    forward: forwarding(database),
    byId: database.prepare('SELECT * FROM events WHERE event_id = ?'),
    beside: database.prepare('SELECT * FROM conflicts WHERE event_id = ? ORDER BY sequence'),
    totals: database.prepare('SELECT * FROM totals'),
    markReplayed: database.prepare('UPDATE quarantine SET replayed_at_ms = ? WHERE sequence = ?'),
    version: database.prepare('PRAGMA data_version'),
    identity: database.prepare('SELECT id FROM store_identity'),
  }
}

/**
 * Guards a store's file, which someone may remove while it is open: SQLite itself would keep writing to a file that no
 * later start finds. Nothing counts as recorded unless the file is in place before and after the commit.
 */
export function guardedFile({ path, clock, cacheKiB, use }: SqliteOptions) {
  let file = connect(path, cacheKiB, use)
  /** The sentence about a lost file, once it is lost. */
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
        return `What it held could not be saved (${errorText(error)})`
      }
    }
    const what = `ALARM the inbox file ${path} was removed or replaced while it is open. ${saved()}`
    return `${what}. Nothing is taken until it is back, or the inbox is started again`
  }
  const assertInPlace = (): void => {
    // Its log was removed, and then it could not be reopened.
    if (!file.database.isOpen) file = connect(path, cacheKiB)
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
    close(): void {
      if (file.database.isOpen) file.database.close()
    },
    /** Runs `work` while the file is in place. Throws a sentence when the file is lost. */
    inPlace<T>(work: (at: typeof file) => T): T {
      assertInPlace()
      const result = work(file)
      assertInPlace()
      return result
    },
  }
}
