import type { Bar } from '../domain/market/bar.ts'
import { barSpanMs } from '../domain/market/bar.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { valueCurrency } from '../domain/positions/ledger.ts'
import { nothingRecorded, ownPriceMs, type RecordedPrices, usdOfTrade } from '../domain/positions/own-prices.ts'
import { type UsdValue, usdAtEnded } from '../domain/positions/usd-at.ts'
import { currenciesOf, type Rules } from '../domain/statement/movement.ts'
import type { HistoryDatabase } from './history-database.ts'
import { barColumns, barOfRow, fillColumns, fillOfRow, readOrNull, valuationOfRow } from './schema.ts'
import { barSpans } from './thinning.ts'

// Values of currencies are written once, with the fills, so that realized P&L stays the same when bars are thinned and
// time passes.

const noRules: Rules = new Map()

/** The bar that ended last at or before a moment; of two that ended together, the finer one. */
function endedBarAt(database: HistoryDatabase, symbol: string, atMs: number): Bar | null {
  const sql = `SELECT ${barColumns} FROM bars WHERE symbol = ? AND span_ms = ? AND start_ms <= ?
    ORDER BY start_ms DESC LIMIT 1`
  let best: Bar | null = null
  // The finest span comes last.
  for (const spanMs of barSpans) {
    const row = database.get(sql, symbol, spanMs, atMs + 1 - spanMs)
    const bar = row === undefined ? null : readOrNull(row, barOfRow)
    if (bar === null) continue
    if (best === null || bar.startMs + spanMs >= best.startMs + barSpanMs(best)) best = bar
  }
  return best
}

/** The recorded value of a currency at a moment; null when recorded as unknown, undefined when not recorded. */
function fixedValueAt(database: HistoryDatabase, currency: string, atMs: number): UsdValue | null | undefined {
  const row = database.get('SELECT usd, source FROM valuations WHERE currency = ? AND at_ms = ?', currency, atMs)
  return row === undefined ? undefined : readOrNull(row, valuationOfRow)?.value
}

/**
 * Records the value of a currency at a moment unless one is recorded, and returns the recorded one; call inside a
 * write.
 */
function fixValueAt(database: HistoryDatabase, currency: string, atMs: number): UsdValue | null {
  const known = fixedValueAt(database, currency, atMs)
  if (known !== undefined) return known
  const ended = usdAtEnded({ endedBarAt: (symbol, ms) => endedBarAt(database, symbol, ms) })
  const value = usdOfTrade(lastOwn(database, currency, atMs), { ...nothingRecorded, ended }, currency, atMs)
  const values = [currency, atMs, value?.usd.toFixed() ?? null, value?.source ?? '']
  database.run('INSERT OR REPLACE INTO valuations VALUES (?, ?, ?, ?)', ...values)
  return value
}

/** The last own fill against USD that is recent enough to give a price. */
function lastOwn(database: HistoryDatabase, currency: string, atMs: number): Fill | undefined {
  const sql = `SELECT ${fillColumns} FROM fills WHERE at_ms BETWEEN ? AND ? AND symbol = ?
    ORDER BY at_ms DESC, fills.exec_id DESC LIMIT 1`
  const row = database.get(sql, atMs - ownPriceMs, atMs, `${currency}-${valueCurrency}`)
  return row === undefined ? undefined : fillOfRow(row)
}

/** The two currencies of a fill whose own price does not give its value in USD; null when it does. */
function crossOf({ symbol }: Pick<Fill, 'symbol'>): { base: string; counter: string } | null {
  const pair = currenciesOf(symbol, noRules)
  return pair === null || pair.base === valueCurrency || pair.counter === valueCurrency ? null : pair
}

/** Marks a new fill for valuation if its own price does not give its value; call inside a write. */
export function awaitValue(database: HistoryDatabase, fill: Fill): void {
  if (crossOf(fill) !== null) database.run('INSERT OR IGNORE INTO unvalued_fills VALUES (?)', BigInt(fill.execId))
}

/** Values some of the marked fills, inside a write; false when there are none. */
function fixNext(database: HistoryDatabase, most: number): boolean {
  const columns = fillColumns.replace('CAST(exec_id', 'CAST(fills.exec_id')
  const sql = `SELECT ${columns} FROM unvalued_fills JOIN fills ON fills.exec_id = unvalued_fills.exec_id
    ORDER BY unvalued_fills.exec_id LIMIT ?`
  const fills = database.all(sql, most).map(fillOfRow)
  for (const fill of fills) {
    const pair = crossOf(fill)
    // Without a value of the counter currency, the base currency's gives the fill's value.
    if (pair !== null && fixValueAt(database, pair.counter, fill.timestampMs) === null)
      fixValueAt(database, pair.base, fill.timestampMs)
    database.run('DELETE FROM unvalued_fills WHERE exec_id = ?', BigInt(fill.execId))
  }
  return fills.length > 0
}

/** The values of currencies in a history. Throws `HistoryError`. */
export class Valuations {
  readonly #database: HistoryDatabase

  constructor(database: HistoryDatabase) {
    this.#database = database
  }

  /** Recorded values, and otherwise values from recorded prices. */
  get prices(): RecordedPrices {
    const ended = usdAtEnded({ endedBarAt: (symbol, atMs) => this.endedBarAt(symbol, atMs) })
    return { fixed: (currency, atMs) => this.fixed(currency, atMs), ended }
  }

  /** The bar that ended last at or before a moment, so none of its prices is later. */
  endedBarAt(symbol: string, atMs: number): Bar | null {
    return this.#database.attempt(() => endedBarAt(this.#database, symbol, atMs))
  }

  /** The recorded value of a currency at a moment; null when recorded as unknown, undefined when not recorded. */
  fixed(currency: string, atMs: number): UsdValue | null | undefined {
    return this.#database.attempt(() => fixedValueAt(this.#database, currency, atMs))
  }

  /** Records the value of a currency at a moment for good. All fills up to that moment must be stored. */
  fix(currency: string, atMs: number): void {
    this.#database.write(() => fixValueAt(this.#database, currency, atMs))
  }

  /** Values at most `most` marked fills; false when there are none. All fills before them must be stored. */
  fixFills(most: number): boolean {
    let isMore = false
    if (this.isComplete) return isMore
    this.#database.write(() => {
      isMore = fixNext(this.#database, most)
    })
    return isMore
  }

  /** True when no fill is marked for valuation. */
  get isComplete(): boolean {
    return this.#database.get('SELECT 1 FROM unvalued_fills LIMIT 1') === undefined
  }
}
