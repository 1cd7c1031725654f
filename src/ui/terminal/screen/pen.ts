import type { CellRow, Tables } from './cell-row.ts'
import { blank, secondHalf } from './glyphs.ts'
import type { StyleId } from './styles.ts'

/**
 * Where the terminal's cursor stands, from 0; a column of -1 is one that nobody knows, for example after the last
 * column was written.
 */
type Cursor = { row: number; column: number }

const csi = '\u001b['

/** `ESC [ n letter`, the 1 left out. */
const counted = (count: number, letter: string): string => `${csi}${count === 1 ? '' : count}${letter}`

/** An absolute address. */
function address(row: number, column: number): string {
  if (column === 0) return row === 0 ? `${csi}H` : `${csi}${row + 1}H`
  return `${csi}${row === 0 ? '' : row + 1};${column + 1}H`
}

function sideways(from: number, to: number): string {
  if (from === to) return ''
  if (to === 0) return '\r'
  if (to > from) return counted(to - from, 'C')
  const back = from - to <= 3 ? '\b'.repeat(from - to) : counted(from - to, 'D')
  const fromStart = `\r${counted(to, 'C')}`
  return fromStart.length < back.length ? fromStart : back
}

/**
 * The shortest sequence that takes the cursor to a cell. It neither scrolls nor depends on how a line feed is
 * translated.
 */
function move(from: Cursor, row: number, column: number): string {
  const absolute = address(row, column)
  if (from.column < 0) return absolute
  if (from.row === row && from.column === column) return ''
  const down = row - from.row
  const vertical = down === 0 ? '' : down > 0 ? counted(down, 'B') : counted(-down, 'A')
  const relative = vertical + sideways(from.column, column)
  return relative.length < absolute.length ? relative : absolute
}

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
export function moveTo(pen: Pen, row: CellRow, at: number, column: number, tables: Tables): string {
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
export function setStyle(pen: Pen, style: StyleId, { styles }: Tables): string {
  const out = styles.change(pen.style, style)
  pen.style = style
  return out
}
