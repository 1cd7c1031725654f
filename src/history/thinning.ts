import type { Row } from '../base/sqlite-rows.ts'
import { dayMs, hourMs, minuteMs } from '../base/time-text.ts'
import { type Bar, barSpanMs } from '../domain/market/bar.ts'
import { barOf, joinedBar } from '../domain/market/bars.ts'
import { type HistoryDatabase, putMark, readMark } from './history-database.ts'
import { barColumns, barOfRow, readOrNull, valuesOfBar } from './schema.ts'

/** One-minute bars are kept for the first period, then hourly bars, then daily ones. Equity points likewise. */
const minutesKeptMs = 14 * dayMs
const hoursKeptMs = 366 * dayMs

type Thinning = { mark: string; keptMs: number; spanMs: number; longerMs: number }
const thinnings: readonly Thinning[] = [
  { mark: 'equityByHour', keptMs: minutesKeptMs, spanMs: minuteMs, longerMs: hourMs },
  { mark: 'equityByDay', keptMs: hoursKeptMs, spanMs: hourMs, longerMs: dayMs },
]

/** The spans of bars in the file; bars of a longer span are always older. */
export const barSpans = [dayMs, hourMs, minuteMs] as const

/** The next symbol with bars in sorted order; null after the last. */
function symbolAfter(database: HistoryDatabase, before: string): string | null {
  const next = database.get('SELECT min(symbol) AS symbol FROM bars WHERE symbol > ?', before)?.symbol
  return typeof next === 'string' ? next : null
}

/** The symbols with bars, sorted. */
export function symbolsIn(database: HistoryDatabase): string[] {
  const found: string[] = []
  for (let next = symbolAfter(database, ''); next !== null; next = symbolAfter(database, next)) found.push(next)
  return found
}

