import { blank, type CellRow, secondHalf, type Tables, unknownCell } from './glyphs.ts'
import type { StyleId } from './styles.ts'

/** The terminal's cursor position, from 0; column -1 is unknown, for example after the last column was written. */
type Cursor = { row: number; column: number }

const csi = '\u001b['

/** `ESC [ n letter`, omitting a count of 1. */
const counted = (count: number, letter: string): string => `${csi}${count === 1 ? '' : count}${letter}`

/** The sequence for an absolute cursor position. */
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
 * Moves down by rows, in the same column. A vertical tab moves down a row in one byte; unlike a line feed, nothing on
 * the way translates it, and `lineFeedsOnly` keeps terminals from returning to the first column with it.
 */
const downwards = (count: number): string => (count <= 3 ? '\v'.repeat(count) : counted(count, 'B'))

/** Switches off the mode in which a line feed also returns to the first column. */
export const lineFeedsOnly = '\u001b[20l'

/** The shortest sequence that moves the cursor to a cell. It neither scrolls nor depends on line feed translation. */
function move(from: Cursor, row: number, column: number): string {
  const absolute = address(row, column)
  if (from.column < 0) return absolute
  if (from.row === row && from.column === column) return ''
  const down = row - from.row
  const vertical = down === 0 ? '' : down > 0 ? downwards(down) : counted(-down, 'A')
  const relative = vertical + sideways(from.column, column)
  return relative.length < absolute.length ? relative : absolute
}

/** The terminal's cursor and style while it is written to. */
export type Pen = { readonly cursor: Cursor; style: StyleId }

/** Whether a cell looks the same when rewritten in another style: its own, or one that does not show on a blank. */
const looksSame = (row: CellRow, column: number, style: StyleId, { styles }: Tables): boolean =>
  row.styles[column] === style ||
  (row.glyphs[column] === blank && styles.isUnseen(row.styles[column] ?? 0) && styles.isUnseen(style))

/** Bytes to rewrite the unchanged cells of a gap, or Infinity if that would take a style change. */
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
 * Moves the pen to a cell of row `at`, whose content will be `row`: by a cursor move, or over a short gap by rewriting
 * it.
 */
function moveTo(pen: Pen, row: CellRow, at: number, column: number, tables: Tables): string {
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

/** Switches the pen to another style. */
function setStyle(pen: Pen, style: StyleId, { styles }: Tables): string {
  const out = styles.change(pen.style, style)
  pen.style = style
  return out
}

/** From this many blanks on, erasing to the end of the line is shorter. */
const eraseMin = 4

/** The first column from which the row is blank as erasing leaves it; the row's length if erasing cannot be used. */
function blankFrom(row: CellRow, { styles }: Tables): number {
  let column = row.glyphs.length
  if (!styles.canErase) return column
  while (column > 0 && row.glyphs[column - 1] === blank && styles.isUnseen(row.styles[column - 1] ?? 0)) column -= 1
  return column
}

/** Blanks match in any style that does not show on a blank. */
function isSameCell(a: CellRow, b: CellRow, column: number, { styles }: Tables): boolean {
  const glyph = a.glyphs[column]
  if (glyph !== b.glyphs[column]) return false
  const before = a.styles[column] ?? 0
  const after = b.styles[column] ?? 0
  return before === after || (glyph === blank && styles.isUnseen(before) && styles.isUnseen(after))
}

/** Cells after a character of uncertain width that may be affected by it: twice its count of code points. */
const reach = (text: string): number => 2 * [...text].length

/** A range of columns; `to` is exclusive. */
export type Columns = { readonly from: number; readonly to: number }

/**
 * Marks in `changed`, a list of zeros, the columns of `next` that must be written over `shown`; the rows differ only
 * within the given columns. Both halves of a wide character are marked together, and cells to the right of a character
 * whose width terminals disagree about are marked whenever it is, or was before. Returns whether all marked cells are
 * single cells that every terminal advances over alike: those may be written in any order.
 */
export function markChanges(
  changed: Uint8Array,
  shown: CellRow,
  next: CellRow,
  { from, to }: Columns,
  tables: Tables,
): boolean {
  let isPlain = true
  for (let column = from; column < to; column += 1) {
    if (isSameCell(shown, next, column, tables)) continue
    changed[column] = 1
    isPlain &&= isPlainCell(shown, column, tables) && isPlainCell(next, column, tables)
  }
  if (!isPlain) spread(changed, shown, next, tables)
  return isPlain
}

/** A known single cell of certain width that is not half of a wide character. */
function isPlainCell({ glyphs: row }: CellRow, column: number, { glyphs }: Tables): boolean {
  const glyph = row[column] ?? blank
  return glyph !== unknownCell && glyph !== secondHalf && row[column + 1] !== secondHalf && glyphs.isSure(glyph)
}

/** Marks the further cells that must be written because of wide or uncertain neighbors, old or new. */
function spread(changed: Uint8Array, shown: CellRow, next: CellRow, { glyphs }: Tables): void {
  const columns = changed.length
  const own = changed.slice()
  for (let column = 0; column < columns; column += 1) {
    if (own[column] !== 1) continue
    if (next.glyphs[column] === secondHalf && column > 0) changed[column - 1] = 1
    if (next.glyphs[column + 1] === secondHalf) changed[column + 1] = 1
    // Overwriting half of a wide character makes terminals blank its other half.
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
    // A change that starts in the second half of a wide character starts with its first half.
    if (next.glyphs[column] === secondHalf && column > 0 && changed[column - 1] !== 1) changed[column - 1] = 1
  }
}

/** The bytes that show the changed columns of `next` in row `at`, left to right. Updates the pen. */
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
    out += moveTo(pen, next, at, column, tables)
    if (column >= tail && last - column + 1 >= eraseMin) {
      // On many terminals erasing uses the pen's color.
      return `${out}${setStyle(pen, 0, tables)}\u001b[K`
    }
    const glyph = next.glyphs[column] ?? blank
    out += setStyle(pen, next.styles[column] ?? 0, tables)
    out += glyphs.textOf(glyph)
    column += glyphs.widthOf(glyph)
    // After the last column, terminals differ in where the cursor is.
    pen.cursor.column = column >= columns || !glyphs.isSure(glyph) ? -1 : column
  }
  return out
}

