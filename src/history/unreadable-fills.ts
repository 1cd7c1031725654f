import { type UnreadableEntry, unreadableKey } from '../domain/listing.ts'
import { type HistoryDatabase, putMark, readMark } from './history-database.ts'

/** Maximum fills told apart: of more, those that are listed again count again. */
const toldApartMax = 10_000

/** At most as many fills were listed and could not be kept. */
export const unreadableCount = (database: HistoryDatabase): number => Number(readMark(database, 'fillsUnreadable') ?? 0)

const markOf = (name: string): string => `unreadable ${name}`

const hasFill = (database: HistoryDatabase, execId: string): boolean =>
  database.all('SELECT 1 FROM fills WHERE exec_id = ?', BigInt(execId)).length > 0

/** The execution's id where the entry has one that is readable, by which it is known once it can be read. */
const idOf = ({ fields: { execId = '' } }: UnreadableEntry): string | null =>
  /^[1-9]\d{0,17}$/.test(execId) ? execId : null

/** Counts fills that cannot be kept, by a name for each, however often it is listed; call inside a write. */
export function noteUnreadable(database: HistoryDatabase, names: readonly string[]): void {
  const known = unreadableCount(database)
  const isNew = (name: string): boolean =>
    known >= toldApartMax || database.run('INSERT OR IGNORE INTO marks VALUES (?, ?)', markOf(name), '') > 0
  const count = names.filter(isNew).length
  if (count > 0) putMark(database, 'fillsUnreadable', String(known + count))
}

/** Counts entries of a list of fills, but those of which the fill is recorded; call inside a write. */
export function noteUnreadableEntries(database: HistoryDatabase, entries: readonly UnreadableEntry[]): void {
  const names = entries.flatMap((entry) => {
    const execId = idOf(entry)
    if (execId === null) return [unreadableKey(entry)]
    return hasFill(database, execId) ? [] : [execId]
  })
  noteUnreadable(database, names)
}

/** Counts a fill no more that could not be read at first; call inside a write. */
export function noteRead(database: HistoryDatabase, execId: string): void {
  if (database.run('DELETE FROM marks WHERE name = ?', markOf(execId)) > 0)
    putMark(database, 'fillsUnreadable', String(unreadableCount(database) - 1))
}