/** Merges a bar into the stored bar of its time; call inside a write. */
export function putBar(database: HistoryDatabase, symbol: string, bar: Bar): void {
  const where = 'WHERE symbol = ? AND span_ms = ? AND start_ms = ?'
  const row = database.get(`SELECT ${barColumns} FROM bars ${where}`, symbol, barSpanMs(bar), bar.startMs)
  const before = row === undefined ? null : readOrNull(row, barOfRow)
  const merged = before === null ? bar : joinedBar(before, bar)
  const into = `INSERT OR REPLACE INTO bars (symbol, ${barColumns})`
  database.run(`${into} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...valuesOfBar(symbol, merged))
}

/**
 * Number of newest ended orders kept: about 20 MB, a year of 270 a day. They are only for reference: nothing is
 * computed from them, and the exchange still reports older ones. Fills are never dropped, because a position may have
 * been bought by the very first one.
 */
export const endedOrdersKept = 100_000
/** Rows, or file pages, per step: some ms. */
const rowsAtOnce = 500
const pagesAtOnce = 250
/** Unused pages kept for reuse: 4 MB. */
const pagesSpare = 1_000

/** Symbols looked at per step while none is due. */
const symbolsAtOnce = 250

/** Bounds a file in small steps, of some ms at most. */
export class Thinner {
  readonly #database: HistoryDatabase
  /** The symbol up to which the bars of each thinning are done in this round: thousands need not be read each step. */
  readonly #doneTo = thinnings.map(() => '')

  constructor(database: HistoryDatabase) {
    this.#database = database
  }

  /**
   * One step: merges the oldest hour of minutes or day of hours of a symbol into one bar, keeps the last of such equity
   * points, deletes the oldest ended orders, or returns unused pages to the disk. False when nothing is left to do: the
   * next call begins a new round.
   */
  step(nowMs: number, ordersKept = endedOrdersKept): boolean {
    const isMore =
      thinnings.some((each, at) => {
        const beforeMs = Math.floor((nowMs - each.keptMs) / each.longerMs) * each.longerMs
        return this.#thinBars(at, each, beforeMs) || thinEquity(this.#database, each, beforeMs)
      }) ||
      thinOrders(this.#database, ordersKept) ||
      giveBack(this.#database)
    if (!isMore) this.#doneTo.fill('')
    return isMore
  }

  /** Merges the oldest bars of the next symbol that is due, or looks at some that are not; false at the last one. */
  #thinBars(at: number, thinning: Thinning, beforeMs: number): boolean {
    const oldest = 'SELECT min(start_ms) AS start FROM bars WHERE symbol = ? AND span_ms = ?'
    for (let looked = 0; looked < symbolsAtOnce; looked += 1) {
      const symbol = symbolAfter(this.#database, this.#doneTo[at] ?? '')
      if (symbol === null) return false
      const start = this.#database.get(oldest, symbol, thinning.spanMs)?.start
      if (typeof start === 'number' && start < beforeMs) {
        mergeBars(this.#database, symbol, thinning, start)
        return true
      }
      this.#doneTo[at] = symbol
    }
    return true
  }
}

function thinOrders(database: HistoryDatabase, kept: number): boolean {
  const newest = 'SELECT at_ms, key FROM ended_orders ORDER BY at_ms DESC, key DESC LIMIT 1 OFFSET ?'
  const { at_ms: atMs, key } = database.get(newest, kept) ?? {}
  if (atMs === undefined || key === undefined) return false
  const oldest = 'SELECT key FROM ended_orders WHERE (at_ms, key) <= (?, ?) ORDER BY at_ms, key LIMIT ?'
  database.write(() => database.run(`DELETE FROM ended_orders WHERE key IN (${oldest})`, atMs, key, rowsAtOnce))
  return true
}

const numberOf = (row: Row | undefined, name: string): number => Number(row?.[name] ?? 0)

/** A file created before pages could be returned to the disk keeps and reuses them. */
function giveBack(database: HistoryDatabase): boolean {
  const unused = numberOf(database.get('PRAGMA freelist_count'), 'freelist_count')
  if (unused <= pagesSpare || numberOf(database.get('PRAGMA auto_vacuum'), 'auto_vacuum') === 0) return false
  database.all(`PRAGMA incremental_vacuum(${pagesAtOnce})`)
  return numberOf(database.get('PRAGMA freelist_count'), 'freelist_count') < unused
}

/** Replaces the bars of a symbol from `start` to the end of its longer span with one bar. */
function mergeBars(database: HistoryDatabase, symbol: string, { spanMs, longerMs }: Thinning, start: number): void {
  const startMs = Math.floor(start / longerMs) * longerMs
  const range = 'FROM bars WHERE symbol = ? AND span_ms = ? AND start_ms >= ? AND start_ms < ?'
  const of = [symbol, spanMs, startMs, startMs + longerMs] as const
  database.write(() => {
    const rows = database.all(`SELECT ${barColumns} ${range} ORDER BY start_ms`, ...of)
    const readable = rows.flatMap((row) => readOrNull(row, barOfRow) ?? [])
    const bar = barOf(readable, startMs, longerMs)
    if (bar !== null) putBar(database, symbol, bar)
    database.run(`DELETE ${range}`, ...of)
  })
}

/** A mark records how far this was done, so that thinned data is not read again. */
function thinEquity(database: HistoryDatabase, { mark, longerMs }: Thinning, beforeMs: number): boolean {
  const done = Number(readMark(database, mark) ?? 0)
  const next = database.get('SELECT min(start_ms) AS start FROM equity WHERE start_ms >= ?', done)?.start
  if (typeof next !== 'number' || next >= beforeMs) return false
  const startMs = Math.floor(next / longerMs) * longerMs
  const range = 'start_ms >= ?1 AND start_ms < ?2'
  const last = `SELECT max(start_ms) FROM equity WHERE ${range}`
  database.write(() => {
    database.run(`DELETE FROM equity WHERE ${range} AND start_ms < (${last})`, startMs, startMs + longerMs)
    putMark(database, mark, String(startMs + longerMs))
  })
  return true
}

/**
 * Deletes bars and equity points that begin after a moment, and returns their number. Marks after that moment go too:
 * what they stood for is looked at again from the beginning.
 */
export function forgetAfter(database: HistoryDatabase, latestMs: number): number {
  let count = 0
  database.write(() => {
    for (const table of ['bars', 'equity']) count += database.run(`DELETE FROM ${table} WHERE start_ms > ?`, latestMs)
    for (const { mark } of thinnings)
      database.run('DELETE FROM marks WHERE name = ? AND CAST(value AS INTEGER) > ?', mark, latestMs)
  })
  return count
}

/** The contents of a history: `bytes` is the size of the file, without SQLite's other files. */
export type HistorySize = {
  bytes: number
  fills: number
  endedOrders: number
  bars: number
  symbols: number
  equityPoints: number
}

/** The size of an open file, without its fills, which are counted on writing. */
export function sizeOf(database: HistoryDatabase): Omit<HistorySize, 'fills'> {
  const count = (table: string): number => numberOf(database.get(`SELECT count(*) AS count FROM ${table}`), 'count')
  const pages = numberOf(database.get('PRAGMA page_count'), 'page_count')
  return {
    bytes: pages * numberOf(database.get('PRAGMA page_size'), 'page_size'),
    endedOrders: count('ended_orders'),
    bars: count('bars'),
    symbols: symbolsIn(database).length,
    equityPoints: count('equity'),
  }
}
