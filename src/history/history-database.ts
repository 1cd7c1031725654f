import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { refuseOtherThanFile } from '../base/files/plain-file.ts'
import { bringUpToDate, databaseReason, type FormatFault, ownFile, rememberPlace } from '../base/files/sqlite-file.ts'
import type { Row } from '../base/files/sqlite-rows.ts'
import { diskReason, sqliteCode } from '../base/text/error-text.ts'
import { historyFormat, WrongContent } from './schema.ts'

/**
 * Why the file cannot be used: another process is writing (try again), the disk fails or the file was removed, it is
 * damaged, or a newer version wrote it. The message is a sentence.
 */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  readonly kind: 'busy' | 'disk' | 'damaged' | 'newer'

  constructor(kind: HistoryError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** Why nothing can be read where nothing was ever recorded. */
export const noHistoryText = (path: string): string => `there is no history yet: a desk writes it to ${path}`

/** SQLite's codes for a file locked by another process, and for one that is damaged or not a database. */
const busyCodes = new Set([5, 6])
const damagedCodes = new Set([11, 24, 26])

/** Converts a file error to a `HistoryError`; returns any other error unchanged. */
export function explained(path: string, error: unknown): unknown {
  if (error instanceof HistoryError) return error
  const code = sqliteCode(error)
  if (code !== null && busyCodes.has(code)) return new HistoryError('busy', `${path} is in use`, error)
  const isDamaged = error instanceof WrongContent || (code !== null && damagedCodes.has(code))
  if (isDamaged) return new HistoryError('damaged', `${path} is damaged: ${diskReason(error)}`, error)
  const isOfDisk = code !== null || (error instanceof Error && 'code' in error)
  return isOfDisk ? new HistoryError('disk', `${path} cannot be used: ${databaseReason(path, error)}`, error) : error
}

/** The error for a history file that is no longer in its place. */
const replacedFile = (path: string): HistoryError => new HistoryError('disk', `${path} was removed or replaced`)

/**
 * Maximum wait for another desk's write, which takes some ms, because the screen is blocked meanwhile. Then the write
 * is retried later.
 */
const busyMs = 50
type Value = Row[string]

/** The open file and its queries. Synchronous: a query or a write takes a few ms at most. */
export class HistoryDatabase {
  readonly path: string
  readonly #database: DatabaseSync
  readonly #fault: () => unknown
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string, isReadOnly: boolean) {
    this.path = path
    if (isReadOnly) refuseOtherThanFile(path)
    else ownFile(path)
    this.#database = new DatabaseSync(path, { timeout: busyMs, readOnly: isReadOnly })
    try {
      // NORMAL: a power cut may lose the last commits, but never the file. Lost fills and orders are read again; lost
      // prices and equity leave a gap of minutes.
      if (!isReadOnly) {
        // Takes effect only on a new file, and must come first: allows returning pages to the disk.
        this.#database.exec('PRAGMA auto_vacuum = INCREMENTAL')
        this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
        this.#database.exec('PRAGMA journal_size_limit = 16777216')
      }
      this.#database.exec('PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY')
      const fault = isReadOnly ? this.#readOnlyFault() : bringUpToDate(this.#database, historyFormat)
      if (fault?.kind === 'foreign') throw new HistoryError('damaged', `${path} is not a history of this program`)
      if (fault?.kind === 'newer')
        throw new HistoryError('newer', `${path} was written by a newer pitdesk: it is left alone`)
      this.#fault = rememberPlace(path)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /**
   * A file of an older version is unreadable until the next desk migrates it. One that a full disk left empty is of no
   * version: the desk that made it sets it up once there is room.
   */
  #readOnlyFault(): FormatFault | null {
    const version = Number(this.#database.prepare('PRAGMA user_version').get()?.user_version)
    if (version === 0 && this.#database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined)
      throw new HistoryError('disk', noHistoryText(this.path))
    if (version > historyFormat.migrations.length) return { kind: 'newer', version }
    if (version < historyFormat.migrations.length)
      throw new HistoryError('disk', `${this.path} is of an older version: open the desk once`)
    return null
  }

  /** Why writes are lost: the file was removed or replaced, or the disk does not say; null when it is in its place. */
  get displaced(): HistoryError | null {
    try {
      return this.#fault() === null ? null : replacedFile(this.path)
    } catch (error) {
      const reason = explained(this.path, error)
      if (reason instanceof HistoryError) return reason
      throw reason
    }
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.attempt(() => this.#statement(sql).all(...values))
  }

  /** Like `all`, with columns by position (0 and so on) instead of by name, in two thirds of the time. */
  allByPlace(sql: string, ...values: Value[]): Row[] {
    return this.attempt(() => {
      const statement = this.#statement(`/* by place */ ${sql}`)
      statement.setReturnArrays(true)
      return statement.all(...values)
    })
  }

  get(sql: string, ...values: Value[]): Row | undefined {
    return this.attempt(() => this.#statement(sql).get(...values))
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: Value[]): number {
    return this.attempt(() => Number(this.#statement(sql).run(...values).changes))
  }

  /** Runs `work` in a transaction: all or nothing. */
  write(work: () => unknown): void {
    this.attempt(() => {
      const { displaced } = this
      if (displaced !== null) throw displaced
      try {
        this.#database.exec('BEGIN IMMEDIATE')
        work()
        this.#database.exec('COMMIT')
      } finally {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      }
    })
  }

  /** Runs `work` on a snapshot, without others' later writes. Throws `HistoryError`, and what `work` throws. */
  async asOfNow<T>(work: () => Promise<T>): Promise<T> {
    this.attempt(() => this.#database.exec('BEGIN'))
    try {
      return await work()
    } finally {
      if (this.#database.isOpen && this.#database.isTransaction) this.attempt(() => this.#database.exec('COMMIT'))
    }
  }

  /** Runs `work`, and throws file errors as `HistoryError`. */
  attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw explained(this.path, error)
    }
  }

  /** Closes the file; without another desk on it, SQLite moves its log into the file. */
  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }
}

/** The value recorded under a name, such as how far something was read; null when there is none. */
export function readMark(database: HistoryDatabase, name: string): string | null {
  const value = database.get('SELECT value FROM marks WHERE name = ?', name)?.value
  return typeof value === 'string' ? value : null
}

/** Records a value under a name, in place of the earlier one. */
export function putMark(database: HistoryDatabase, name: string, value: string): void {
  database.run('INSERT OR REPLACE INTO marks VALUES (?, ?)', name, value)
}
