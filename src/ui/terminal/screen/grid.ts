import { blank, type GlyphId, unknownCell } from './glyphs.ts'
import type { StyleId } from './styles.ts'

/** One row of the screen: what stands in each cell, and how. */
export type CellRow = { readonly glyphs: Int32Array; readonly styles: Int32Array }

/** A row of unknown cells: drawing anything over it draws every cell. */
export const unknownRow = (columns: number): CellRow => ({
  glyphs: new Int32Array(columns).fill(unknownCell),
  styles: new Int32Array(columns),
})

/** Nothing stands in the row from a column on. */
export function clearFrom({ glyphs, styles }: CellRow, column: number, base: StyleId): void {
  glyphs.fill(blank, column)
  styles.fill(base, column)
}

export function setCell({ glyphs, styles }: CellRow, column: number, glyph: GlyphId, style: StyleId): void {
  glyphs[column] = glyph
  styles[column] = style
}
