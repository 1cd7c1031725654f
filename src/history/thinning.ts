import type { Row } from '../base/files/sqlite-rows.ts'
import { dayMs, hourMs, minuteMs } from '../base/text/time-text.ts'
import { type Bar, barSpanMs } from '../domain/market/bar.ts'
import { barOf, joinedBar } from '../domain/market/bars.ts'
import { type HistoryDatabase, putMark, readMark } from './history-database.ts'
import { type DiskSpans, type KeptBars, keptBarsIn, wholeSpans } from './kept-bars.ts'
import { barColumns, barOfRow, readOrNull, valuesOfBar } from './schema.ts'

/** One-minute bars are kept for the first period, then hourly bars, then daily ones. Equity points likewise. */
type Thinning = { mark: string; kept: 'minutesMs' | 'hoursMs'; spanMs: number; longerMs: number }
const thinnings: readonly Thinning[] = [
  { mark: 'equityByHour', kept: 'minutesMs', spanMs: minuteMs, longerMs: hourMs },
  { mark: 'equityByDay', kept: 'hoursMs', spanMs: hourMs, longerMs: dayMs },
]

/** The last moment whose bars or points are merged: whole longer spans alone. */
const mergedBefore = (nowMs: number, spans: DiskSpans, { kept, longerMs }: Thinning): number =>
  Math.floor((nowMs - spans[kept]) / longerMs) * longerMs

/** The spans of bars in the file; bars of a longer span are always older. */
export const barSpans = [dayMs, hourMs, minuteMs] as const

/** The next symbol with bars in sorted order; null after the last. */
function symbolAfter(database: HistoryDatabase, before: string): string | null {
  const next = database.get('SELECT min(symbol) AS symbol FROM bars WHERE symbol > ?', before)?.symbol
  return typeof next === 'string' ? next : null
}

/** From each symbol to the next one: thousands of them take some ms, and millions of bars no longer. */
const symbolByTurns = `WITH RECURSIVE each(symbol) AS (
  SELECT min(symbol) FROM bars
  UNION ALL SELECT (SELECT min(symbol) FROM bars WHERE symbol > each.symbol) FROM each WHERE each.symbol IS NOT NULL
)`

/** The symbols with bars, sorted. */
export const symbolsIn = (database: HistoryDatabase): string[] =>
  database.all(`${symbolByTurns} SELECT symbol FROM each WHERE symbol IS NOT NULL`).map(({ symbol }) => String(symbol))

const symbolCountIn = (database: HistoryDatabase): number =>
  numberOf(database.get(`${symbolByTurns} SELECT count(symbol) AS count FROM each`), 'count')

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
  /** What this round keeps; null between two rounds. */
  #kept: KeptBars | null = null
  /** The symbol up to which each work is done in this round: thousands need not be read each step. */
  readonly #doneTo = new Map<Thinning | 'removing', string>()

  constructor(database: HistoryDatabase) {
    this.#database = database
  }

  /**
   * One step: merges the oldest hour of minutes or day of hours of a symbol into one bar, keeps the last of such equity
   * points, removes the oldest days of one of very many symbols, bars of a symbol without prices or the oldest ended
   * orders, or returns unused pages to the disk. False when nothing is left to do: the next call begins a new round.
   */
  step(nowMs: number, ordersKept = endedOrdersKept): boolean {
    this.#kept ??= keptBarsIn(this.#database, symbolCountIn(this.#database), nowMs)
    const kept = this.#kept
    const isMore =
      thinnings.some(
        (each) =>
          this.#eachSymbol(each, (symbol) =>
            thinBars(this.#database, symbol, each, mergedBefore(nowMs, kept.spansOf(symbol), each)),
          ) || thinEquity(this.#database, each, mergedBefore(nowMs, wholeSpans, each)),
      ) ||
      this.#eachSymbol('removing', (symbol) => removeBars(this.#database, symbol, kept, nowMs)) ||
      thinOrders(this.#database, ordersKept) ||
      giveBack(this.#database)
    if (!isMore) {
      this.#doneTo.clear()
      this.#kept = null
    }
    return isMore
  }

  /** Does a work for the next symbol that is due, or looks at some that are not; false at the last one. */
  #eachSymbol(work: Thinning | 'removing', isDone: (symbol: string) => boolean): boolean {
    for (let looked = 0; looked < symbolsAtOnce; looked += 1) {
      const symbol = symbolAfter(this.#database, this.#doneTo.get(work) ?? '')
      if (symbol === null) return false
      if (isDone(symbol)) return true
      this.#doneTo.set(work, symbol)
    }
    return true
  }
}

/** Merges the oldest bars of a symbol that begin before a moment; false for none. */
function thinBars(database: HistoryDatabase, symbol: string, thinning: Thinning, beforeMs: number): boolean {
  const oldest = 'SELECT min(start_ms) AS start FROM bars WHERE symbol = ? AND span_ms = ?'
  const start = database.get(oldest, symbol, thinning.spanMs)?.start
  if (typeof start !== 'number' || start >= beforeMs) return false
  mergeBars(database, symbol, thinning, start)
  return true
}

/** Removes days of a symbol that are too old, or bars of one that is gone; false for none. */
function removeBars(database: HistoryDatabase, symbol: string, kept: KeptBars, nowMs: number): boolean {
  const newest = 'SELECT max(start_ms) AS start FROM bars WHERE symbol = ? AND span_ms = ?'
  const starts = barSpans.flatMap((spanMs) => {
    const start = database.get(newest, symbol, spanMs)?.start
    return typeof start === 'number' ? [{ spanMs, start }] : []
  })
  const isGone = kept.isGone(symbol, Math.max(...starts.map(({ spanMs, start }) => start + spanMs)))
  const daysBeforeMs = Math.max(nowMs - kept.spansOf(symbol).daysMs, -1)
  return starts.some(({ spanMs }) => {
    if (!isGone && spanMs < dayMs) return false
    return removeBefore(database, symbol, spanMs, isGone ? Number.MAX_SAFE_INTEGER : daysBeforeMs)
  })
}

/** Removes some of the oldest bars of a symbol that begin before a moment; false for none. */
function removeBefore(database: HistoryDatabase, symbol: string, spanMs: number, beforeMs: number): boolean {
  const some = `SELECT start_ms FROM bars WHERE symbol = ?1 AND span_ms = ?2 AND start_ms < ?3 ORDER BY start_ms
    LIMIT ${rowsAtOnce}`
  let count = 0
  database.write(() => {
    const range = `symbol = ?1 AND span_ms = ?2 AND start_ms IN (${some})`
    count = database.run(`DELETE FROM bars WHERE ${range}`, symbol, spanMs, beforeMs)
  })
  return count > 0
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
