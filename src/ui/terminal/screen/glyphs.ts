import stringWidth from 'string-width'

/** What stands in a cell, by number: ASCII by its code, everything else in the order it was met. */
export type GlyphId = number

/** The right half of a character that takes two cells. */
export const secondHalf: GlyphId = -1
/** A cell of which nothing is known; it differs from every glyph. */
export const unknownCell: GlyphId = -2
export const blank: GlyphId = 32

const firstOther = 0x100

// One code point each, one cell on every terminal: Latin, Greek, Cyrillic, punctuation, arrows, boxes, blocks, braille.
const surelyOneCell =
  /^[\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u20ac\u2190-\u2193\u2500-\u259f\u25b2\u25bc\u2800-\u28ff]$/u

type Glyph = { readonly text: string; readonly width: 1 | 2; readonly isSure: boolean }

/** The characters met so far, each once. A character is a grapheme: combining marks and joined emoji belong to their base. */
export class GlyphTable {
  private readonly glyphs: Glyph[] = []
  private readonly ids = new Map<string, GlyphId>()

  /** The number of a grapheme that is not one ASCII character; null for one that takes no cell. */
  idOf(grapheme: string): GlyphId | null {
    const known = this.ids.get(grapheme)
    if (known !== undefined) return known
    const isSure = surelyOneCell.test(grapheme)
    const width = isSure ? 1 : stringWidth(grapheme)
    if (width === 0) return null
    const id = firstOther + this.glyphs.length
    this.glyphs.push({ text: grapheme, width: width === 1 ? 1 : 2, isSure })
    this.ids.set(grapheme, id)
    return id
  }

  textOf(id: GlyphId): string {
    if (id < firstOther) return ascii[id] ?? ''
    return this.glyphs[id - firstOther]?.text ?? ''
  }

  widthOf(id: GlyphId): 1 | 2 {
    return id < firstOther ? 1 : (this.glyphs[id - firstOther]?.width ?? 1)
  }

  /** Whether every terminal moves on by `widthOf` cells after it; where not, the cursor is put back by a full address. */
  isSure(id: GlyphId): boolean {
    return id < firstOther || (this.glyphs[id - firstOther]?.isSure ?? false)
  }
}

const ascii = Array.from({ length: 128 }, (_, code) => (code < 32 || code === 127 ? '' : String.fromCharCode(code)))
