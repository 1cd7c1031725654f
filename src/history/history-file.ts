import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteCode } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import { putAside } from '../base/sqlite-file.ts'
import type { Row } from '../base/sqlite-rows.ts'
import type { Bar, EquityPoint } from '../domain/market/bar.ts'
import { barSpanMs } from '../domain/market/bar.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { listKey, type Order } from '../domain/orders/order.ts'
import { explained, HistoryDatabase, HistoryError } from './history-database.ts'
import {
  barColumns,
  barOfRow,
  equityOfRow,
  fillColumns,
  fillOfRow,
  orderOfRow,
  ownTables,
  text,
  valuesOfEquity,
  valuesOfFill,
  valuesOfOrder,
  whole,
} from './schema.ts'
import { barSpans, putBar, symbolsIn, thinOnce } from './thinning.ts'

/** The file in the account's folder; SQLite puts its write-ahead log beside it. */
export const historyFileName = 'history.sqlite'

/** Rows that are read at once: no statement stays open in between, so that a reader may take its time. */
const pageRows = 1_000

/** Rows that are read between two frames: 2 to 5 ms. */
const slicedRows = 500

/** Executions that were not read yet: above one and below another, neither included; null: no bound. */
export type FillGap = { id: number; above: string | null; below: string | null }

/** What a history holds: `bytes` of the file, without what SQLite has beside it while it is open. */
export type HistorySize = {
  bytes: number
  fills: number
  endedOrders: number
  bars: number
  symbols: number
  equityPoints: number
}

export type HistoryOptions = {
  /** True: nothing is made, put aside or written. */
  isReadOnly?: boolean
  /**
   * The last use found it damaged, or that the exchange has begun anew as a practice exchange may: it is put aside, and
   * a new one begins.
   */
  putAside?: 'damaged' | 'earlier'
}

/**
 * Opens the history in an account's folder, made if need be. A damaged file is put aside and a new one takes over what
 * it still tells that no exchange can tell again; `notice` says so.
 */
export function openHistory(folder: string, options: HistoryOptions = {}): Result<HistoryFile, HistoryError> {
  const path = join(folder, historyFileName)
  const { isReadOnly = false, putAside: word } = options
  try {
    if (isReadOnly) {
      if (existsSync(path)) return ok(new HistoryFile(path, isReadOnly))
      return err(new HistoryError('disk', `there is no history yet: a desk writes it to ${path}`))
    }
    if (word !== undefined && existsSync(path)) return ok(word === 'damaged' ? replaced(path) : anew(path))
    try {
      return ok(new HistoryFile(path))
    } catch (error) {
      const reason = explained(path, error)
      if (reason instanceof HistoryError && reason.kind === 'damaged') return ok(replaced(path))
      throw reason
    }
  } catch (error) {
    const reason = explained(path, error)
    if (reason instanceof HistoryError) return err(reason)
    throw reason
  }
}

/** A new file in the place of one that is of an exchange as it was. */
function anew(path: string): HistoryFile {
  const aside = putAside(path, 'earlier')
  const file = new HistoryFile(path)
  file.notice = `The practice exchange has begun anew: the history of before is kept as ${aside}.`
  return file
}

/** A new file in the place of a damaged one. */
function replaced(path: string): HistoryFile {
  const aside = putAside(path)
  const file = new HistoryFile(path)
  const kept = file.takeOver(aside)
  file.notice =
    `The history ${path} is damaged: kept as ${aside}. Fills and ended orders are read again from the exchange; of ` +
    `prices and equity ${kept} rows were still readable.`
  return file
}

/**
 * What a desk remembers of an account: bars, equity, own fills, ended orders. Several desks may write to
 * it at once. Synchronous: each call is a few ms at most, so what is much goes in several. Throws `HistoryError` alone.
 */
export class HistoryFile {
  readonly path: string
  /** A sentence about what became of a damaged file; null when nothing did. */
  notice: string | null = null
  readonly #database: HistoryDatabase

  constructor(path: string, isReadOnly = false) {
    this.path = path
    this.#database = new HistoryDatabase(path, isReadOnly)
  }

  /** False: the file was taken away or another came into its place, so that nothing that is written is found again. */
  get isInPlace(): boolean {
    return this.#database.isInPlace
  }

  /** The bars of a symbol that begin within these times, both included, the oldest first. */
  bars(symbol: string, fromMs: number, toMs: number): Bar[] {
    return [...this.eachBar(symbol, fromMs, toMs)]
  }

