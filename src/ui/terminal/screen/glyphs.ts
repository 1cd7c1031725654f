import stringWidth from 'string-width'
import type { StyleId, StyleTable } from './styles.ts'

/** What stands in a cell, by number: ASCII by its code, everything else in the order it was met. */
type GlyphId = number

/** The right half of a character that takes two cells. */
export const secondHalf: GlyphId = -1
/** A cell of which nothing is known; it differs from every glyph. */
export const unknownCell: GlyphId = -2
export const blank: GlyphId = 32

const firstOther = 0x100

// One code point each, one cell on every terminal: ASCII, Latin, Greek, Cyrillic, punctuation, arrows, boxes, blocks,
// braille.
const surelyOneCell: readonly (readonly [first: number, last: number])[] = [
  [0x20, 0x7e],
  [0xa1, 0xac],
  [0xae, 0x2ff],
  [0x370, 0x482],
  [0x48a, 0x52f],
  [0x2010, 0x2015],
  [0x2018, 0x201e],
  [0x2020, 0x2022],
  [0x2026, 0x2026],
  [0x20ac, 0x20ac],
  [0x2190, 0x2193],
  [0x2500, 0x259f],
  [0x25b2, 0x25b2],
  [0x25bc, 0x25bc],
  [0x2800, 0x28ff],
]
const unitCount = 0x2900
const sureUnits = new Uint8Array(unitCount)
for (const [first, last] of surelyOneCell) sureUnits.fill(1, first, last + 1)

/**
 * Whether the character of this code takes one cell on every terminal, and joins neither the one before nor the one
 * after.
 */
const isSureUnit = (code: number): boolean => sureUnits[code] === 1

type Glyph = { readonly text: string; readonly width: 1 | 2; readonly isSure: boolean }

/**
 * The characters met so far, each once. A character is a grapheme: combining marks and joined emoji belong to their
 * base.
 */
export class GlyphTable {
  private readonly glyphs: Glyph[] = []
  private readonly ids = new Map<string, GlyphId>()
  /** The numbers of sure characters by their codes; 0 for one that was not met yet. */
  private readonly unitIds = new Int32Array(unitCount)

  /** The number of a grapheme that is not one ASCII character; null for one that takes no cell. */
  idOf(grapheme: string): GlyphId | null {
    const known = this.ids.get(grapheme)
    if (known !== undefined) return known
    const isSure = grapheme.length === 1 && isSureUnit(grapheme.charCodeAt(0))
    const width = isSure ? 1 : stringWidth(grapheme)
    if (width === 0) return null
    const id = firstOther + this.glyphs.length
    this.glyphs.push({ text: grapheme, width: width === 1 ? 1 : 2, isSure })
    this.ids.set(grapheme, id)
    return id
  }

  /** The same for a sure character that is not ASCII, by its code. */
  idOfUnit(code: number): GlyphId {
    const known = this.unitIds[code] ?? 0
    if (known !== 0) return known
    const id = this.idOf(String.fromCharCode(code)) ?? blank
    this.unitIds[code] = id
    return id
  }

  textOf(id: GlyphId): string {
    if (id < firstOther) return ascii[id] ?? ''
    return this.glyphs[id - firstOther]?.text ?? ''
  }

  widthOf(id: GlyphId): 1 | 2 {
    return id < firstOther ? 1 : (this.glyphs[id - firstOther]?.width ?? 1)
  }

  /**
   * Whether every terminal moves on by `widthOf` cells after it; where not, the cursor is put back by a full address.
   */
  isSure(id: GlyphId): boolean {
    return id < firstOther || (this.glyphs[id - firstOther]?.isSure ?? false)
  }
}

const ascii = Array.from({ length: 128 }, (_, code) => (code < 32 || code === 127 ? '' : String.fromCharCode(code)))

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
