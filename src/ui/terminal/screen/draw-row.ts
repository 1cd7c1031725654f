import { blankFrom, eraseLeast } from './changed-columns.ts'
import { blank, secondHalf } from './glyphs.ts'
import type { CellRow } from './grid.ts'
import { type Pen, travel, wear } from './pen.ts'
import type { Tables } from './read-line.ts'

/**
 * What makes a terminal show the changed columns of `next` in row `at`, from left to right, and the pen where that
 * leaves it.
 */
export function drawRow(changed: Uint8Array, next: CellRow, at: number, pen: Pen, tables: Tables): string {
  const { glyphs } = tables
  const columns = next.glyphs.length
  const tail = blankFrom(next, tables)
  const last = changed.lastIndexOf(1)
  let out = ''
  let column = 0
  while (column <= last) {
    if (changed[column] === 0 || next.glyphs[column] === secondHalf) {
      column += 1
      continue
    }
    out += travel(pen, next, at, column, tables)
    if (column >= tail && last - column + 1 >= eraseLeast) {
      // Erasing takes the colour of the pen on many terminals.
      return `${out}${wear(pen, 0, tables)}\u001b[K`
    }
    const glyph = next.glyphs[column] ?? blank
    out += wear(pen, next.styles[column] ?? 0, tables)
    out += glyphs.textOf(glyph)
    column += glyphs.widthOf(glyph)
    // In the last column terminals differ in where they say the cursor is.
    pen.cursor.column = column >= columns || !glyphs.isSure(glyph) ? -1 : column
  }
  return out
}
