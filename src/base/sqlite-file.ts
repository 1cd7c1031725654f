import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { refuseOtherThanFile } from './plain-file.ts'

/** What SQLite has beside a file while it is open, and after a process was killed. */
const besides = ['', '-wal', '-shm'] as const

/**
 * Makes a file that is missing, and its folders, readable by its owner alone. What SQLite makes beside it gets its
 * mode. Throws what the disk says, and `EFTYPE` where something else than a file has its name.
 */
export function ownFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  refuseOtherThanFile(path)
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

/**
 * The state of the files of an open database. `log`: its write-ahead log is gone, so a later start would not find those
 * rows. `file`: the file itself is gone or replaced, or has another log: what is written now is lost.
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

/** A file's tables: whose they are, and what brings a file of version N (its `user_version`) to N + 1. */
export type Format = { applicationId: number; migrations: readonly string[] }

/** Why a file is not brought to the newest version: another program's, or a newer version's. */
export type FormatFault = { kind: 'foreign' } | { kind: 'newer'; version: number }

/** Brings a file to the newest version, once also where several processes open it; or says why it is left as it is. */
export function bringUpToDate(database: DatabaseSync, { applicationId, migrations }: Format): FormatFault | null {
  const pragma = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0)
  const look = (): { version: number; fault: FormatFault | null } => {
    const version = pragma('user_version')
    const isEmpty = database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count === 0
    if (!isEmpty && pragma('application_id') !== applicationId) return { version, fault: { kind: 'foreign' } }
    return { version, fault: version > migrations.length ? { kind: 'newer', version } : null }
  }
  const first = look()
  if (first.fault !== null || first.version === migrations.length) return first.fault
  database.exec('BEGIN IMMEDIATE')
  try {
    const { version, fault } = look()
    if (fault === null) {
      database.exec(`PRAGMA application_id = ${applicationId}; ${migrations.slice(version).join('')}
        PRAGMA user_version = ${migrations.length}`)
    }
    database.exec('COMMIT')
    return fault
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Gives a file and what is beside it the first free name `<path>.damaged-<n>`, or with another word; returns it. */
export function putAside(path: string, word = 'damaged'): string {
  for (let number = 1; ; number += 1) {
    const aside = `${path}.${word}-${number}`
    if (besides.some((end) => existsSync(`${aside}${end}`))) continue
    for (const end of besides) if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${aside}${end}`)
    return aside
  }
}
