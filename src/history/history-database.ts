import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { diskReason, sqliteCode } from '../base/error-text.ts'
import { refuseOtherThanFile } from '../base/plain-file.ts'
import { bringUpToDate, type FormatFault, ownFile, rememberPlace } from '../base/sqlite-file.ts'
import type { Row } from '../base/sqlite-rows.ts'
import { historyFormat, WrongContent } from './schema.ts'

/**
 * Why the file does not serve: another process is writing (try again), the disk refuses or the file was taken away, it
 * is damaged, or a newer version wrote it. The message is a sentence.
 */
export class HistoryError extends Error {
  override readonly name = 'HistoryError'
  readonly kind: 'busy' | 'disk' | 'damaged' | 'newer'

  constructor(kind: HistoryError['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** SQLite's codes for a file that another process writes to, and for one that is damaged or not a database. */
const busyCodes = new Set([5, 6])
const damagedCodes = new Set([11, 24, 26])

/** What went wrong with the file as a `HistoryError`; any other error as it is. */
export function explained(path: string, error: unknown): unknown {
  if (error instanceof HistoryError) return error
  const code = sqliteCode(error)
  if (code !== null && busyCodes.has(code)) return new HistoryError('busy', `${path} is in use`, error)
  const isDamaged = error instanceof WrongContent || (code !== null && damagedCodes.has(code))
  if (isDamaged) return new HistoryError('damaged', `${path} is damaged: ${diskReason(error)}`, error)
  const isOfDisk = code !== null || (error instanceof Error && 'code' in error)
  return isOfDisk ? new HistoryError('disk', `${path} cannot be used: ${diskReason(error)}`, error) : error
}

/**
 * How long a write waits for another desk's, which takes some ms: the screen stands still meanwhile. Then it is tried
 * again later.
 */
const busyMs = 50
type Value = Row[string]

/** The open file, and what is asked of it. Synchronous: a question or a write is a few ms at most. */
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
      // NORMAL: a power cut may take the last commits, never the file. Fills and orders that it takes are asked for
      // again; of prices and equity it leaves a gap of minutes.
      if (!isReadOnly) {
        // Counts for a file that is made now, and has to come first: pages can be given back to the disk.
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

  /** A file of an older version is brought up to date by the next desk: until then it cannot be read. */
  #readOnlyFault(): FormatFault | null {
    const version = Number(this.#database.prepare('PRAGMA user_version').get()?.user_version)
    if (version > historyFormat.migrations.length) return { kind: 'newer', version }
    if (version < historyFormat.migrations.length)
      throw new HistoryError('disk', `${this.path} is of an older version: open the desk once`)
    return null
  }

  /** False: the file was taken away or another came into its place, so that nothing that is written is found again. */
  get isInPlace(): boolean {
    return this.#fault() === null
  }

  all(sql: string, ...values: Value[]): Row[] {
    return this.attempt(() => this.#statement(sql).all(...values))
  }

  /** Like `all`, with the columns by place, 0 and so on, instead of by name: takes two thirds of the time. */
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

  /** How many rows it changed. */
  run(sql: string, ...values: Value[]): number {
    return this.attempt(() => Number(this.#statement(sql).run(...values).changes))
  }

  /** All of `work` or nothing. */
  write(work: () => unknown): void {
    this.attempt(() => {
      if (!this.isInPlace) throw new HistoryError('disk', `${this.path} was removed or replaced`)
      try {
        this.#database.exec('BEGIN IMMEDIATE')
        work()
        this.#database.exec('COMMIT')
      } finally {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK')
      }
    })
  }

  /** Runs while nothing is seen that others write. Throws `HistoryError`, and what `work` throws. */
  async asOfNow<T>(work: () => Promise<T>): Promise<T> {
    this.attempt(() => this.#database.exec('BEGIN'))
    try {
      return await work()
    } finally {
      if (this.#database.isOpen && this.#database.isTransaction) this.attempt(() => this.#database.exec('COMMIT'))
    }
  }

  /** Runs `work`; what goes wrong with the file comes out as `HistoryError`. */
  attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw explained(this.path, error)
    }
  }

  /** What waits in the log is moved into the file where no other desk has it open. */
  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, known)
    return known
  }
}
