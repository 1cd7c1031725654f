import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SQLOutputValue } from 'node:sqlite'
import { isThere } from '../base/files/plain-file.ts'
import { putAside } from '../base/files/sqlite-file.ts'
import type { Row } from '../base/files/sqlite-rows.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { UnreadableEntry } from '../domain/listing.ts'
import type { Bar, EquityPoint } from '../domain/market/bar.ts'
import { barSpanMs } from '../domain/market/bar.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { listKey, type Order } from '../domain/orders/order.ts'
import { explained, HistoryDatabase, HistoryError, noHistoryText, putMark, readMark } from './history-database.ts'
import { noteLooks } from './kept-bars.ts'
import {
  barColumns,
  barOfRow,
  equityOfRow,
  fillColumns,
  fillOfRow,
  isReadBack,
  orderOfRow,
  readFills,
  readOrNull,
  text,
  valuesOfBar,
  valuesOfEquity,
  valuesOfFill,
  valuesOfOrder,
  whole,
} from './schema.ts'
import { type TakenOver, takeOver } from './taken-over.ts'
import { barSpans, forgetAfter, type HistorySize, putBar, sizeOf, symbolsIn, Thinner } from './thinning.ts'
import { noteOtherwise, otherwiseIn } from './told-otherwise.ts'
import { noteRead, noteUnreadable, noteUnreadableEntries, unreadableCount } from './unreadable-fills.ts'
import { awaitValue, Valuations } from './valuations.ts'

/** The file in the account's folder; SQLite puts its write-ahead log beside it. */
export const historyFileName = 'history.sqlite'

/** Rows per query: no statement stays open in between, so a reader may take its time. */
const pageRows = 1_000

/** Rows read between two frames: 2 to 5 ms. */
const slicedRows = 500

/** A range of time, both ends included, whose executions are not read yet; null: no bound. */
export type FillGap = { id: number; aboveMs: number | null; belowMs: number | null }

/** Selects executions after one moment and up to another. */
export type FillTimes = { afterMs?: number; toMs?: number }

const largestId = 2n ** 63n - 1n
const putFill = 'INSERT OR IGNORE INTO fills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'

export type HistoryOptions = {
  /** True: creates, renames and writes nothing. */
  isReadOnly?: boolean
  /**
   * Renames the existing file and starts a new one: the last use found it damaged, or its practice exchange has started
   * over.
   */
  putAside?: 'damaged' | 'earlier'
  /** True: opening does not put a damaged file aside. */
  isLeft?: boolean
}

/**
 * Opens the history in an account's folder, creating it if needed. Puts a damaged file aside and recovers from it what
 * the exchange cannot report again; `notice` says so.
 */
export function openHistory(folder: string, options: HistoryOptions = {}): Result<HistoryFile, HistoryError> {
  const path = join(folder, historyFileName)
  const { isReadOnly = false, putAside: word, isLeft = false } = options
  try {
    if (isReadOnly) {
      if (isThere(path)) return ok(new HistoryFile(path, isReadOnly))
      return err(new HistoryError('disk', noHistoryText(path)))
    }
    if (word !== undefined && existsSync(path)) return ok(word === 'damaged' ? replaced(path) : anew(path))
    try {
      return ok(new HistoryFile(path))
    } catch (error) {
      const reason = explained(path, error)
      if (reason instanceof HistoryError && reason.kind === 'damaged' && !isLeft) return ok(replaced(path))
      throw reason
    }
  } catch (error) {
    const reason = explained(path, error)
    if (reason instanceof HistoryError) return err(reason)
    throw reason
  }
}

/** Replaces the file of a practice exchange that has started over. */
function anew(path: string): HistoryFile {
  const aside = putAside(path, 'earlier')
  const file = new HistoryFile(path)
  file.notice = `The practice exchange started over: the earlier history is kept as ${aside}.`
  return file
}

/** Replaces a damaged file. */
function replaced(path: string): HistoryFile {
  const aside = putAside(path)
  const file = new HistoryFile(path)
  const { keptCount, leftOutCount } = file.takeOver(aside)
  const rest = leftOutCount === 0 ? '' : `, ${leftOutCount} were left out`
  file.notice =
    `The history ${path} is damaged: kept as ${aside}. Fills and ended orders are read again from the exchange; of ` +
    `prices and equity ${keptCount} rows were still readable${rest}.`
  return file
}

/**
 * What a desk records of an account: bars, equity, own fills, ended orders. Several desks may write at once.
 * Synchronous: a call takes a few ms at most, so large work is split into several calls. Throws only `HistoryError`.
 */
export class HistoryFile {
  readonly path: string
  /** A sentence about a damaged file that was put aside; null when none was. */
  notice: string | null = null
  /** The values of currencies. */
  readonly values: Valuations
  readonly #database: HistoryDatabase
  readonly #thinner: Thinner
  #leftOutCount = 0

