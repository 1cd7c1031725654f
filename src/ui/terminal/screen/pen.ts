import { type Cursor, move } from './cursor.ts'
import { blank, secondHalf } from './glyphs.ts'
import type { CellRow } from './grid.ts'
import type { Tables } from './read-line.ts'
import type { StyleId } from './styles.ts'

/** What a terminal is in while it is written to. */
export type Pen = { readonly cursor: Cursor; style: StyleId }

/** Whether a cell looks the same when it is written in another style: its own, or none that a blank would show. */
export const looksSame = (row: CellRow, column: number, style: StyleId, { styles }: Tables): boolean =>
  row.styles[column] === style ||
  (row.glyphs[column] === blank && styles.isUnseen(row.styles[column] ?? 0) && styles.isUnseen(style))

/** Bytes to write the unchanged cells of a gap again, or Infinity when that would cost a change of style. */
function gapCost(row: CellRow, from: number, to: number, style: StyleId, tables: Tables): number {
  const { glyphs } = tables
  let bytes = 0
  for (let column = from; column < to; column += 1) {
    if (!looksSame(row, column, style, tables)) return Number.POSITIVE_INFINITY
    const glyph = row.glyphs[column] ?? blank
    if (glyph === secondHalf || (glyph >= 0x100 && !glyphs.isSure(glyph))) return Number.POSITIVE_INFINITY
    bytes += glyph < 0x80 ? 1 : Buffer.byteLength(glyphs.textOf(glyph))
  }
  return bytes
}

/**
 * Takes the pen to a cell of the row `at`, which will be `row`: by a move, or over a short gap by writing again what
 * stands there.
 */
export function travel(pen: Pen, row: CellRow, at: number, column: number, tables: Tables): string {
  const { cursor, style } = pen
  let out = move(cursor, at, column)
  if (cursor.row === at && cursor.column >= 0 && cursor.column < column) {
    const from = cursor.column
    if (column - from <= out.length && gapCost(row, from, column, style, tables) <= out.length) {
      out = ''
      for (let gap = from; gap < column; gap += 1) out += tables.glyphs.textOf(row.glyphs[gap] ?? blank)
    }
  }
  cursor.row = at
  cursor.column = column
  return out
}

/** Takes the pen to another style. */
export function wear(pen: Pen, style: StyleId, { styles }: Tables): string {
  const out = styles.change(pen.style, style)
  pen.style = style
  return out
}
