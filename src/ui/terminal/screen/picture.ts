import {
  addRuns,
  type Columns,
  drawRow,
  drawRuns,
  lineFeedsOnly,
  markChanges,
  type Pen,
  type Run,
} from './changed-cells.ts'
import {
  blank,
  blankRow,
  type CellRow,
  clearFrom,
  GlyphTable,
  putText,
  readLine,
  secondHalf,
  type Tables,
  unknownRow,
} from './glyphs.ts'

import { StyleTable } from './styles.ts'

/** A piece of a line in one style: text without sequences, and the SGR sequences and links that switch its style on. */
export type Piece = { readonly text: string; readonly on: string }

/** One line of a region. An identical array is not processed again. */
export type Line = readonly Piece[]

/** A rectangle of the screen, in cells from the top left. */
export type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** A rectangle of the screen that draws itself: its content never passes through the layout. */
export type ScreenRegion = {
  /** Stacking order: a region covers those of lower layers, blanks included. */
  readonly layer: number
  /** Its place in the layout. Called when something may have moved. */
  place(): Place
  /** Its current content, one line per row. Called once per screen update. */
  lines(): readonly Line[]
}

/** A region as last drawn. */
type Drawn = { place: Place; lines: readonly Line[]; cells: CellRow[] }

const noPlace: Place = { x: 0, y: 0, width: 0, height: 0 }

const isSamePlace = (left: Place, right: Place): boolean =>
  left.x === right.x && left.y === right.y && left.width === right.width && left.height === right.height

/** Writes a region's line into cells. */
function readPieces(line: Line, cells: CellRow, tables: Tables): void {
  const { styles } = tables
  let column = 0
  for (const { text, on } of line) column = putText(text, cells, column, styles.of(on), tables)
  clearFrom(cells, column, styles.base)
}

function copyCells(made: CellRow, to: CellRow, columns: Columns): void {
  to.glyphs.set(made.glyphs.subarray(columns.from, columns.to), columns.from)
  to.styles.set(made.styles.subarray(columns.from, columns.to), columns.from)
}

/** Blanks both halves of a wide character where another region cuts it in the middle. */
function mendHalves({ glyphs: row }: CellRow, { glyphs }: Tables): void {
  if (!glyphs.hasWide) return
  for (let column = 0; column < row.length; column += 1) {
    const glyph = row[column] ?? blank
    if (glyph === secondHalf) row[column] = blank
    else if (glyph >= 0x100 && glyphs.widthOf(glyph) === 2) {
      if (row[column + 1] === secondHalf) column += 1
      else row[column] = blank
    }
  }
}

/** The content of a terminal of fixed size, and the changes that take it to the next content. */
export class Picture {
  readonly columns: number
  readonly rows: number
  readonly base: string
  readonly #tables: Tables
  readonly #drawn = new Map<ScreenRegion, Drawn>()
  /** The frame's lines, and as cells the non-empty ones. */
  #frame: readonly string[] = []
  readonly #overlaid = new Map<number, CellRow>()
  /** The columns of each row that may have changed; null: none. */
  readonly #dirty: (Columns | null)[]
  /** Reused buffers: the marked columns of a row, and its composed cells. */
  readonly #changed: Uint8Array
  readonly #wholeRow: Columns
  readonly #made: CellRow
  #shown: CellRow[] = []
  #pen: Pen = { cursor: { row: 0, column: -1 }, style: 0 }
  #isPenKnown = false

  /**
   * A screen of `columns` × `rows` cells of unknown content. Lines beyond the last row are dropped, missing ones are
   * blank. `base`: the sequence of the default text and background color; empty for the terminal's own.
   */
  constructor(columns: number, rows: number, base = '') {
    this.columns = columns
    this.rows = rows
    this.base = base
    this.#tables = { styles: new StyleTable(base), glyphs: new GlyphTable() }
    this.#dirty = Array.from({ length: rows }, () => null)
    this.#changed = new Uint8Array(columns)
    this.#wholeRow = { from: 0, to: columns }
    this.#made = unknownRow(columns)
    this.forget()
  }

