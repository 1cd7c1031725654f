import { type Fill, toldOtherwise } from '../domain/orders/fills.ts'
import type { HistoryDatabase } from './history-database.ts'
import { fillColumns, fillOfRow, readOrNull, text } from './schema.ts'

/** Sentences kept: beyond them what an exchange reports cannot be relied on, and by then that has been reported. */
const sentencesMost = 1_000

/** Notes that an execution that is there was told again with other terms; inside a write. What is there stays. */
export function noteOtherwise(database: HistoryDatabase, again: Fill): void {
  const row = database.get(`SELECT ${fillColumns} FROM fills WHERE fills.exec_id = ?`, BigInt(again.execId))
  const first = row === undefined ? null : readOrNull(row, fillOfRow)
  const entry = first === null ? null : toldOtherwise(first, again)
  if (entry === null) return
  const put = `INSERT OR IGNORE INTO told_otherwise SELECT ?1 WHERE (SELECT count(*) FROM told_otherwise) < ?2`
  database.run(put, entry.reason, sentencesMost)
}

/** What was noted of executions that were told with other terms, a clause each, by id and with both terms. */
export const otherwiseIn = (database: HistoryDatabase): string[] =>
  database
    .all('SELECT clause FROM told_otherwise ORDER BY clause')
    .flatMap((row) => readOrNull(row, (each) => text(each, 'clause')) ?? [])
