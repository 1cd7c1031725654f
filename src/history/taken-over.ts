import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { sqliteCode } from '../base/text/error-text.ts'
import type { HistoryDatabase } from './history-database.ts'
import { isReadBack, ownTables } from './schema.ts'

/** Rows that a new history recovered from a damaged one, and unreadable rows left out. */
export type TakenOver = { keptCount: number; leftOutCount: number }

/**
 * Copies data that the exchange cannot report again from a file that was put aside, as far as readable: from the first
 * row up to the damage, and back from the last one. Throws `HistoryError` when the new file cannot be written.
 */
export function takeOver(database: HistoryDatabase, aside: string): TakenOver {
  const taken: TakenOver = { keptCount: 0, leftOutCount: 0 }
  const from = ofDamaged(() => new DatabaseSync(aside, { readOnly: true }))
  try {
    if (from !== null) for (const table of ownTables) database.write(() => takeTable(database, from, table, taken))
  } finally {
    from?.close()
  }
  return taken
}

const order = {
  bars: ['symbol, span_ms, start_ms', 'symbol DESC, span_ms DESC, start_ms DESC'],
  equity: ['start_ms', 'start_ms DESC'],
  valuations: ['currency, at_ms', 'currency DESC, at_ms DESC'],
} as const

function takeTable(database: HistoryDatabase, from: DatabaseSync, table: (typeof ownTables)[number], taken: TakenOver) {
  // Both passes may meet the same unreadable rows.
  let mostLeftOut = 0
  for (const by of order[table]) {
    const rows = ofDamaged(() => from.prepare(`SELECT * FROM ${table} ORDER BY ${by}`).iterate())
    let leftOutCount = 0
    for (let next = rows?.next(); next?.done === false; next = ofDamaged(() => rows?.next()) ?? undefined) {
      const values: SQLOutputValue[] = Object.values(next.value)
      const put = `INSERT OR IGNORE INTO ${table} VALUES (${values.map(() => '?').join(', ')})`
      if (isReadBack(table, values)) taken.keptCount += database.run(put, ...values)
      else leftOutCount += 1
    }
    mostLeftOut = Math.max(mostLeftOut, leftOutCount)
  }
  taken.leftOutCount += mostLeftOut
}

/** Runs a read on a damaged file; null when it fails. */
function ofDamaged<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (sqliteCode(error) === null) throw error
    return null
  }
}
