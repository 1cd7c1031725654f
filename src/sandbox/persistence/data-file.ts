import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { makeFolder } from '../../base/files/make-folder.ts'
import { bringUpToDate, rememberPlace } from '../../base/files/sqlite-file.ts'
import { type Row, rowReaders } from '../../base/files/sqlite-rows.ts'
import { applicationId, migrations, tables } from './schema.ts'
import { explain, foreign, removed, tooNew, UnusableData, WrongContent } from './unusable-data.ts'

/** The data folder's single file; SQLite keeps its write-ahead log beside it. */
export const dataFileName = 'exchange.sqlite'
/** A larger cache would fill up over hours with pages that are not needed again; the system caches the file too. */
const cacheKiB = 1_024
/** Disk space that the write-ahead log may keep after it had to grow. */
const logKeepBytes = 64 * 1024 * 1024

/**
 * A data folder's file, open and locked against every other process until it is closed or the process ends in any way:
 * the lock is the operating system's, on the file itself. Every failure is thrown as `UnusableData`.
 */
export class DataFile {
  readonly folder: string
  private readonly database: DatabaseSync
  private readonly beginning: StatementSync
  private readonly ending: StatementSync
  private readonly fault: () => unknown
  /** The first failure. Nothing works afterwards: the database may have rolled back more than one step. */
  private failure: UnusableData | null = null

  /**
   * Opens the file in this folder, creating both if needed, with access for the owner only. If the folder
   * `isTemporary`, to be removed at the end, nothing waits for the disk.
   */
  static open(folder: string, isTemporary = false): DataFile {
    try {
      const path = privateFile(resolve(folder))
      const database = new DatabaseSync(path)
      try {
        lock(database, isTemporary)
        migrate(database, folder)
        return new DataFile(folder, database, rememberPlace(path))
      } catch (error) {
        database.close()
        throw error
      }
    } catch (error) {
      throw explain(folder, error)
    }
  }

  private constructor(folder: string, database: DatabaseSync, fault: () => unknown) {
    this.folder = folder
    this.database = database
    this.beginning = database.prepare('BEGIN IMMEDIATE')
    this.ending = database.prepare('COMMIT')
    this.fault = fault
  }

  prepare(sql: string): StatementSync {
    return this.attempt(() => this.database.prepare(sql))
  }

  /** Opens a transaction unless one is open: all following writes become durable together, or not at all. */
  begin(): void {
    this.attempt(() => {
      if (!this.database.isTransaction) this.beginning.run()
    })
  }

  /** Everything written so far is on disk when this returns. */
  commit(): void {
    this.attempt(() => {
      if (!this.database.isTransaction) return
      this.ending.run()
      // A file without a name takes every write, and ends with this process.
      if (this.fault() !== null) throw removed(this.folder)
    })
  }

  /** Empties every table, in a transaction that the next commit ends. */
  clear(): void {
    this.begin()
    this.attempt(() => {
      for (const table of tables) this.database.exec(`DELETE FROM ${table}`)
    })
  }

  /** Returns the space of deleted rows to the disk. Must be called outside a transaction. */
  shrink(): void {
    this.attempt(() => this.database.exec('VACUUM'))
  }

  /** Runs work on the database; any error in it is thrown as `UnusableData`, then and on every later call. */
  attempt<T>(work: () => T): T {
    if (this.failure !== null) throw this.failure
    try {
      return work()
    } catch (error) {
      const explained = explain(this.folder, error)
      if (explained instanceof UnusableData) this.failure = explained
      throw explained
    }
  }

  /** Rolls back an open transaction. */
  close(): void {
    this.database.close()
  }
}

/** The file's path, after creating it and its folder if needed. SQLite gives its other files the same mode. */
function privateFile(folder: string): string {
  makeFolder(folder)
  const path = join(folder, dataFileName)
  // Closing a second handle would release this process's lock, so an existing file is not opened here.
  if (existsSync(path)) chmodSync(path, 0o600)
  else closeSync(openSync(path, 'a', 0o600))
  return path
}

function lock(database: DatabaseSync, isTemporary: boolean): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  // FULL: a commit is on disk when it returns. With less, a power cut could lose the last answers, which does not
  // matter for a temporary exchange.
  database.exec(`PRAGMA synchronous = ${isTemporary ? 'OFF' : 'FULL'}; PRAGMA journal_mode = WAL`)
  database.exec(
    `PRAGMA journal_size_limit = ${logKeepBytes}; PRAGMA cache_size = -${cacheKiB}; PRAGMA temp_store = MEMORY`,
  )
  database.exec('BEGIN IMMEDIATE; COMMIT')
}

function migrate(database: DatabaseSync, folder: string): void {
  const fault = bringUpToDate(database, { applicationId, migrations })
  if (fault?.kind === 'foreign') throw foreign(folder, dataFileName)
  if (fault?.kind === 'newer') throw tooNew(folder, fault.version, migrations.length)
}

const wrong = (name: string, value: unknown) => new WrongContent(`column ${name} holds ${String(value)}`)

// The readers throw if a column does not match the schema: the file is damaged.
export const { whole, text } = rowReaders(wrong)

/** A whole number of any size, stored as text. */
export function large(row: Row, name: string): bigint {
  const value = text(row, name)
  if (!/^-?\d+$/.test(value)) throw wrong(name, value)
  return BigInt(value)
}

/** A column with one of these words in it. */
export function word<Word extends string>(row: Row, name: string, words: readonly Word[]): Word {
  const value = words.find((each) => each === row[name])
  if (value === undefined) throw wrong(name, row[name])
  return value
}

export const orNull = <T>(read: (row: Row, name: string) => T, row: Row, name: string): T | null =>
  row[name] === null ? null : read(row, name)

/**
 * Shares the exchange's data file, with tables of its own, and becomes durable in the same commits. Changes wait in
 * memory until `write`, so a query of its tables sees only durable rows.
 */
export type Companion = {
  /** True if there are changes that are not in a transaction yet. */
  readonly isWaiting: boolean
  /** Writes pending changes into the open transaction. */
  write(): void
  /** A new world starts, in a transaction that also empties the tables: pending changes must be dropped. */
  startOver(): void
}

/** All companions of one exchange, as one. */
export class Companions {
  private readonly members: Companion[] = []

  add<T extends Companion>(companion: T): T {
    this.members.push(companion)
    return companion
  }

  get isWaiting(): boolean {
    return this.members.some((member) => member.isWaiting)
  }

  /** Opens a transaction on the file if anything is pending, and writes it. */
  write(file: DataFile): void {
    if (!this.isWaiting) return
    file.begin()
    file.attempt(() => {
      for (const member of this.members) if (member.isWaiting) member.write()
    })
  }

  startOver(): void {
    for (const member of this.members) member.startOver()
  }
}

/** A folder for an exchange's data, and how to leave it at the end. */
export type DataFolder = { path: string; isTemporary: boolean; leave(): void }

/** The given folder, which stays; or a temporary one, which is removed. */
export function openDataFolder(path: string | undefined): DataFolder {
  if (path !== undefined) return { path, isTemporary: false, leave: () => {} }
  const temporary = mkdtempSync(join(tmpdir(), 'pitdesk-sandbox-'))
  return { path: temporary, isTemporary: true, leave: () => rmSync(temporary, { recursive: true, force: true }) }
}