  /** A row as last drawn, one character a cell: a blank behind a wide one, and `?` for what is not one character. */
  textOf(row: number): string {
    return Array.from(this.#shown[row]?.glyphs ?? [], (glyph) => {
      const text = glyph === secondHalf ? ' ' : this.#tables.glyphs.textOf(glyph)
      return text.length === 1 ? text : '?'
    }).join('')
  }

  /** Must be called after foreign output: everything is drawn again. */
  forget(): void {
    this.#shown = Array.from({ length: this.rows }, () => unknownRow(this.columns))
    this.#dirty.fill(this.#wholeRow)
    this.#isPenKnown = false
  }

  /**
   * The bytes that update the terminal to the regions' and frame's current content; empty if nothing changed. Regions
   * come lowest layer first; their places are read again if `isMoved`. The frame's lines cover all regions; its blanks
   * are transparent.
   */
  draw(frame: readonly string[], regions: readonly ScreenRegion[], isMoved: boolean): string {
    for (const [region, { place }] of this.#drawn) {
      if (regions.includes(region)) continue
      this.#soil(place)
      this.#drawn.delete(region)
    }
    for (const region of regions) this.#take(region, isMoved)
    this.#takeFrame(frame)
    return this.#write(regions)
  }

  #soil({ x, y, width, height }: Place): void {
    const place = { from: Math.max(0, x), to: Math.min(this.columns, x + width) }
    if (place.from >= place.to) return
    for (let row = Math.max(0, y); row < Math.min(this.rows, y + height); row += 1) {
      const { from, to } = this.#dirty[row] ?? place
      const isWithin = from <= place.from && to >= place.to
      this.#dirty[row] = isWithin ? { from, to } : { from: Math.min(from, place.from), to: Math.max(to, place.to) }
    }
  }

  #take(region: ScreenRegion, isMoved: boolean): void {
    const before = this.#drawn.get(region)
    const place = before === undefined || isMoved ? region.place() : before.place
    const lines = region.lines()
    if (before !== undefined && isSamePlace(before.place, place)) {
      this.#takeLines(before, lines)
      return
    }
    this.#soil(before?.place ?? noPlace)
    this.#soil(place)
    const cells = Array.from({ length: place.height }, (_, at) => {
      const row = blankRow(place.width, this.#tables.styles.base)
      readPieces(lines[at] ?? [], row, this.#tables)
      return row
    })
    this.#drawn.set(region, { place, lines, cells })
  }

  /** Takes over those lines that changed. */
  #takeLines(drawn: Drawn, lines: readonly Line[]): void {
    if (lines === drawn.lines) return
    drawn.cells.forEach((cells, at) => {
      if (lines[at] === drawn.lines[at]) return
      readPieces(lines[at] ?? [], cells, this.#tables)
      this.#soil({ ...drawn.place, y: drawn.place.y + at, height: 1 })
    })
    drawn.lines = lines
  }

  #takeFrame(frame: readonly string[]): void {
    if (frame === this.#frame) return
    for (let row = 0; row < this.rows; row += 1) {
      const line = frame[row] ?? ''
      if (line === (this.#frame[row] ?? '')) continue
      this.#dirty[row] = this.#wholeRow
      if (line.trim() === '') {
        this.#overlaid.delete(row)
        continue
      }
      const cells = this.#overlaid.get(row) ?? blankRow(this.columns, this.#tables.styles.base)
      readLine(line, cells, this.#tables)
      this.#overlaid.set(row, cells)
    }
    this.#frame = frame
  }

  /** Composes these columns of a row from everything that covers part of it, lowest layer first. */
  #compose(row: number, { from, to }: Columns, parts: readonly Drawn[]): CellRow {
    const cells = this.#made
    const { styles } = this.#tables
    clearFrom(cells, from, styles.base, to)
    for (const { place, cells: own } of parts) {
      const { x, y, width, height } = place
      const start = Math.max(from, x)
      const end = Math.min(to, x + width)
      if (row < y || row >= y + height || end <= start) continue
      const part = own[row - y]
      if (part === undefined) continue
      for (let column = start; column < end; column += 1) {
        cells.glyphs[column] = part.glyphs[column - x] ?? blank
        cells.styles[column] = part.styles[column - x] ?? 0
      }
    }
    const over = this.#overlaid.get(row)
    for (let column = from; over !== undefined && column < to; column += 1) {
      const [glyph = blank, style = 0] = [over.glyphs[column], over.styles[column]]
      if (glyph === blank && styles.isUnseen(style)) continue
      cells.glyphs[column] = glyph
      cells.styles[column] = style
    }
    mendHalves(cells, this.#tables)
    return cells
  }

  /** The bytes that turn the shown content into the new one. */
  #write(regions: readonly ScreenRegion[]): string {
    let out = ''
    if (!this.#isPenKnown) {
      this.#pen = { cursor: { row: 0, column: -1 }, style: 0 }
      out = `\u001b[m${lineFeedsOnly}`
      this.#isPenKnown = true
    }
    const pen = this.#pen
    const runs: Run[] = []
    const parts = regions.flatMap((region) => this.#drawn.get(region) ?? [])
    // A character of uncertain width may shift anything in its row.
    const isWhole = this.#tables.glyphs.hasUnsure
    for (let row = 0; row < this.rows; row += 1) {
      const shown = this.#shown[row]
      const dirty = this.#dirty[row] ?? null
      if (dirty === null || shown === undefined) continue
      this.#dirty[row] = null
      const columns = isWhole ? this.#wholeRow : dirty
      const made = this.#compose(row, columns, parts)
      const changed = this.#changed.fill(0)
      const isPlain = markChanges(changed, shown, made, columns, this.#tables)
      copyCells(made, shown, columns)
      if (isPlain) addRuns(runs, changed, shown, row, this.#tables)
      else out += drawRow(changed, shown, row, pen, this.#tables)
    }
    out += drawRuns(runs, pen, this.#tables)
    // End any open link: whatever is written next must not become part of it.
    const { styles } = this.#tables
    const unlinked = styles.unlinked(pen.style)
    out += styles.change(pen.style, unlinked)
    pen.style = unlinked
    return out
  }

  /**
   * The bytes after which others may write: back to plain style, as the shell expects. Between updates the style stays
   * set, since the next update often starts with it.
   */
  rest(): string {
    const { style } = this.#pen
    this.#pen.style = 0
    return this.#isPenKnown ? this.#tables.styles.change(style, 0) : ''
  }
}
