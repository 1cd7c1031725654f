import { type Cursor, move } from './cursor.ts'
import { blank, secondHalf } from './glyphs.ts'
import type { CellRow } from './grid.ts'
import type { Tables } from './read-line.ts'
import type { StyleId } from './styles.ts'

/** What a terminal is in while it is written to. */
export type Pen = { readonly cursor: Cursor; style: StyleId }

const sameCell = (a: CellRow, b: CellRow, column: number): boolean =>
  a.glyphs[column] === b.glyphs[column] && a.styles[column] === b.styles[column]

/** Erasing to the end of the line pays from this many blanks on. */
const eraseLeast = 4

/** The first column from which on the row is blank in a way that erasing leaves. */
function blankFrom(row: CellRow, { styles }: Tables): number {
  let column = row.glyphs.length
  while (column > 0 && row.glyphs[column - 1] === blank && styles.isErased(row.styles[column - 1] ?? 0)) column -= 1
  return column
}

/** Cells after a character of unsure width may hold what the terminal made of it: as many as it has code points, twice. */
const reach = (text: string): number => 2 * [...text].length

/**
 * The columns of `next` that must be written over `shown`. Both halves of a wide character go together, and what stands right of a
 * character whose width terminals disagree about is written whenever it is, or was before.
 */
function changedColumns(shown: CellRow, next: CellRow, { glyphs }: Tables): Uint8Array {
  const columns = next.glyphs.length
  const changed = new Uint8Array(columns)
  for (let column = 0; column < columns; column += 1) {
    if (sameCell(shown, next, column)) continue
    changed[column] = 1
    if (next.glyphs[column] === secondHalf && column > 0) changed[column - 1] = 1
    if (next.glyphs[column + 1] === secondHalf) changed[column + 1] = 1
    // Half of a wide character is overwritten: terminals blank its other half.
    if (shown.glyphs[column] === secondHalf && column > 0) changed[column - 1] = 1
    if (shown.glyphs[column + 1] === secondHalf) changed[column + 1] = 1
  }
  for (let column = 0; column < columns; column += 1) {
    if (changed[column] !== 1) continue
    for (const row of [shown, next]) {
      const glyph = row.glyphs[column] ?? blank
      if (glyph >= 0x100 && !glyphs.isSure(glyph)) {
        changed.fill(1, column, Math.min(columns, column + 1 + reach(glyphs.textOf(glyph))))
      }
    }
    // A change that begins in the middle of a wide character begins with it.
    if (next.glyphs[column] === secondHalf && column > 0 && changed[column - 1] !== 1) changed[column - 1] = 1
  }
  return changed
}

/** Bytes to write the unchanged cells of a gap again, or Infinity when that would cost a change of style. */
function gapCost(next: CellRow, from: number, to: number, style: StyleId, { glyphs }: Tables): number {
  let bytes = 0
  for (let column = from; column < to; column += 1) {
    if (next.styles[column] !== style) return Number.POSITIVE_INFINITY
    const glyph = next.glyphs[column] ?? blank
    if (glyph === secondHalf || (glyph >= 0x100 && !glyphs.isSure(glyph))) return Number.POSITIVE_INFINITY
    bytes += glyph < 0x80 ? 1 : Buffer.byteLength(glyphs.textOf(glyph))
  }
  return bytes
}

/** What makes a terminal that shows `shown` in row `at` show `next`, and the pen where that leaves it. */
export function drawRow(shown: CellRow, next: CellRow, at: number, pen: Pen, tables: Tables): string {
  const { styles, glyphs } = tables
  const columns = next.glyphs.length
  const changed = changedColumns(shown, next, tables)
  const tail = blankFrom(next, tables)
  let last = columns - 1
  while (last >= 0 && changed[last] === 0) last -= 1
  let out = ''
  const moveTo = (column: number) => {
    const { cursor } = pen
    if (cursor.row === at && cursor.column >= 0 && cursor.column < column) {
      const bytes = gapCost(next, cursor.column, column, pen.style, tables)
      const jump = move(cursor, at, column)
      if (bytes <= jump.length) {
        for (let gap = cursor.column; gap < column; gap += 1) out += glyphs.textOf(next.glyphs[gap] ?? blank)
      } else out += jump
    } else out += move(cursor, at, column)
    cursor.row = at
    cursor.column = column
  }
  const wear = (style: StyleId) => {
    out += styles.change(pen.style, style)
    pen.style = style
  }
  let column = 0
  while (column <= last) {
    if (changed[column] === 0 || next.glyphs[column] === secondHalf) {
      column += 1
      continue
    }
    moveTo(column)
    if (column >= tail && last - column + 1 >= eraseLeast) {
      // Erasing takes the colour of the pen on many terminals.
      wear(0)
      return `${out}\u001b[K`
    }
    const glyph = next.glyphs[column] ?? blank
    wear(next.styles[column] ?? 0)
    out += glyphs.textOf(glyph)
    column += glyphs.widthOf(glyph)
    // In the last column terminals differ in where they say the cursor is.
    pen.cursor.column = column >= columns || !glyphs.isSure(glyph) ? -1 : column
  }
  return out
}
