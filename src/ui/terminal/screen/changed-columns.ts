import { blank, secondHalf, unknownCell } from './glyphs.ts'
import type { CellRow } from './grid.ts'
import type { Tables } from './read-line.ts'

/** Erasing to the end of the line pays from this many blanks on. */
export const eraseLeast = 4

/**
 * The first column from which on the row is blank in a way that erasing leaves; the row's length where nothing is
 * erased.
 */
export function blankFrom(row: CellRow, { styles }: Tables): number {
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
