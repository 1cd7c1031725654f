import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { diskReason, sqliteCode } from '../text/error-text.ts'
import { makeFolder } from './make-folder.ts'
import { refuseOtherThanFile } from './plain-file.ts'

/** Suffixes of the files of a database while it is open, and after a crash. */
const besides = ['', '-wal', '-shm'] as const

/**
 * Creates a missing file and its folders, accessible by the owner alone; SQLite gives its other files the same mode.
 * Throws system errors, and `EFTYPE` when something other than a file has the name.
 */
export function ownFile(path: string): void {
  makeFolder(dirname(path))
  refuseOtherThanFile(path)
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

/** Codes by which SQLite says that it cannot write or open a file, and not why. */
const unsaidCodes: ReadonlySet<number | null> = new Set([8, 14])

/** Like `diskReason`, with what the file system says of the file and its folder where SQLite does not say why. */
export function databaseReason(path: string, error: unknown): string {
  try {
    if (!unsaidCodes.has(sqliteCode(error))) return diskReason(error)
    accessSync(path, constants.R_OK | constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return diskReason(error)
  } catch (why) {
    return diskReason(why)
  }
}

/**
 * What is wrong with the files of an open database. `log`: its write-ahead log is gone, so the next start would not
 * find those rows. `file`: the file itself is gone or replaced, or has another log, so writes are lost.
 */
export type PlaceFault = 'log' | 'file'

/** Identity of the file at a path; null when there is none. */
function fileAt(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev} ${stat.ino}`
}

/**
 * Remembers the files a database was opened with. The returned function checks, in some µs, that they are still in
 * place.
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
      // A log that did not exist yet is created on demand.
      if (logs[at] === null || now === logs[at]) return null
      return now === null ? 'log' : 'file'
    })
    return faults.find((fault) => fault === 'file') ?? faults.find((fault) => fault !== null) ?? null
  }
}

/**
 * Format of a database file: its application id, and the statements that migrate version N (`user_version`) to N + 1.
 */
export type Format = { applicationId: number; migrations: readonly string[] }

/** Why a file cannot be migrated: another program's file, or a newer version. */
export type FormatFault = { kind: 'foreign' } | { kind: 'newer'; version: number }

/**
 * Migrates a file to the newest version, once even when several processes open it; or returns why it was left
 * unchanged.
 */
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

/** Renames a database's files to the first free name `<path>.<word>-<n>`, and returns it. */
export function putAside(path: string, word = 'damaged'): string {
  for (let number = 1; ; number += 1) {
    const aside = `${path}.${word}-${number}`
    if (besides.some((end) => existsSync(`${aside}${end}`))) continue
    for (const end of besides) if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${aside}${end}`)
    return aside
  }
}
