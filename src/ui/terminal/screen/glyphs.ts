import stringWidth from 'string-width'
import { graphemes } from '../../../base/text/graphemes.ts'
import type { StyleId, StyleTable } from './styles.ts'

/** A cell's content by number: ASCII by its code, everything else in order of first use. */
type GlyphId = number

/** The right half of a two-cell character. */
export const secondHalf: GlyphId = -1
/** A cell of unknown content; it differs from every glyph. */
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

/** Whether the character takes one cell on every terminal, and never joins its neighbors. */
const isSureUnit = (code: number): boolean => sureUnits[code] === 1

type Glyph = { readonly text: string; readonly width: 1 | 2; readonly isSure: boolean }

/**
 * The characters used so far, each once. A character is a grapheme: combining marks and joined emoji belong to their
 * base.
 */
export class GlyphTable {
  private readonly glyphs: Glyph[] = []
  private readonly ids = new Map<string, GlyphId>()
  /** Numbers of certain characters by code; 0 for one not used yet. */
  private readonly unitIds = new Int32Array(unitCount)
  /** Whether any two-cell character was used yet. */
  hasWide = false
  /** Whether any character was used whose width terminals may disagree about; two-cell ones count. */
  hasUnsure = false

  /** The number of a grapheme that is not a single ASCII character; null for one without width. */
  idOf(grapheme: string): GlyphId | null {
    const known = this.ids.get(grapheme)
    if (known !== undefined) return known
    const isSure = grapheme.length === 1 && isSureUnit(grapheme.charCodeAt(0))
    const width = isSure ? 1 : stringWidth(grapheme)
    if (width === 0) return null
    const id = firstOther + this.glyphs.length
    this.glyphs.push({ text: grapheme, width: width === 1 ? 1 : 2, isSure })
    this.hasWide ||= width !== 1
    this.hasUnsure ||= !isSure
    this.ids.set(grapheme, id)
    return id
  }

  /** The number of a non-ASCII character that certainly takes one cell, by its code. */
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
   * Whether every terminal advances by `widthOf` cells after it; if not, the cursor must be repositioned absolutely.
   */
  isSure(id: GlyphId): boolean {
    return id < firstOther || (this.glyphs[id - firstOther]?.isSure ?? false)
  }
}

const ascii = Array.from({ length: 128 }, (_, code) => (code < 32 || code === 127 ? '' : String.fromCharCode(code)))

/** One row of the screen: each cell's glyph and style. */
export type CellRow = { readonly glyphs: Int32Array; readonly styles: Int32Array }

/** A row of unknown cells: anything drawn over it writes every cell. */
export const unknownRow = (columns: number): CellRow => ({
  glyphs: new Int32Array(columns).fill(unknownCell),
  styles: new Int32Array(columns),
})

/** An empty row. */
export const blankRow = (columns: number, base: StyleId): CellRow => ({
  glyphs: new Int32Array(columns).fill(blank),
  styles: new Int32Array(columns).fill(base),
})

/** Blanks a row from a column up to `end`, exclusive. */
export function clearFrom({ glyphs, styles }: CellRow, column: number, base: StyleId, end = glyphs.length): void {
  glyphs.fill(blank, column, end)
  styles.fill(base, column, end)
}

function setCell({ glyphs, styles }: CellRow, column: number, glyph: GlyphId, style: StyleId): void {
  glyphs[column] = glyph
  styles[column] = style
}

const escapeCode = 0x1b
const sgrOrOther = /\u001b(?:\[([\d;:]*)m|\[[\d;:?<=>]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)?/y

export type Tables = { readonly styles: StyleTable; readonly glyphs: GlyphTable }

/**
 * Puts text without sequences into a row from a column on, in one style. Returns the column after it. Control
 * characters draw nothing. Text beyond the last column is cut; a wide character that would only half fit becomes
 * blanks.
 */
export function putText(text: string, row: CellRow, from: number, style: StyleId, { glyphs }: Tables): number {
  const columns = row.glyphs.length
  let column = from
  for (let at = 0; at < text.length && column < columns; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 32) continue
    if (!isSureUnit(code) || joins(text.charCodeAt(at + 1)))
      return putGraphemes(text.slice(at), row, column, style, glyphs)
    // The common case, a single one-cell character: no grapheme segmentation needed.
    setCell(row, column, code < 0x7f ? code : glyphs.idOfUnit(code), style)
    column += 1
  }
  return column
}

/** `putText` for text with wide characters, or graphemes of several code units. */
function putGraphemes(text: string, row: CellRow, from: number, style: StyleId, glyphs: GlyphTable): number {
  const columns = row.glyphs.length
  let column = from
  for (const { segment } of graphemes.segment(text)) {
    const id = segment.length === 1 && segment < '\u007f' ? segment.charCodeAt(0) : glyphs.idOf(segment)
    if (id === null || id < 32) continue
    const width = glyphs.widthOf(id)
    if (column + width > columns) {
      while (column < columns) setCell(row, column++, blank, style)
      return column
    }
    setCell(row, column, id, style)
    if (width === 2) setCell(row, column + 1, secondHalf, style)
    column += width
  }
  return column
}

/**
 * Reads one line with its sequences into the cells of `row`. SGR sequences set the style of the following text,
 * starting from the base; other sequences and control characters draw nothing. The rest of the row is blank.
 */
export function readLine(line: string, row: CellRow, tables: Tables): void {
  const { styles } = tables
  let style = styles.base
  let column = 0
  let at = 0
  while (at < line.length) {
    if (line.charCodeAt(at) === escapeCode) {
      sgrOrOther.lastIndex = at
      const match = sgrOrOther.exec(line)
      if (match?.[1] !== undefined) style = styles.after(style, match[1])
      at += Math.max(1, match?.[0].length ?? 1)
    } else {
      const next = line.indexOf('\u001b', at)
      const end = next === -1 ? line.length : next
      column = putText(line.slice(at, end), row, column, style, tables)
      at = end
    }
  }
  clearFrom(row, column, styles.base)
}

/** Whether a character may join the one before it: a combining mark, a joiner, or an unknown one. */
const joins = (code: number): boolean => code >= 0x7f && !isSureUnit(code)