  constructor(path: string, isReadOnly = false) {
    this.path = path
    this.#database = new HistoryDatabase(path, isReadOnly)
    this.values = new Valuations(this.#database)
    this.#thinner = new Thinner(this.#database)
  }

  /** Why writes are lost: the file was removed or replaced, or the disk does not say; null when it is in its place. */
  get displaced(): HistoryError | null {
    return this.#database.displaced
  }

  /** The bars of a symbol that begin within these times, both included, oldest first. */
  bars(symbol: string, fromMs: number, toMs: number): Bar[] {
    return [...this.eachBar(symbol, fromMs, toMs)]
  }

  /** The bars of `bars`, one by one. Longer bars are always older, so going by span goes by time. */
  *eachBar(symbol: string, fromMs: number, toMs: number): Iterable<Bar> {
    for (const spanMs of barSpans) {
      const sql = `SELECT ${barColumns} FROM bars WHERE symbol = ? AND span_ms = ? AND start_ms BETWEEN ? AND ?
        ORDER BY start_ms LIMIT ${pageRows}`
      for (let from = fromMs; ; ) {
        const rows = this.#database.all(sql, symbol, spanMs, from, toMs)
        yield* this.#readable(rows, barOfRow)
        const last = rows.at(-1)
        if (last === undefined || rows.length < pageRows) break
        from = this.#read(last, (row) => whole(row, 'start_ms')) + 1
      }
    }
  }

  /** The bar that contains a moment, or else the newest one before it; null when there is none. */
  barAt(symbol: string, atMs: number): Bar | null {
    const sql = `SELECT ${barColumns} FROM bars WHERE symbol = ? AND span_ms = ? AND start_ms <= ?
      ORDER BY start_ms DESC LIMIT 1`
    const newest = barSpans.flatMap((spanMs) => this.#database.all(sql, symbol, spanMs, atMs))
    const bars = this.#readable(newest, barOfRow)
    const reach = (bar: Bar): number => Math.min(atMs, bar.startMs + barSpanMs(bar))
    // Of several that end together the finest, which comes last.
    return bars.reduce<Bar | null>((best, bar) => (best === null || reach(bar) >= reach(best) ? bar : best), null)
  }

  /** The first ms of the oldest bar of a symbol with a span of at most `spanMax` ms; null when there is none. */
  firstBarMs(symbol: string, spanMax: number): number | null {
    const sql = 'SELECT min(start_ms) AS start FROM bars WHERE symbol = ? AND span_ms = ?'
    const starts = barSpans
      .filter((spanMs) => spanMs <= spanMax)
      .map((spanMs) => this.#database.get(sql, symbol, spanMs)?.start)
      .filter((start) => typeof start === 'number')
    return starts.length === 0 ? null : Math.min(...starts)
  }

  /** The symbols with bars, sorted. */
  symbols(): string[] {
    return symbolsIn(this.#database)
  }

  /** Merges each bar, made of new price samples, into the stored bar of its time. */
  putBars(bars: Iterable<readonly [symbol: string, bar: Bar]>): void {
    this.#database.write(() => {
      for (const [symbol, bar] of bars)
        if (this.#isReadBack('bars', valuesOfBar(symbol, bar))) putBar(this.#database, symbol, bar)
    })
  }

  /** The points within these times, both included, oldest first. */
  equity(fromMs: number, toMs: number): EquityPoint[] {
    return [...this.eachEquity(fromMs, toMs)]
  }

  *eachEquity(fromMs: number, toMs: number): Iterable<EquityPoint> {
    const sql = `SELECT * FROM equity WHERE start_ms BETWEEN ? AND ? ORDER BY start_ms LIMIT ${pageRows}`
    for (let from = fromMs; ; ) {
      const rows = this.#database.all(sql, from, toMs)
      yield* this.#readable(rows, equityOfRow)
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageRows) return
      from = this.#read(last, (row) => whole(row, 'start_ms')) + 1
    }
  }

  /** Replaces an existing point of the same minute. */
  putEquity(points: Iterable<EquityPoint>): void {
    this.#database.write(() => {
      for (const values of Array.from(points, valuesOfEquity))
        if (this.#isReadBack('equity', values))
          this.#database.run('INSERT OR REPLACE INTO equity VALUES (?, ?, ?, ?)', ...values)
    })
  }

  /**
   * Executions after one moment and up to another, by time and then id. Throws on an unreadable one, whose effect is
   * unknown, so that all are read again.
   */
  *fills({ afterMs = -1, toMs = Number.MAX_SAFE_INTEGER }: FillTimes = {}): Iterable<Fill> {
    const sql = `SELECT ${fillColumns} FROM fills WHERE (at_ms, exec_id) > (?, ?) AND at_ms <= ?
      ORDER BY at_ms, fills.exec_id LIMIT ${slicedRows}`
    // SQLite's integers cannot hold minus infinity.
    let after: [number, bigint] = [Math.max(afterMs, -1), largestId]
    const read = readFills()
    for (;;) {
      const page = this.#database.allByPlace(sql, ...after, toMs).map((row) => this.#read(row, read))
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < slicedRows) return
      after = [last.timestampMs, BigInt(last.execId)]
    }
  }

