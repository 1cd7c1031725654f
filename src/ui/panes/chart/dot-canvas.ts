/** Small dots inside cells: eight a cell in Braille, four in blocks, two where only ASCII may be written. */
export type DotGlyphs = 'braille' | 'blocks' | 'ascii'

type DotCanvas = {
  /** In dots; the origin is at the top left. */
  width: number
  height: number
  /**
   * Sets the dots of one column from `top` to `bottom`, both included, in either order. What is outside is left out.
   */
  column(x: number, top: number, bottom: number): void
  /** What stands in a cell; a blank where no dot is. */
  at(column: number, row: number): string
}

type CellShape = { across: number; down: number; glyph: (bits: number) => string }

// The order in which Unicode counts the dots of a Braille cell, by line and then by column.
const brailleBits = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
/** By their dots, line by line: 1 is at the top left, 8 at the bottom right. */
const quadrants = ' ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█'
const shapes: Readonly<Record<DotGlyphs, CellShape>> = {
  braille: {
    across: 2,
    down: 4,
    glyph: (bits) => (bits === 0 ? ' ' : String.fromCodePoint(0x2800 + bits)),
  },
  blocks: { across: 2, down: 2, glyph: (bits) => quadrants[bits] ?? ' ' },
  ascii: { across: 1, down: 2, glyph: (bits) => [' ', "'", '.', ':'][bits] ?? ' ' },
}

/** Dots that one cell holds across and down. */
export const dotsOfCell = (glyphs: DotGlyphs): { across: number; down: number } => shapes[glyphs]

/** An empty canvas of `columns` × `rows` cells, both 0 or more. */
export function createDotCanvas(columns: number, rows: number, glyphs: DotGlyphs): DotCanvas {
  const { across, down, glyph } = shapes[glyphs]
  const cells = new Uint8Array(columns * rows)
  const width = columns * across
  const height = rows * down
  const bitOf = (x: number, y: number) => {
    const place = (y % down) * across + (x % across)
    return glyphs === 'braille' ? (brailleBits[place] ?? 0) : 1 << place
  }
  return {
    width,
    height,
    column(x, top, bottom) {
      if (x < 0 || x >= width) return
      const last = Math.min(height - 1, Math.max(top, bottom))
      for (let y = Math.max(0, Math.min(top, bottom)); y <= last; y += 1) {
        const cell = Math.floor(y / down) * columns + Math.floor(x / across)
        cells[cell] = (cells[cell] ?? 0) | bitOf(x, y)
      }
    },
    at: (column, row) => glyph(cells[row * columns + column] ?? 0),
  }
}
