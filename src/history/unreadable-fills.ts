import { type HistoryDatabase, putMark, readMark } from './history-database.ts'

/** Maximum fills told apart: of more, those that are listed again count again. */
const toldApartMax = 10_000

/** At most as many fills were listed and could not be kept. */
export const unreadableCount = (database: HistoryDatabase): number => Number(readMark(database, 'fillsUnreadable') ?? 0)

/** Counts fills that cannot be kept, by a name for each, however often it is listed; call inside a write. */
export function noteUnreadable(database: HistoryDatabase, names: readonly string[]): void {
  const known = unreadableCount(database)
  const isNew = (name: string): boolean =>
    known >= toldApartMax || database.run('INSERT OR IGNORE INTO marks VALUES (?, ?)', `unreadable ${name}`, '') > 0
  const count = names.filter(isNew).length
  if (count > 0) putMark(database, 'fillsUnreadable', String(known + count))
}