  /**
   * The newest execution in the file; one dated after `latestMs` only when there is no other; null when there are none.
   * Older ones may be missing: see `gaps`.
   */
  newestFill(latestMs: number): Fill | null {
    const sql = `SELECT ${fillColumns} FROM fills WHERE at_ms <= ? ORDER BY at_ms DESC, fills.exec_id DESC LIMIT 1`
    const row = this.#database.get(sql, latestMs) ?? this.#database.get(sql, Number.MAX_SAFE_INTEGER)
    return row === undefined ? null : this.#read(row, fillOfRow)
  }

  /** True when an execution is stored. */
  hasFill(execId: string): boolean {
    return this.#database.get('SELECT 1 FROM fills WHERE exec_id = ?', BigInt(execId)) !== undefined
  }

  /** A stored execution, or null. */
  fill(execId: string): Fill | null {
    const row = this.#database.get(`SELECT ${fillColumns} FROM fills WHERE fills.exec_id = ?`, BigInt(execId))
    return row === undefined ? null : this.#read(row, fillOfRow)
  }

  /** The number of stored executions. */
  fillCount(): number {
    return Number(this.mark('fillCount') ?? 0)
  }

  /** True when every readable execution that the exchange lists up to the newest one here is stored. */
  get isFillsWhole(): boolean {
    return this.mark('fillsBegun') !== null && this.gaps().length === 0
  }

