import type { KeyEntry } from '../tables/key-bindings.ts'
import { footLines } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'

export type ScreenSize = { columns: number; rows: number }

/** The keys of a dialog with their labels, each followed by `gap`. */
export const keysRow = (entries: readonly KeyEntry[], gap = '  '): Row =>
  entries.flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}${gap}`, isDanger ? 'warn' : 'label'),
  ])

/** The line with mode and exchange, which no dialog covers: the user must see where a confirmation takes effect. */
const headLines = 1

/** Maximum lines of a dialog, borders included, between the mode line and the lines at the foot. */
export const dialogRoom = ({ rows }: Pick<ScreenSize, 'rows'>): number => Math.max(3, rows - headLines - footLines)

/**
 * The largest box that fits below the mode line, up to the wanted size, and its position: centered, and above the lines
 * at the foot if it fits there.
 */
export function centered(wanted: { width: number; height: number }, { columns, rows }: ScreenSize) {
  const size = { width: Math.min(wanted.width, columns), height: Math.min(wanted.height, rows - headLines) }
  const middle = Math.floor((rows - size.height) / 2)
  const top = Math.max(headLines, Math.min(middle, rows - footLines - size.height))
  return { size, top, left: Math.floor((columns - size.width) / 2) }
}
