import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { SQLOutputValue } from 'node:sqlite'
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
import { barSpans, forgetAfter, type HistorySize, putBar, sizeOf, symbolsIn, thinOnce } from './thinning.ts'
import { noteOtherwise, otherwiseIn } from './told-otherwise.ts'
import { awaitValue, Valuations } from './valuations.ts'

/** The file in the account's folder; SQLite puts its write-ahead log beside it. */
export const historyFileName = 'history.sqlite'

/** Rows that are read at once: no statement stays open in between, so that a reader may take its time. */
const pageRows = 1_000

/** Rows that are read between two frames: 2 to 5 ms. */
const slicedRows = 500

/** Executions that were not read yet: those from one time to another, both included; null: no bound. */
export type FillGap = { id: number; aboveMs: number | null; belowMs: number | null }

/** Of executions those after a moment, and up to another one. */
export type FillTimes = { afterMs?: number; toMs?: number }

const largestId = 2n ** 63n - 1n
const putFill = 'INSERT OR IGNORE INTO fills VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'

export type HistoryOptions = {
  /** True: nothing is made, put aside or written. */
  isReadOnly?: boolean
  /**
   * The last use found it damaged, or that the exchange has begun anew as a practice exchange may: it is put aside, and
   * a new one begins.
   */
  putAside?: 'damaged' | 'earlier'
  /** True: one that is damaged is not put aside by opening it. */
  isLeft?: boolean
}

/**
 * Opens the history in an account's folder, made if need be. A damaged file is put aside and a new one takes over what
 * it still tells that no exchange can tell again; `notice` says so.
 */
export function openHistory(folder: string, options: HistoryOptions = {}): Result<HistoryFile, HistoryError> {
  const path = join(folder, historyFileName)
  const { isReadOnly = false, putAside: word, isLeft = false } = options
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
      if (reason instanceof HistoryError && reason.kind === 'damaged' && !isLeft) return ok(replaced(path))
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
  file.notice = `The practice exchange started over: the earlier history is kept as ${aside}.`
  return file
}

/** A new file in the place of a damaged one. */
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
 * What a desk remembers of an account: bars, equity, own fills, ended orders. Several desks may write to
 * it at once. Synchronous: each call is a few ms at most, so what is much goes in several. Throws `HistoryError` alone.
 */
export class HistoryFile {
  readonly path: string
  /** A sentence about what became of a damaged file; null when nothing did. */
  notice: string | null = null
  /** What currencies were worth. */
  readonly values: Valuations
  readonly #database: HistoryDatabase
  #leftOutCount = 0

  constructor(path: string, isReadOnly = false) {
    this.path = path
    this.#database = new HistoryDatabase(path, isReadOnly)
    this.values = new Valuations(this.#database)
  }

  /** False: the file was taken away or another came into its place, so that nothing that is written is found again. */
  get isInPlace(): boolean {
    return this.#database.isInPlace
  }

  /** The bars of a symbol that begin within these times, both included, the oldest first. */
  bars(symbol: string, fromMs: number, toMs: number): Bar[] {
    return [...this.eachBar(symbol, fromMs, toMs)]
  }

  /**
   * The bars of `bars` one by one. Older ones cover more time, so all of a span are older than those of a shorter one.
   */
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

  /** The bar that holds a moment, else the newest one before it; null where there is none. */
  barAt(symbol: string, atMs: number): Bar | null {
    const sql = `SELECT ${barColumns} FROM bars WHERE symbol = ? AND span_ms = ? AND start_ms <= ?
      ORDER BY start_ms DESC LIMIT 1`
    const newest = barSpans.flatMap((spanMs) => this.#database.all(sql, symbol, spanMs, atMs))
    const bars = this.#readable(newest, barOfRow)
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
      for (const [symbol, bar] of bars)
        if (this.#isReadBack('bars', valuesOfBar(symbol, bar))) putBar(this.#database, symbol, bar)
    })
  }

  /** The points within these times, both included, the oldest first. */
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

  /** A point of a minute that has one takes its place. */
  putEquity(points: Iterable<EquityPoint>): void {
    this.#database.write(() => {
      for (const values of Array.from(points, valuesOfEquity))
        if (this.#isReadBack('equity', values))
          this.#database.run('INSERT OR REPLACE INTO equity VALUES (?, ?, ?, ?)', ...values)
    })
  }

