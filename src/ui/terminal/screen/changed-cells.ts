import { blank, type CellRow, secondHalf, type Tables, unknownCell } from './glyphs.ts'
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
 * Down by rows, in the same column. A vertical tab goes down a row and is one byte; other than a line feed it is
 * translated by nobody on the way, and `lineFeedsOnly` sees to it that no terminal returns to the first column with it.
 */
const downwards = (count: number): string => (count <= 3 ? '\v'.repeat(count) : counted(count, 'B'))

/** Takes a terminal out of the mode in which a line feed is also a return. */
export const lineFeedsOnly = '\u001b[20l'

/**
 * The shortest sequence that takes the cursor to a cell. It neither scrolls nor depends on how a line feed is
 * translated.
 */
function move(from: Cursor, row: number, column: number): string {
  const absolute = address(row, column)
  if (from.column < 0) return absolute
  if (from.row === row && from.column === column) return ''
  const down = row - from.row
  const vertical = down === 0 ? '' : down > 0 ? downwards(down) : counted(-down, 'A')
  const relative = vertical + sideways(from.column, column)
  return relative.length < absolute.length ? relative : absolute
}

/** What a terminal is in while it is written to. */
export type Pen = { readonly cursor: Cursor; style: StyleId }

/** Whether a cell looks the same when it is written in another style: its own, or none that a blank would show. */
const looksSame = (row: CellRow, column: number, style: StyleId, { styles }: Tables): boolean =>
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

/** Takes the pen to another style. */
function setStyle(pen: Pen, style: StyleId, { styles }: Tables): string {
  const out = styles.change(pen.style, style)
  pen.style = style
  return out
}

/** Erasing to the end of the line pays from this many blanks on. */
const eraseMin = 4

/**
 * The first column from which on the row is blank in a way that erasing leaves; the row's length where nothing is
 * erased.
 */
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

/**
 * Cells after a character of unsure width may hold what the terminal made of it: as many as it has code points, twice.
 */
const reach = (text: string): number => 2 * [...text].length

/** Columns from one on, up to and without another. */
export type Columns = { readonly from: number; readonly to: number }

/**
 * Marks the columns of `next` that must be written over `shown` in `changed`, a list of zeros; the rows differ in the
 * columns looked at, and nowhere else. Both halves of a wide character go together, and what stands right of a
 * character whose width terminals disagree about is written whenever it is, or was before. Gives whether all of it is
 * single cells that every terminal moves over alike: those may be written in any order.
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

/** A single cell that is known, of sure width, and no half of a wide character. */
function isPlainCell({ glyphs: row }: CellRow, column: number, { glyphs }: Tables): boolean {
  const glyph = row[column] ?? blank
  return glyph !== unknownCell && glyph !== secondHalf && row[column + 1] !== secondHalf && glyphs.isSure(glyph)
}

/** What else must be written because of what stood or will stand beside. */
function spread(changed: Uint8Array, shown: CellRow, next: CellRow, { glyphs }: Tables): void {
  const columns = changed.length
  const own = changed.slice()
  for (let column = 0; column < columns; column += 1) {
    if (own[column] !== 1) continue
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
}

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
    out += moveTo(pen, next, at, column, tables)
    if (column >= tail && last - column + 1 >= eraseMin) {
      // Erasing takes the color of the pen on many terminals.
      return `${out}${setStyle(pen, 0, tables)}\u001b[K`
    }
    const glyph = next.glyphs[column] ?? blank
    out += setStyle(pen, next.styles[column] ?? 0, tables)
    out += glyphs.textOf(glyph)
    column += glyphs.widthOf(glyph)
    // In the last column terminals differ in where they say the cursor is.
    pen.cursor.column = column >= columns || !glyphs.isSure(glyph) ? -1 : column
  }
  return out
}

/**
 * Changed cells beside each other that are written in one style; `isErased`: all to the end of the line are blank, and
 * erased at once.
 */
export type Run = { row: CellRow; at: number; from: number; to: number; style: StyleId; isErased: boolean }

/**
 * Adds the changed columns of a plain row as runs. A blank goes with the cells beside it when it looks the same in
 * their style.
 */
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

/** The style in which a run is written that begins here: of a blank without looks that of what follows it. */
function styleFrom(changed: Uint8Array, row: CellRow, from: number, tables: Tables): StyleId {
  const own = row.styles[from] ?? 0
  if (row.glyphs[from] !== blank || !tables.styles.isUnseen(own)) return own
  for (let column = from + 1; changed[column] === 1; column += 1) {
    if (row.glyphs[column] !== blank)
      return tables.styles.isUnseen(row.styles[column] ?? 0) ? (row.styles[column] ?? 0) : tables.styles.base
  }
  return tables.styles.base
}

/** Digits of an address, of a count from 1 on. */
const digits = (value: number): number => (value < 10 ? 1 : value < 100 ? 2 : 3)

/** About the bytes that `move` takes there: reckoned, not written, for each of the runs that are left. */
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

/** Takes the run out of the list that is the shortest way off. */
function takeNearest(runs: Run[], cursor: Cursor): Run | undefined {
  let [nearest, least] = [0, Number.POSITIVE_INFINITY]
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index]
    if (run === undefined) break
    if (distanceOfRows(cursor.row, run.at) >= least) {
      // The row alone is as far already, and those below it are farther: runs come row by row.
      if (run.at > cursor.row) break
      continue
    }
    const bytes = distance(cursor, run.at, run.from)
    if (bytes < least) [nearest, least] = [index, bytes]
  }
  return runs.splice(nearest, 1)[0]
}

/** The runs of each style; first those in the style that the pen is in anyway. */
function byStyle(runs: readonly Run[], { style }: Pen): Run[][] {
  const groups = Map.groupBy(runs, (run) => run.style)
  const first = groups.get(style) ?? []
  groups.delete(style)
  return [first, ...groups.values()]
}

/** Blanks at the end of a run are erased from this many on: fewer bytes, and the cursor stays before them. */
const eraseBlanksMin = 5

/** Where the blanks at the end of a run begin that are better erased than written; its end where none are. */
function blanksAtEnd({ row, from, to, style }: Run, { styles }: Tables): number {
  // Erasing takes the ground of the pen, and nothing else of it.
  if (!styles.canErase || !styles.isUnseen(style)) return to
  let end = to
  while (end > from && row.glyphs[end - 1] === blank) end -= 1
  return to - end < eraseBlanksMin ? to : end
}

/**
 * What makes a terminal show the runs, and the pen where that leaves it. Those of one style are written together, each
 * time the nearest: a color costs more bytes than the way to the next row, and a market changes in few colors and many
 * rows.
 */
export function drawRuns(runs: readonly Run[], pen: Pen, tables: Tables): string {
  const out: string[] = []
  for (const group of byStyle(runs, pen)) {
    for (let run = takeNearest(group, pen.cursor); run !== undefined; run = takeNearest(group, pen.cursor)) {
      const { row, at, from, to, style, isErased } = run
      // The way there may be written in the style of the run; a gap before it then costs no change.
      if (pen.style !== style) out.push(setStyle(pen, style, tables))
      out.push(moveTo(pen, row, at, from, tables))
      if (isErased) {
        out.push('\u001b[K')
        continue
      }
      const end = blanksAtEnd(run, tables)
      for (let column = from; column < end; column += 1) out.push(tables.glyphs.textOf(row.glyphs[column] ?? blank))
      if (end < to) out.push(`${csi}${to - end}X`)
      // In the last column terminals differ in where they say the cursor is.
      pen.cursor.column = end >= row.glyphs.length ? -1 : end
    }
  }
  return out.join('')
}
