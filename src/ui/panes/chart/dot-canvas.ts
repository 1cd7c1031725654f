/** Small dots within cells: eight per cell in Braille, four in blocks, two in ASCII. */
export type DotGlyphs = 'braille' | 'blocks' | 'ascii'

type DotCanvas = {
  /** In dots; the origin is at the top left. */
  width: number
  height: number
  /** Sets the dots of one column from `top` to `bottom`, inclusive, in either order. Dots outside are ignored. */
  column(x: number, top: number, bottom: number): void
  /** The glyph of a cell; a blank if it has no dot. */
  at(column: number, row: number): string
}

type CellShape = { across: number; down: number; glyph: (bits: number) => string }

// Unicode's bits for the dots of a Braille cell, here row by row.
const brailleBits = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
/** Indexed by dots set, row by row: bit 1 is top left, bit 8 bottom right. */
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

/** Dots per cell, across and down. */
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
