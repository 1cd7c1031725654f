import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'

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
