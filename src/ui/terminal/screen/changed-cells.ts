import type { CellRow, Tables } from './cell-row.ts'
import { blank, secondHalf, unknownCell } from './glyphs.ts'
import { looksSame, moveTo, type Pen, setStyle } from './pen.ts'
import type { StyleId } from './styles.ts'

/** Erasing to the end of the line pays from this many blanks on. */
const eraseLeast = 4

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

/** The style of a blank that shows none is nobody's concern. */
function isSameCell(a: CellRow, b: CellRow, column: number, { styles }: Tables): boolean {
  if (a.glyphs[column] !== b.glyphs[column]) return false
  const [before = 0, after = 0] = [a.styles[column], b.styles[column]]
  return before === after || (a.glyphs[column] === blank && styles.isUnseen(before) && styles.isUnseen(after))
}

/**
 * Cells after a character of unsure width may hold what the terminal made of it: as many as it has code points, twice.
 */
const reach = (text: string): number => 2 * [...text].length

/**
 * What of a row must be written, and whether all of it is single cells that every terminal moves over alike: those may
 * be written in any order.
 */
export type Changes = { changed: Uint8Array; isPlain: boolean }

/**
 * The columns of `next` that must be written over `shown`. Both halves of a wide character go together, and what stands
 * right of a character whose width terminals disagree about is written whenever it is, or was before.
 */
export function changesOf(shown: CellRow, next: CellRow, tables: Tables): Changes {
  const columns = next.glyphs.length
  const changed = new Uint8Array(columns)
  let isPlain = true
  for (let column = 0; column < columns; column += 1) {
    if (isSameCell(shown, next, column, tables)) continue
    changed[column] = 1
    isPlain &&= isPlainCell(shown, column, tables) && isPlainCell(next, column, tables)
  }
  if (!isPlain) spread(changed, shown, next, tables)
  return { changed, isPlain }
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
    if (column >= tail && last - column + 1 >= eraseLeast) {
      // Erasing takes the colour of the pen on many terminals.
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
 * The changed columns of a plain row as runs. A blank goes with the cells beside it when it looks the same in their
 * style.
 */
export function runsOf(changed: Uint8Array, row: CellRow, at: number, tables: Tables): Run[] {
  const runs: Run[] = []
  const last = changed.lastIndexOf(1)
  const tail = blankFrom(row, tables)
  let run: Run | null = null
  for (let column = 0; column <= last; column += 1) {
    if (changed[column] === 0) {
      run = null
      continue
    }
    if (column >= tail && last - column + 1 >= eraseLeast) {
      runs.push({ row, at, from: column, to: last + 1, style: 0, isErased: true })
      break
    }
    if (run === null || !looksSame(row, column, run.style, tables)) {
      run = { row, at, from: column, to: column, style: styleFrom(changed, row, column, tables), isErased: false }
      runs.push(run)
    }
    run.to = column + 1
  }
  return runs
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

/**
 * What makes a terminal show the runs, and the pen where that leaves it. Those of one style are written together: a
 * colour costs more bytes than the way to the next row, and a market changes in few colours and many rows.
 */
export function drawRuns(runs: Run[], pen: Pen, tables: Tables): string {
  runs.sort((left, right) => left.style - right.style || left.at - right.at || left.from - right.from)
  let out = ''
  for (const { row, at, from, to, style, isErased } of runs) {
    // The way there may be written in the style of the run; a gap before it then costs no change.
    if (pen.style !== style) out += setStyle(pen, style, tables)
    out += moveTo(pen, row, at, from, tables)
    if (isErased) {
      out += '\u001b[K'
      continue
    }
    for (let column = from; column < to; column += 1) out += tables.glyphs.textOf(row.glyphs[column] ?? blank)
    // In the last column terminals differ in where they say the cursor is.
    pen.cursor.column = to >= row.glyphs.length ? -1 : to
  }
  return out
}
