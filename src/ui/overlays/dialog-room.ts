import type { KeyEntry } from '../tables/key-bindings.ts'
import { footLines } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'

export type ScreenSize = { columns: number; rows: number }

/** The keys that act in a dialog with what they do, `gap` behind each. */
export const keysRow = (entries: readonly KeyEntry[], gap = '  '): Row =>
  entries.flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}${gap}`, isDanger ? 'warn' : 'label'),
  ])

/** The line with mode and venue, which no dialog covers: whatever is confirmed in one is confirmed there. */
const headLines = 1

/** Lines of a dialog, borders included, between mode and venue and the lines at the foot. */
export const dialogRoom = ({ rows }: Pick<ScreenSize, 'rows'>): number => Math.max(3, rows - headLines - footLines)

/**
 * A box as large as the screen lets it be below mode and venue, and where it stands: in the middle, and above the lines
 * at the foot where there is room for it.
 */
export function centered(wanted: { width: number; height: number }, { columns, rows }: ScreenSize) {
  const size = { width: Math.min(wanted.width, columns), height: Math.min(wanted.height, rows - headLines) }
  const middle = Math.floor((rows - size.height) / 2)
  const top = Math.max(headLines, Math.min(middle, rows - footLines - size.height))
  return { size, top, left: Math.floor((columns - size.width) / 2) }
}