/** Adjacent changed cells in one style; `isErased`: all cells to the end of the line are blank, and erased at once. */
export type Run = { row: CellRow; at: number; from: number; to: number; style: StyleId; isErased: boolean }

/** Adds the changed columns of a plain row as runs. A blank joins its neighbors if it looks the same in their style. */
export function addRuns(runs: Run[], changed: Uint8Array, row: CellRow, at: number, tables: Tables): void {
  const last = changed.lastIndexOf(1)
  if (last === -1) return
  const tail = blankFrom(row, tables)
  let run: Run | null = null
  for (let column = changed.indexOf(1); column <= last; column += 1) {
    if (changed[column] === 0) {
      run = null
      continue
    }
    if (column >= tail && last - column + 1 >= eraseMin) {
      runs.push({ row, at, from: column, to: last + 1, style: 0, isErased: true })
      break
    }
    if (run === null || !looksSame(row, column, run.style, tables)) {
      run = { row, at, from: column, to: column, style: styleFrom(changed, row, column, tables), isErased: false }
      runs.push(run)
    }
    run.to = column + 1
  }
}

/** The style of a run that starts here; an invisible blank takes that of the cells after it. */
function styleFrom(changed: Uint8Array, row: CellRow, from: number, tables: Tables): StyleId {
  const own = row.styles[from] ?? 0
  if (row.glyphs[from] !== blank || !tables.styles.isUnseen(own)) return own
  for (let column = from + 1; changed[column] === 1; column += 1) {
    if (row.glyphs[column] !== blank)
      return tables.styles.isUnseen(row.styles[column] ?? 0) ? (row.styles[column] ?? 0) : tables.styles.base
  }
  return tables.styles.base
}

/** Digits of a one-based address or count. */
const digits = (value: number): number => (value < 10 ? 1 : value < 100 ? 2 : 3)

/** Approximate bytes of `move` to that place, estimated without building the sequence, for each remaining run. */
function distance({ row, column }: Cursor, toRow: number, toColumn: number): number {
  const absolute = 4 + digits(toRow + 1) + digits(toColumn + 1)
  if (column < 0) return absolute
  const vertical = distanceOfRows(row, toRow)
  const aside = Math.abs(toColumn - column)
  const sideways = aside === 0 ? 0 : toColumn < column && aside <= 3 ? aside : 2 + digits(aside)
  return Math.min(absolute, vertical + Math.min(sideways, toColumn === 0 ? 1 : 3 + digits(toColumn)))
}

function distanceOfRows(from: number, to: number): number {
  const down = Math.abs(to - from)
  return to >= from && down <= 3 ? down : 2 + digits(down)
}

/** Removes the run nearest to the cursor from the list. */
function takeNearest(runs: Run[], cursor: Cursor): Run | undefined {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY]
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]
    if (run === undefined) break
    if (distanceOfRows(cursor.row, run.at) >= least) {
      // Runs are in row order: if this row alone is too far, so are those below it.
      if (run.at > cursor.row) break
      continue
    }
    const bytes = distance(cursor, run.at, run.from)
    if (bytes < least) [nearest, least] = [index, bytes]
  }
  return runs.splice(nearest, 1)[0]
}

/** The runs by style, starting with the pen's current style. */
function byStyle(runs: readonly Run[], { style }: Pen): Run[][] {
  const groups = Map.groupBy(runs, (run) => run.style)
  const first = groups.get(style) ?? []
  groups.delete(style)
  return [first, ...groups.values()]
}

/** From this many trailing blanks on, erasing takes fewer bytes, and leaves the cursor before them. */
const eraseBlanksMin = 5

/** Where a run's trailing blanks start if they should be erased instead of written; otherwise the run's end. */
function blanksAtEnd({ row, from, to, style }: Run, { styles }: Tables): number {
  // Erasing uses the pen's background and none of its attributes.
  if (!styles.canErase || !styles.isUnseen(style)) return to
  let end = to
  while (end > from && row.glyphs[end - 1] === blank) end -= 1
  return to - end < eraseBlanksMin ? to : end
}

/**
 * The bytes that show the runs. Updates the pen. Runs of one style are written together, nearest first: a color change
 * costs more bytes than a move to the next row, and a market changes in few colors and many rows.
 */
export function drawRuns(runs: readonly Run[], pen: Pen, tables: Tables): string {
  const out: string[] = []
  for (const group of byStyle(runs, pen)) {
    for (let run = takeNearest(group, pen.cursor); run !== undefined; run = takeNearest(group, pen.cursor)) {
      const { row, at, from, to, style, isErased } = run
      // Set the style first: the gap before the run may then be rewritten in it without a change.
      if (pen.style !== style) out.push(setStyle(pen, style, tables))
      out.push(moveTo(pen, row, at, from, tables))
      if (isErased) {
        out.push('\u001b[K')
        continue
      }
      const end = blanksAtEnd(run, tables)
      for (let column = from; column < end; column += 1) out.push(tables.glyphs.textOf(row.glyphs[column] ?? blank))
      if (end < to) out.push(`${csi}${to - end}X`)
      // After the last column, terminals differ in where the cursor is.
      pen.cursor.column = end >= row.glyphs.length ? -1 : end
    }
  }
  return out.join('')
}
