import { blank, type GlyphId, type GlyphTable, isSureUnit, secondHalf, unknownCell } from './glyphs.ts'
import type { StyleId, StyleTable } from './styles.ts'

/** One row of the screen: what stands in each cell, and how. */
export type CellRow = { readonly glyphs: Int32Array; readonly styles: Int32Array }

/** A row of unknown cells: drawing anything over it draws every cell. */
export const unknownRow = (columns: number): CellRow => ({
  glyphs: new Int32Array(columns).fill(unknownCell),
  styles: new Int32Array(columns),
})

/** Nothing stands in the row from a column on. */
function clearFrom({ glyphs, styles }: CellRow, column: number, base: StyleId): void {
  glyphs.fill(blank, column)
  styles.fill(base, column)
}

function setCell({ glyphs, styles }: CellRow, column: number, glyph: GlyphId, style: StyleId): void {
  glyphs[column] = glyph
  styles[column] = style
}

const escapeCode = 0x1b
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const sgrOrOther = /\u001b(?:\[([\d;:]*)m|\[[\d;:?<=>]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/y
const plainRun = /[^\u001b]+/y

export type Tables = { readonly styles: StyleTable; readonly glyphs: GlyphTable }

/**
 * One line of a frame as cells, read into `row`; the style it ends in. SGR sequences set the style of what follows, and
 * `style` is the one the line before ended in; other sequences and control characters draw nothing. What is right of
 * the last column is cut; a wide character whose second half would stand there too, for a blank. The rest of the row is
 * blank.
 */
export function readLine(line: string, row: CellRow, style: StyleId, { styles, glyphs }: Tables): StyleId {
  const columns = row.glyphs.length
  let column = 0
  let current = style
  let at = 0
  const put = (grapheme: string) => {
    const id = grapheme.length === 1 && grapheme < '\u007f' ? grapheme.charCodeAt(0) : glyphs.idOf(grapheme)
    if (id === null || id < 32) return
    const width = glyphs.widthOf(id)
    if (column + width > columns) {
      clearFrom(row, column, styles.base)
      column = columns
      return
    }
    setCell(row, column, id, current)
    if (width === 2) setCell(row, column + 1, secondHalf, current)
    column += width
  }
  while (at < line.length) {
    const code = line.charCodeAt(at)
    if (code === escapeCode) {
      sgrOrOther.lastIndex = at
      const match = sgrOrOther.exec(line)
      if (match?.[1] !== undefined) current = styles.after(current, match[1])
      at += Math.max(1, match?.[0].length ?? 1)
    } else if (isSureUnit(code) && !joins(line.charCodeAt(at + 1))) {
      // A character of its own that takes one cell: the usual case, without a look for what belongs together.
      if (column < columns) {
        setCell(row, column, code < 0x7f ? code : glyphs.idOfUnit(code), current)
        column += 1
      }
      at += 1
    } else if (code < 32) at += 1
    else {
      plainRun.lastIndex = at
      const run = plainRun.exec(line)?.[0] ?? line.slice(at)
      for (const { segment } of graphemes.segment(run)) put(segment)
      at += run.length
    }
  }
  clearFrom(row, column, styles.base)
  return current
}

/** Whether the character before may be one with this one: a combining mark, a joiner, or whatever is not known. */
const joins = (code: number): boolean => code >= 0x7f && !isSureUnit(code)
