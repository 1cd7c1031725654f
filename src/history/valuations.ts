import type { Bar } from '../domain/market/bar.ts'
import { barSpanMs } from '../domain/market/bar.ts'
import { usdAtEnded } from '../domain/market/usd-at.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { valueCurrency } from '../domain/positions/ledger.ts'
import { nothingRecorded, ownPriceMs, type RecordedPrices, usdOfTrade } from '../domain/positions/own-prices.ts'
import type { UsdValue } from '../domain/positions/position.ts'
import { currenciesOf, type Rules } from '../domain/statement/movement.ts'
import type { HistoryDatabase } from './history-database.ts'
import { barColumns, barOfRow, fillColumns, fillOfRow, readOrNull, valuationOfRow } from './schema.ts'
import { barSpans } from './thinning.ts'

// What currencies were worth is written once, beside the fills: bars become longer and clocks go on, and what was
// realized then stays.

const noRules: Rules = new Map()

/** The bar that had ended last at a moment: its last instant is not after it. Of two that end together the finest. */
function endedBarAt(database: HistoryDatabase, symbol: string, atMs: number): Bar | null {
  const sql = `SELECT ${barColumns} FROM bars WHERE symbol = ? AND span_ms = ? AND start_ms <= ?
    ORDER BY start_ms DESC LIMIT 1`
  let best: Bar | null = null
  // The finest come last.
  for (const spanMs of barSpans) {
    const row = database.get(sql, symbol, spanMs, atMs + 1 - spanMs)
    const bar = row === undefined ? null : readOrNull(row, barOfRow)
    if (bar === null) continue
    if (best === null || bar.startMs + spanMs >= best.startMs + barSpanMs(best)) best = bar
  }
  return best
}

/** What was written of a currency's worth at a moment; null: that nobody knew; undefined: nothing was. */
function fixedValueAt(database: HistoryDatabase, currency: string, atMs: number): UsdValue | null | undefined {
  const row = database.get('SELECT usd, source FROM valuations WHERE currency = ? AND at_ms = ?', currency, atMs)
  return row === undefined ? undefined : readOrNull(row, valuationOfRow)?.value
}

/** Writes what a currency was worth at a moment where nothing is written of it; inside a write. What counts then. */
function fixValueAt(database: HistoryDatabase, currency: string, atMs: number): UsdValue | null {
  const known = fixedValueAt(database, currency, atMs)
  if (known !== undefined) return known
  const ended = usdAtEnded({ endedBarAt: (symbol, ms) => endedBarAt(database, symbol, ms) })
  const value = usdOfTrade(lastOwn(database, currency, atMs), { ...nothingRecorded, ended }, currency, atMs)
  const values = [currency, atMs, value?.usd.toFixed() ?? null, value?.source ?? '']
  database.run('INSERT OR REPLACE INTO valuations VALUES (?, ?, ?, ?)', ...values)
  return value
}

/** The last own fill against USD of the time in which one says a price. */
function lastOwn(database: HistoryDatabase, currency: string, atMs: number): Fill | undefined {
  const sql = `SELECT ${fillColumns} FROM fills WHERE at_ms BETWEEN ? AND ? AND symbol = ?
    ORDER BY at_ms DESC, fills.exec_id DESC LIMIT 1`
  const row = database.get(sql, atMs - ownPriceMs, atMs, `${currency}-${valueCurrency}`)
  return row === undefined ? undefined : fillOfRow(row)
}

/** The two currencies of a fill whose worth its own price does not tell; null where it does. */
function crossOf({ symbol }: Pick<Fill, 'symbol'>): { base: string; counter: string } | null {
  const pair = currenciesOf(symbol, noRules)
  return pair === null || pair.base === valueCurrency || pair.counter === valueCurrency ? null : pair
}

/** Notes that the worth of a new fill is to be written, where its own price does not tell it; inside a write. */
export function awaitValue(database: HistoryDatabase, fill: Fill): void {
  if (crossOf(fill) !== null) database.run('INSERT OR IGNORE INTO unvalued_fills VALUES (?)', BigInt(fill.execId))
}

/** Writes the worth of some fills that wait for it, inside a write; false: none does. */
function fixNext(database: HistoryDatabase, most: number): boolean {
  const columns = fillColumns.replace('CAST(exec_id', 'CAST(fills.exec_id')
  const sql = `SELECT ${columns} FROM unvalued_fills JOIN fills ON fills.exec_id = unvalued_fills.exec_id
    ORDER BY unvalued_fills.exec_id LIMIT ?`
  const fills = database.all(sql, most).map(fillOfRow)
  for (const fill of fills) {
    const pair = crossOf(fill)
    // The other end tells it where nobody knows this one.
    if (pair !== null && fixValueAt(database, pair.counter, fill.timestampMs) === null)
      fixValueAt(database, pair.base, fill.timestampMs)
    database.run('DELETE FROM unvalued_fills WHERE exec_id = ?', BigInt(fill.execId))
  }
  return fills.length > 0
}

/** What a history knows of the worth of currencies. Throws `HistoryError`. */
export class Valuations {
  readonly #database: HistoryDatabase

  constructor(database: HistoryDatabase) {
    this.#database = database
  }

  /** As far as it was written down, or prices were. */
  get prices(): RecordedPrices {
    const ended = usdAtEnded({ endedBarAt: (symbol, atMs) => this.endedBarAt(symbol, atMs) })
    return { fixed: (currency, atMs) => this.fixed(currency, atMs), ended }
  }

  /** The bar that had ended last at a moment: no look of it is later. */
  endedBarAt(symbol: string, atMs: number): Bar | null {
    return this.#database.attempt(() => endedBarAt(this.#database, symbol, atMs))
  }

  /** What was written of a currency's worth at a moment; null: that nobody knew; undefined: nothing was. */
  fixed(currency: string, atMs: number): UsdValue | null | undefined {
    return this.#database.attempt(() => fixedValueAt(this.#database, currency, atMs))
  }

  /** Writes what a currency was worth at a moment, once and for all; all fills up to then have to be there. */
  fix(currency: string, atMs: number): void {
    this.#database.write(() => fixValueAt(this.#database, currency, atMs))
  }

  /**
   * Fixes the worth of at most `most` fills that wait for it; false: none waits. All fills before them have to be
   * there.
   */
  fixFills(most: number): boolean {
    let isMore = false
    if (this.isComplete) return isMore
    this.#database.write(() => {
      isMore = fixNext(this.#database, most)
    })
    return isMore
  }

  /** No fill waits for its worth to be written. */
  get isComplete(): boolean {
    return this.#database.get('SELECT 1 FROM unvalued_fills LIMIT 1') === undefined
  }
}