  /** The same one by one. Older ones cover more time, so that all of a span are older than those of a shorter one. */
  *eachBar(symbol: string, fromMs: number, toMs: number): Iterable<Bar> {
    for (const spanMs of barSpans) {
      const sql = `SELECT ${barColumns} FROM bars WHERE symbol = ? AND span_ms = ? AND start_ms BETWEEN ? AND ?
        ORDER BY start_ms LIMIT ${pageRows}`
      for (let from = fromMs; ; ) {
        const page = this.#database.all(sql, symbol, spanMs, from, toMs).map((row) => this.#read(row, barOfRow))
        yield* page
        const last = page.at(-1)
        if (last === undefined || page.length < pageRows) break
        from = last.startMs + 1
      }
    }
  }

  /** The bar that holds a moment, else the newest one before it; null where there is none. */
  barAt(symbol: string, atMs: number): Bar | null {
    const sql = `SELECT ${barColumns} FROM bars WHERE symbol = ? AND span_ms = ? AND start_ms <= ?
      ORDER BY start_ms DESC LIMIT 1`
    const newest = barSpans.flatMap((spanMs) => this.#database.all(sql, symbol, spanMs, atMs))
    const bars = newest.map((row) => this.#read(row, barOfRow))
    const reach = (bar: Bar): number => Math.min(atMs, bar.startMs + barSpanMs(bar))
    // Of several that reach as far the finest, which comes last.
    return bars.reduce<Bar | null>((best, bar) => (best === null || reach(bar) >= reach(best) ? bar : best), null)
  }

  /** The first instant of the oldest bar of a symbol that covers at most `spanMost` ms; null where there is none. */
  firstBarMs(symbol: string, spanMost: number): number | null {
    const sql = 'SELECT min(start_ms) AS start FROM bars WHERE symbol = ? AND span_ms = ?'
    const starts = barSpans
      .filter((spanMs) => spanMs <= spanMost)
      .map((spanMs) => this.#database.get(sql, symbol, spanMs)?.start)
      .filter((start) => typeof start === 'number')
    return starts.length === 0 ? null : Math.min(...starts)
  }

  /** The symbols that there are bars of, by name. */
  symbols(): string[] {
    return symbolsIn(this.#database)
  }

  /** Adds looks: each bar holds looks that were not put before, and becomes one with what is there of its time. */
  putBars(bars: Iterable<readonly [symbol: string, bar: Bar]>): void {
    this.#database.write(() => {
      for (const [symbol, bar] of bars) putBar(this.#database, symbol, bar)
    })
  }

  /** The points within these times, both included, the oldest first. */
  equity(fromMs: number, toMs: number): EquityPoint[] {
    return [...this.eachEquity(fromMs, toMs)]
  }

  *eachEquity(fromMs: number, toMs: number): Iterable<EquityPoint> {
    const sql = `SELECT * FROM equity WHERE start_ms BETWEEN ? AND ? ORDER BY start_ms LIMIT ${pageRows}`
    for (let from = fromMs; ; ) {
      const page = this.#database.all(sql, from, toMs).map((row) => this.#read(row, equityOfRow))
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < pageRows) return
      from = last.startMs + 1
    }
  }

  /** A point of a minute that has one takes its place. */
  putEquity(points: Iterable<EquityPoint>): void {
    this.#database.write(() => {
      for (const point of points)
        this.#database.run('INSERT OR REPLACE INTO equity VALUES (?, ?, ?, ?)', ...valuesOfEquity(point))
    })
  }

