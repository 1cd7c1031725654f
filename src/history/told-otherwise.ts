import { type Fill, toldOtherwise } from '../domain/orders/fills.ts'
import type { HistoryDatabase } from './history-database.ts'
import { fillColumns, fillOfRow, readOrNull, text } from './schema.ts'

/** Maximum sentences kept: with more, the exchange's reports are unreliable, which has been reported by then. */
const sentencesMax = 1_000

/** Records that a stored execution was reported again with other terms; call inside a write. The stored row stays. */
export function noteOtherwise(database: HistoryDatabase, again: Fill): void {
  const row = database.get(`SELECT ${fillColumns} FROM fills WHERE fills.exec_id = ?`, BigInt(again.execId))
  const first = row === undefined ? null : readOrNull(row, fillOfRow)
  const entry = first === null ? null : toldOtherwise(first, again)
  if (entry === null) return
  const put = `INSERT OR IGNORE INTO told_otherwise SELECT ?1 WHERE (SELECT count(*) FROM told_otherwise) < ?2`
  database.run(put, entry.reason, sentencesMax)
}

/** The recorded changes of executions, one clause each, sorted by id, with both terms. */
export const otherwiseIn = (database: HistoryDatabase): string[] =>
  database
    .all('SELECT clause FROM told_otherwise ORDER BY clause')
    .flatMap((row) => readOrNull(row, (each) => text(each, 'clause')) ?? [])