  /**
   * Executions that happened after a moment and up to another one, in the order of the books: by time, then by id. Of
   * one that cannot be read nobody knows what it did: it throws, and they are to be read anew.
   */
  *fills({ afterMs = -1, toMs = Number.MAX_SAFE_INTEGER }: FillTimes = {}): Iterable<Fill> {
    const sql = `SELECT ${fillColumns} FROM fills WHERE (at_ms, exec_id) > (?, ?) AND at_ms <= ?
      ORDER BY at_ms, fills.exec_id LIMIT ${slicedRows}`
    // A moment before all times is none of SQLite's integers.
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
   * The newest execution in the file, one that is dated later than `latestMs` only where there is no other; null of
   * none. Older ones may be missing: see `gaps`.
   */
  newestFill(latestMs: number): Fill | null {
    const sql = `SELECT ${fillColumns} FROM fills WHERE at_ms <= ? ORDER BY at_ms DESC, fills.exec_id DESC LIMIT 1`
    const row = this.#database.get(sql, latestMs) ?? this.#database.get(sql, Number.MAX_SAFE_INTEGER)
    return row === undefined ? null : this.#read(row, fillOfRow)
  }

  /** Whether an execution was read. */
  hasFill(execId: string): boolean {
    return this.#database.get('SELECT 1 FROM fills WHERE exec_id = ?', BigInt(execId)) !== undefined
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

  /** Executions that were told again with other terms, a clause each: what was told first is here. */
  get toldOtherwise(): string[] {
    return this.#database.attempt(() => otherwiseIn(this.#database))
  }

  /** Notes that so many executions of a page could not be read. */
  addUnreadable(count: number): void {
    this.#database.write(() => this.#mark('fillsUnreadable', String(this.unreadableFills + count)))
  }

  /** What was not read yet, that without an upper bound first. */
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

  /** Notes executions that are to be read. */
  addGap({ aboveMs, belowMs }: Pick<FillGap, 'aboveMs' | 'belowMs'>): void {
    this.#database.write(() => {
      this.#mark('fillsBegun', '1')
      const sql = 'INSERT INTO fill_gaps (above_ms, below_ms) SELECT ?1, ?2 WHERE NOT EXISTS ('
      // A gap with the same upper bound that begins no later has these in it.
      const known = 'SELECT 1 FROM fill_gaps WHERE below_ms IS ?2 AND coalesce(above_ms, -1) <= coalesce(?1, -1))'
      this.#database.run(sql + known, aboveMs, belowMs)
    })
  }

  /**
   * Keeps executions, each once; and in the same commit how far down a gap has been read with them, or that it is
   * closed.
   */
  putFills(fills: Iterable<Fill>, gap?: { id: number; belowMs: number } | { id: number; isClosed: true }): void {
    this.#database.write(() => {
      let [count, lostCount] = [0, 0]
      for (const fill of fills) {
        const values = valuesOfFill(fill)
        if (!this.#isReadBack('fills', values)) lostCount += 1
        else if (this.#database.run(putFill, ...values) > 0) {
          count += 1
          awaitValue(this.#database, fill)
        } else noteOtherwise(this.#database, fill)
      }
      if (count > 0) this.#mark('fillCount', String(this.fillCount() + count))
      if (lostCount > 0) this.#mark('fillsUnreadable', String(this.unreadableFills + lostCount))
      if (gap === undefined) return
      if ('isClosed' in gap) this.#database.run('DELETE FROM fill_gaps WHERE id = ?', gap.id)
      // Another desk may be further down.
      else
        this.#database.run(
          'UPDATE fill_gaps SET below_ms = ?1 WHERE id = ?2 AND (below_ms IS NULL OR below_ms > ?1)',
          gap.belowMs,
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
      yield* this.#readable(rows, orderOfRow)
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
        const values = valuesOfOrder(listKey(order), order)
        if (this.#isReadBack('orders', values)) this.#database.run(put, ...values)
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
    return { ...sizeOf(this.#database), fills: this.fillCount() }
  }

  /** Takes out bars and points of equity that a wrong clock has dated after a moment; how many. */
  forgetAfter(latestMs: number): number {
    return this.#database.attempt(() => forgetAfter(this.#database, latestMs))
  }

  /** Copies what no exchange can tell again from a file that was put aside, as far as it can be read. */
  takeOver(aside: string): TakenOver {
    return takeOver(this.#database, aside)
  }

  /** Rows that were left out since the last time: they could not be read, or not be read back. */
  takeLeftOut(): number {
    const count = this.#leftOutCount
    this.#leftOutCount = 0
    return count
  }

  /** Runs while nothing is seen that others write: all is of one moment. Not for a file that is written to. */
  asOfNow<T>(work: () => Promise<T>): Promise<T> {
    return this.#database.asOfNow(work)
  }

  /** What waits in the log is moved into the file where no other desk has it open. */
  close(): void {
    this.#database.close()
  }

  #read<T>(row: Row, read: (row: Row) => T): T {
    return this.#database.attempt(() => read(row))
  }

  /** Those that say what was ever written there; the others are counted, and cost nothing else. */
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

/** What was read of the orders beside those that have ended: `readTo` is the last id of the page. */
type OrdersRead = { working?: Iterable<string>; readTo?: string }
