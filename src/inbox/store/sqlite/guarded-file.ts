import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../base/clock.ts'
import { errorText } from '../../../base/error-text.ts'
import { openDatabase } from './database.ts'
import { forgetting, recording } from './tables.ts'

/**
 * What became of the files of an open database. `log`: what it writes ahead to is gone, so a later start would not find
 * it. `file`: the file itself is gone, or another one, or another log, stands in its place: what is written now is seen
 * by nobody.
 */
export type PlaceFault = 'log' | 'file'

/** Which file is at a path; null when there is none. */
function fileAt(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev} ${stat.ino}`
}

/**
 * Remembers which files a database was opened with; the function it gives looks whether they are still in their places.
 * Some µs.
 */
export function rememberPlace(path: string): () => PlaceFault | null {
  const file = fileAt(path)
  const logPaths = [`${path}-wal`, `${path}-shm`]
  const logs = logPaths.map(fileAt)
  if (file === null) throw new Error('the file is gone again')
  return () => {
    if (fileAt(path) !== file) return 'file'
    const faults = logPaths.map((logPath, at): PlaceFault | null => {
      const now = fileAt(logPath)
      // One that was not there yet is made when it is needed.
      if (logs[at] === null || now === logs[at]) return null
      return now === null ? 'log' : 'file'
    })
    return faults.find((fault) => fault === 'file') ?? faults.find((fault) => fault !== null) ?? null
  }
}

/** Moves all that was written ahead into the file; false when another process keeps it from that. */
export function moveLogIntoFile(database: DatabaseSync): boolean {
  return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
}

/**
 * Writes all that an open database holds to a new file, on the disk when this returns; its path. Throws when it cannot.
 */
export function saveBeside(database: DatabaseSync, path: string, atMs: number): string {
  const saved = `${path}.rescued-${new Date(atMs).toISOString().replaceAll(':', '-')}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
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

/** `cacheKiB`: how much of the file is kept at hand; little unless given. */
export type SqliteOptions = { path: string; clock: Clock; cacheKiB?: number | undefined }

/** An open file with the questions that are asked of it. */
function connect(path: string, cacheKiB: number | undefined) {
  const database = openDatabase(path, cacheKiB)
  return {
    database,
    fault: rememberPlace(path),
    write: recording(database),
    forget: forgetting(database),
    byId: database.prepare('SELECT * FROM events WHERE event_id = ?'),
    beside: database.prepare('SELECT * FROM conflicts WHERE event_id = ? ORDER BY sequence'),
    totals: database.prepare('SELECT * FROM totals'),
    markReplayed: database.prepare('UPDATE quarantine SET replayed_at_ms = ? WHERE sequence = ?'),
    version: database.prepare('PRAGMA data_version'),
    identity: database.prepare('SELECT id FROM store_identity'),
  }
}

/**
 * The file of a store, which somebody may take away while it is open: SQLite itself would go on writing to what no
 * later start finds. Nothing is said to be kept unless the file is in its place before and after the commit.
 */
export function guardedFile({ path, clock, cacheKiB }: SqliteOptions) {
  let file = connect(path, cacheKiB)
  /** Says what became of the file, from the moment it was lost. */
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
    return `ALARM the inbox file ${path} was removed or replaced while it is open. ${saved()}. Nothing is taken until it is back, or the inbox is started again`
  }
  const assertInPlace = (): void => {
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
    /** Runs `work` where it is found again. Throws a sentence when the file is lost. */
    inPlace<T>(work: (at: typeof file) => T): T {
      assertInPlace()
      const result = work(file)
      assertInPlace()
      return result
    },
  }
}
