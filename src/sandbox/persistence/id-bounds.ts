import { whole } from './columns.ts'
import type { DataFile } from './data-file.ts'

/**
 * Tells the ids of a table by time. Ids ascend with `at_ms` in it, so a few steps by primary key find any moment, and
 * the indexes need not hold times.
 */
export function createIdBounds(file: DataFile, table: 'orders' | 'fills') {
  const atOrAfter = file.prepare(`SELECT id, at_ms FROM ${table} WHERE id >= ? ORDER BY id LIMIT 1`)
  const last = file.prepare(`SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`)

  /** The lowest id from this time on; one above the highest when there is none. */
  const firstFrom = (fromMs: number): number => {
    const lastRow = last.get()
    let low = 0
    let high = lastRow === undefined ? 0 : whole(lastRow, 'id') + 1
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const row = atOrAfter.get(middle)
      if (row === undefined || whole(row, 'at_ms') >= fromMs) high = middle
      else low = whole(row, 'id') + 1
    }
    return low
  }

  /** The lowest and highest id that a row with a time in these bounds, both inclusive, can have. */
  return (fromMs: number | undefined, toMs: number | undefined): { low: number; high: number } => ({
    low: fromMs === undefined ? 0 : firstFrom(fromMs),
    high: toMs === undefined ? Number.MAX_SAFE_INTEGER : firstFrom(toMs + 1) - 1,
  })
}
