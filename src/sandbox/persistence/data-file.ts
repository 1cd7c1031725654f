import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { makeFolder } from '../../base/make-folder.ts'
import { bringUpToDate } from '../../base/sqlite-file.ts'
import { type Row, rowReaders } from '../../base/sqlite-rows.ts'
import { applicationId, migrations, tables } from './schema.ts'
import { explain, foreign, tooNew, UnusableData, WrongContent } from './unusable-data.ts'

/** The one file of a data folder; SQLite puts its write-ahead log beside it. */
export const dataFileName = 'exchange.sqlite'
/** More would fill up over the hours with pages that nobody asks for again; the system keeps the file at hand too. */
const cacheKiB = 1_024
/** What the write-ahead log may keep of the disk after it had to be larger. */
const logKeepBytes = 64 * 1024 * 1024

/**
 * The file of one data folder, open and locked against every other process until it is closed or the process ends in
 * whatever way: the lock is the operating system's, on the file itself. Whatever fails is thrown as `UnusableData`.
 */
export class DataFile {
  readonly folder: string
  private readonly database: DatabaseSync
  private readonly beginning: StatementSync
  private readonly ending: StatementSync
  /** What failed first. From then on nothing works: the database may have taken back more than the one step. */
  private failure: UnusableData | null = null

  /**
   * Opens the file in this folder, and makes both when they are not there: for the owner's eyes only. Where the folder
   * `isTemporary`, removed in the end, nothing waits for the disk.
   */
  static open(folder: string, isTemporary = false): DataFile {
    try {
      const path = privateFile(resolve(folder))
      const database = new DatabaseSync(path)
      try {
        lock(database, isTemporary)
        migrate(database, folder)
        return new DataFile(folder, database)
      } catch (error) {
        database.close()
        throw error
      }
    } catch (error) {
      throw explain(folder, error)
    }
  }

  private constructor(folder: string, database: DatabaseSync) {
    this.folder = folder
    this.database = database
    this.beginning = database.prepare('BEGIN IMMEDIATE')
    this.ending = database.prepare('COMMIT')
  }

  prepare(sql: string): StatementSync {
    return this.attempt(() => this.database.prepare(sql))
  }

  /**
   * Opens a transaction unless one is open: all that is written from now on becomes durable together, or not at all.
   */
  begin(): void {
    this.attempt(() => {
      if (!this.database.isTransaction) this.beginning.run()
    })
  }

  /** Everything written so far is on disk when this returns. */
  commit(): void {
    this.attempt(() => {
      if (this.database.isTransaction) this.ending.run()
    })
  }

  /** Empties every table, in a transaction that the next commit ends. */
  clear(): void {
    this.begin()
    this.attempt(() => {
      for (const table of tables) this.database.exec(`DELETE FROM ${table}`)
    })
  }

  /** Gives the space of what was deleted back to the disk. Outside any transaction. */
  shrink(): void {
    this.attempt(() => this.database.exec('VACUUM'))
  }

  /** Runs work on the database; what goes wrong in it comes out as `UnusableData`, now and ever after. */
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

  /** An open transaction is given up. */
  close(): void {
    this.database.close()
  }
}

/** The file's path; it and its folder exist after this. What SQLite makes beside the file gets the file's mode. */
function privateFile(folder: string): string {
  makeFolder(folder)
  const path = join(folder, dataFileName)
  // Closing a file that this process has locked already would let go of the lock, so a known one is not opened here.
  if (existsSync(path)) chmodSync(path, 0o600)
  else closeSync(openSync(path, 'a', 0o600))
  return path
}

function lock(database: DatabaseSync, isTemporary: boolean): void {
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  // FULL: a commit is on disk when it returns. With less, the last answers before a power cut could be forgotten, as a
  // temporary exchange is anyway.
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

// The readers throw when a column is not what the schema says: the file is damaged.
export const { whole, text } = rowReaders(wrong)

/** A whole number of any size, kept as text. */
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
 * What lives beside the exchange in its data file, with tables of its own, and becomes durable in the same commits.
 * What changed waits in memory until `write`; a query of its tables that writes nothing therefore sees durable rows
 * only.
 */
export type Companion = {
  /** True when something changed that is in no transaction yet. */
  readonly isWaiting: boolean
  /** Writes what is waiting into the transaction under way. */
  write(): void
  /** A new world begins, in a transaction that also empties the tables: what is waiting is to be forgotten. */
  startOver(): void
}

/** All that live beside one exchange, as one. */
export class Companions {
  private readonly members: Companion[] = []

  add<T extends Companion>(companion: T): T {
    this.members.push(companion)
    return companion
  }

  get isWaiting(): boolean {
    return this.members.some((member) => member.isWaiting)
  }

  /** Opens a transaction on the file unless nothing is waiting, and writes all that is. */
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

/** A folder for an exchange's data, and what to do with it in the end. */
export type DataFolder = { path: string; isTemporary: boolean; leave(): void }

/** The folder that was asked for, which stays; or a temporary one, which goes. */
export function openDataFolder(path: string | undefined): DataFolder {
  if (path !== undefined) return { path, isTemporary: false, leave: () => {} }
  const temporary = mkdtempSync(join(tmpdir(), 'pitdesk-sandbox-'))
  return { path: temporary, isTemporary: true, leave: () => rmSync(temporary, { recursive: true, force: true }) }
}