  /** At most this many executions listed by the exchange were unreadable, so the file lacks them. */
  get unreadableFills(): number {
    return unreadableCount(this.#database)
  }

  /** Executions reported again with other terms, a clause each; the file has the first report. */
  get toldOtherwise(): string[] {
    return this.#database.attempt(() => otherwiseIn(this.#database))
  }

  /** Records that these were listed among the executions; each counts once, until its execution is recorded. */
  addUnreadable(entries: readonly UnreadableEntry[]): void {
    this.#database.write(() => noteUnreadableEntries(this.#database, entries))
  }

  /** The gaps, the one without an upper bound first. */
  gaps(): FillGap[] {
    const rows = this.#database.all(
      `SELECT id, above_ms, below_ms FROM fill_gaps ORDER BY below_ms IS NOT NULL, id DESC`,
    )
    const timeOf = (row: Row, name: string) => (row[name] === null ? null : whole(row, name))
    return rows.map((row) =>
      this.#read(row, (each) => ({
        id: whole(each, 'id'),
        aboveMs: timeOf(each, 'above_ms'),
        belowMs: timeOf(each, 'below_ms'),
      })),
    )
  }

  /** Records a gap of executions to read, unless it lies in one with the same upper bound. */
  addGap({ aboveMs, belowMs }: Pick<FillGap, 'aboveMs' | 'belowMs'>): void {
    this.#database.write(() => {
      const gaps = this.gaps()
      // The id of no gap before, which another desk may still be reading.
      const id = Math.max(Number(this.mark('fillsBegun') ?? 0), ...gaps.map((gap) => gap.id)) + 1
      putMark(this.#database, 'fillsBegun', String(id))
      const isKnown = gaps.some((gap) => gap.belowMs === belowMs && (gap.aboveMs ?? -1) <= (aboveMs ?? -1))
      if (!isKnown) this.#database.run('INSERT INTO fill_gaps VALUES (?, ?, ?)', id, aboveMs, belowMs)
    })
  }

  /** Stores executions, each once, and in the same commit records how far down a gap is read, or that it is closed. */
  putFills(fills: Iterable<Fill>, gap?: { id: number; belowMs: number } | { id: number; isClosed: true }): void {
    this.#database.write(() => {
      let count = 0
      const hasUnreadable = this.unreadableFills > 0
      for (const fill of fills) {
        const values = valuesOfFill(fill)
        if (!this.#isReadBack('fills', values)) noteUnreadable(this.#database, [fill.execId])
        else if (this.#database.run(putFill, ...values) > 0) {
          count += 1
          if (hasUnreadable) noteRead(this.#database, fill.execId)
          awaitValue(this.#database, fill)
        } else noteOtherwise(this.#database, fill)
      }
      if (count > 0) putMark(this.#database, 'fillCount', String(this.fillCount() + count))
      if (gap === undefined) return
      if ('isClosed' in gap) this.#database.run('DELETE FROM fill_gaps WHERE id = ?', gap.id)
      // Another desk may have read further.
      else
        this.#database.run(
          'UPDATE fill_gaps SET below_ms = ?1 WHERE id = ?2 AND (below_ms IS NULL OR below_ms > ?1)',
          gap.belowMs,
          gap.id,
        )
    })
  }

  /** Ended orders within these times, both included, oldest first; those without a time count as the oldest. */
  *endedOrders(fromMs = 0, toMs = Number.MAX_SAFE_INTEGER): Iterable<Order> {
    const sql = `SELECT * FROM ended_orders WHERE (at_ms, key) > (?, ?) AND at_ms <= ? ORDER BY at_ms, key LIMIT
      ${pageRows}`
    let after: [number, string] = [fromMs, '']
    for (;;) {
      const rows = this.#database.all(sql, ...after, toMs)
      yield* this.#readable(rows, orderOfRow)
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageRows) return
      after = this.#read(last, (row) => [whole(row, 'at_ms'), text(row, 'key')])
    }
  }

  /** Stores ended orders, replacing earlier reports. `working` are orders whose end must still be read. */
  putEndedOrders(ended: Iterable<Order>, { working = [], marks }: OrdersRead = {}): void {
    const put = `INSERT OR REPLACE INTO ended_orders VALUES (${'?, '.repeat(14)}?)`
    this.#database.write(() => {
      for (const order of ended) {
        const values = valuesOfOrder(listKey(order), order)
        if (this.#isReadBack('orders', values)) this.#database.run(put, ...values)
        if (order.orderId !== null) this.#database.run('DELETE FROM working_orders WHERE order_id = ?', order.orderId)
      }
      for (const id of working) this.#database.run('INSERT OR IGNORE INTO working_orders VALUES (?)', id)
      for (const [name, value] of Object.entries(marks ?? {})) putMark(this.#database, name, value)
    })
  }

  /** Ids of orders that were working when last read. */
  workingOrderIds(): string[] {
    return this.#database
      .all('SELECT order_id FROM working_orders')
      .map((row) => this.#read(row, (each) => text(each, 'order_id')))
  }

  /** Forgets a working order that the exchange no longer knows. */
  forgetWorking(orderId: string): void {
    this.#database.write(() => this.#database.run('DELETE FROM working_orders WHERE order_id = ?', orderId))
  }

  /** The value recorded under a name; null when there is none. */
  mark(name: string): string | null {
    return readMark(this.#database, name)
  }

  /** Records that a desk shows or values these symbols: of them all bars are kept. */
  noteLooks(symbols: Iterable<string>, nowMs: number): void {
    this.#database.write(() => noteLooks(this.#database, symbols, nowMs))
  }

  /** One small step of bounding the file; false when nothing is left to do. */
  thin(nowMs: number, ordersKept?: number): boolean {
    return this.#database.attempt(() => this.#thinner.step(nowMs, ordersKept))
  }

  /** The size of the contents. Counting millions of rows takes some 10 ms. */
  size(): HistorySize {
    return { ...sizeOf(this.#database), fills: this.fillCount() }
  }

  /** Deletes bars and equity points that a wrong clock dated after a moment, and returns their number. */
  forgetAfter(latestMs: number): number {
    return this.#database.attempt(() => forgetAfter(this.#database, latestMs))
  }

  /** Copies data that the exchange cannot report again from a file that was put aside, as far as readable. */
  takeOver(aside: string): TakenOver {
    return takeOver(this.#database, aside)
  }

  /** Rows skipped since the last call because they could not be read, or not be read back. */
  takeLeftOut(): number {
    const count = this.#leftOutCount
    this.#leftOutCount = 0
    return count
  }

  /**
   * Runs `work` on a snapshot of the file, so that all it reads is of one moment. Not for a file that is written to.
   */
  asOfNow<T>(work: () => Promise<T>): Promise<T> {
    return this.#database.asOfNow(work)
  }

  /** Closes the file; without another desk on it, SQLite moves its log into the file. */
  close(): void {
    this.#database.close()
  }

  #read<T>(row: Row, read: (row: Row) => T): T {
    return this.#database.attempt(() => read(row))
  }

  /** The readable rows; unreadable ones are counted and skipped. */
  #readable<T>(rows: readonly Row[], read: (row: Row) => T): T[] {
    return rows.flatMap((row) => {
      const value = readOrNull(row, read)
      if (value === null) this.#leftOutCount += 1
      return value === null ? [] : [value]
    })
  }

  #isReadBack(table: Parameters<typeof isReadBack>[0], values: SQLOutputValue[]): boolean {
    const isWell = isReadBack(table, values)
    if (!isWell) this.#leftOutCount += 1
    return isWell
  }
}

/** What was read beside orders that have ended; `marks`: the last id of the page, and the number of entries so far. */
type OrdersRead = { working?: Iterable<string>; marks?: { ordersReadTo: string; ordersReadCount: string } }