  /** Every execution that was read, the oldest first; with `aboveExecId` those after it. */
  *fills(aboveExecId: string | null = null): Iterable<Fill> {
    const sql = `SELECT ${fillColumns} FROM fills WHERE fills.exec_id > ? ORDER BY fills.exec_id LIMIT ${pageRows}`
    for (let above = BigInt(aboveExecId ?? -1); ; ) {
      const page = this.#database.all(sql, above).map((row) => this.#read(row, fillOfRow))
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < pageRows) return
      above = BigInt(last.execId)
    }
  }

  /** Executions up to an id that happened after a moment, in the order of the books: by time, then by id. */
  *fillsAfter(afterMs: number, upToExecId: string): Iterable<Fill> {
    const sql = `SELECT ${fillColumns} FROM fills WHERE (at_ms, exec_id) > (?, ?) AND exec_id <= ?
      ORDER BY at_ms, fills.exec_id LIMIT ${slicedRows}`
    // A moment before all times is none of SQLite's integers.
    let after: [number, bigint] = [Math.max(afterMs, -1), BigInt(upToExecId)]
    for (;;) {
      const page = this.#database.all(sql, ...after, BigInt(upToExecId)).map((row) => this.#read(row, fillOfRow))
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < slicedRows) return
      after = [last.timestampMs, BigInt(last.execId)]
    }
  }

  /** The newest execution in the file; null of none. Older ones may be missing: see `gaps`. */
  newestExecId(): string | null {
    const row = this.#database.get('SELECT CAST(max(exec_id) AS TEXT) AS id FROM fills')
    return typeof row?.id === 'string' ? row.id : null
  }

  /** One execution; null where it was not read. */
  fill(execId: string): Fill | null {
    const row = this.#database.get(`SELECT ${fillColumns} FROM fills WHERE fills.exec_id = ?`, BigInt(execId))
    return row === undefined ? null : this.#read(row, fillOfRow)
  }

  /** How many executions there are. */
  fillCount(): number {
    return Number(this.mark('fillCount') ?? 0)
  }

  /** True: every execution that the exchange lists up to the newest one here was read, save those listed unreadably. */
  get isFillsWhole(): boolean {
    return this.mark('fillsBegun') !== null && this.gaps().length === 0
  }

  /** Executions that the exchange listed and that could not be read, at least: the file lacks them. */
  get unreadableFills(): number {
    return Number(this.mark('fillsUnreadable') ?? 0)
  }

  /** Notes that so many executions of a page could not be read. */
  addUnreadable(count: number): void {
    this.#database.write(() => this.#mark('fillsUnreadable', String(this.unreadableFills + count)))
  }

  /** What was not read yet, that without an upper bound first. */
  gaps(): FillGap[] {
    const rows =
      this.#database.all(`SELECT id, CAST(above AS TEXT) AS above, CAST(below AS TEXT) AS below FROM fill_gaps
      ORDER BY fill_gaps.below IS NOT NULL, id DESC`)
    return rows.map((row) => ({
      id: this.#read(row, (each) => whole(each, 'id')),
      above: row.above === null ? null : this.#read(row, (each) => text(each, 'above')),
      below: row.below === null ? null : this.#read(row, (each) => text(each, 'below')),
    }))
  }

  /** Notes executions that are to be read. */
  addGap({ above, below }: Pick<FillGap, 'above' | 'below'>): void {
    const idOf = (id: string | null) => (id === null ? null : BigInt(id))
    this.#database.write(() => {
      this.#mark('fillsBegun', '1')
      const sql = 'INSERT INTO fill_gaps (above, below) SELECT ?1, ?2 WHERE NOT EXISTS ('
      // A gap without an upper bound that begins no later has these in it.
      const known = 'SELECT 1 FROM fill_gaps WHERE below IS ?2 AND coalesce(above, -1) <= coalesce(?1, -1))'
      this.#database.run(sql + known, idOf(above), idOf(below))
    })
  }

  /**
   * Keeps executions, each once; and in the same commit how far down a gap has been read with them, or that it is
   * closed.
   */
  putFills(fills: Iterable<Fill>, gap?: { id: number; below: string } | { id: number; isClosed: true }): void {
    this.#database.write(() => {
      let count = 0
      for (const fill of fills)
        count += this.#database.run(
          'INSERT OR IGNORE INTO fills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
          ...valuesOfFill(fill),
        )
      if (count > 0) this.#mark('fillCount', String(this.fillCount() + count))
      if (gap === undefined) return
      if ('isClosed' in gap) this.#database.run('DELETE FROM fill_gaps WHERE id = ?', gap.id)
      // Another desk may be further down.
      else
        this.#database.run(
          'UPDATE fill_gaps SET below = ?1 WHERE id = ?2 AND (below IS NULL OR below > ?1)',
          BigInt(gap.below),
          gap.id,
        )
    })
  }

  /** Ended orders within these times, both included, the oldest first; those without a time count as the oldest. */
  *endedOrders(fromMs = 0, toMs = Number.MAX_SAFE_INTEGER): Iterable<Order> {
    const sql = `SELECT * FROM ended_orders WHERE (at_ms, key) > (?, ?) AND at_ms <= ? ORDER BY at_ms, key LIMIT
      ${pageRows}`
    let after: [number, string] = [fromMs, '']
    for (;;) {
      const rows = this.#database.all(sql, ...after, toMs)
      for (const row of rows) yield this.#read(row, orderOfRow)
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageRows) return
      after = this.#read(last, (row) => [whole(row, 'at_ms'), text(row, 'key')])
    }
  }

  /** Keeps orders that have ended: the newest report counts. `working` are those whose end is to be asked for. */
  putEndedOrders(ended: Iterable<Order>, { working = [], readTo }: OrdersRead = {}): void {
    const put = `INSERT OR REPLACE INTO ended_orders VALUES (${'?, '.repeat(14)}?)`
    this.#database.write(() => {
      for (const order of ended) {
        this.#database.run(put, ...valuesOfOrder(listKey(order), order))
        if (order.orderId !== null) this.#database.run('DELETE FROM working_orders WHERE order_id = ?', order.orderId)
      }
      for (const id of working) this.#database.run('INSERT OR IGNORE INTO working_orders VALUES (?)', id)
      if (readTo !== undefined) this.#mark('ordersReadTo', readTo)
    })
  }

  /** Orders that were working when they were last seen. */
  workingOrderIds(): string[] {
    return this.#database
      .all('SELECT order_id FROM working_orders')
      .map((row) => this.#read(row, (each) => text(each, 'order_id')))
  }

  /** Forgets an order that the exchange does not know any more. */
  forgetWorking(orderId: string): void {
    this.#database.write(() => this.#database.run('DELETE FROM working_orders WHERE order_id = ?', orderId))
  }

  /** What was noted under a name; null where nothing was. */
  mark(name: string): string | null {
    const value = this.#database.get('SELECT value FROM marks WHERE name = ?', name)?.value
    return typeof value === 'string' ? value : null
  }

  #mark(name: string, value: string): void {
    this.#database.run('INSERT OR REPLACE INTO marks VALUES (?, ?)', name, value)
  }

  /** One small step of keeping the file bounded; false: there is nothing left to do. */
  thin(nowMs: number, ordersKept?: number): boolean {
    return this.#database.attempt(() => thinOnce(this.#database, nowMs, ordersKept))
  }

  /** What is in it. To count millions of rows takes some 10 ms. */
  size(): HistorySize {
    const count = (table: string): number =>
      Number(this.#database.get(`SELECT count(*) AS count FROM ${table}`)?.count ?? 0)
    const pages = Number(this.#database.get('PRAGMA page_count')?.page_count ?? 0)
    const pageBytes = Number(this.#database.get('PRAGMA page_size')?.page_size ?? 0)
    return {
      bytes: pages * pageBytes,
      fills: this.fillCount(),
      endedOrders: count('ended_orders'),
      bars: count('bars'),
      symbols: this.symbols().length,
      equityPoints: count('equity'),
    }
  }

  /** Copies what no exchange can tell again from a file that was put aside, as far as it can be read; how many rows. */
  takeOver(aside: string): number {
    let count = 0
    let from: DatabaseSync | null = null
    try {
      from = new DatabaseSync(aside, { readOnly: true })
      for (const table of ownTables) count += this.#takeTable(from, table)
    } catch (error) {
      if (sqliteCode(error) === null) throw error
    } finally {
      from?.close()
    }
    return count
  }

  #takeTable(from: DatabaseSync, table: (typeof ownTables)[number]): number {
    let count = 0
    const copy = (row: Row) => {
      const values = Object.values(row)
      this.#database.run(`INSERT OR IGNORE INTO ${table} VALUES (${values.map(() => '?').join(', ')})`, ...values)
      count += 1
    }
    this.#database.write(() => {
      try {
        for (const row of from.prepare(`SELECT * FROM ${table}`).iterate()) copy(row)
      } catch (error) {
        // The rows before the damage stay.
        if (sqliteCode(error) === null) throw error
      }
    })
    return count
  }

  /** What waits in the log is moved into the file where no other desk has it open. */
  close(): void {
    this.#database.close()
  }

  #read<T>(row: Row, read: (row: Row) => T): T {
    return this.#database.attempt(() => read(row))
  }
}

/** What was read of the orders beside those that have ended: `readTo` is the last id of the page. */
type OrdersRead = { working?: Iterable<string>; readTo?: string }
