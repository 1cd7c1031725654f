import { changesOf } from './changed-columns.ts'
import { drawRow } from './draw-row.ts'
import { drawRuns, type Run, runsOf } from './draw-runs.ts'
import { GlyphTable } from './glyphs.ts'
import { type CellRow, unknownRow } from './grid.ts'
import type { Pen } from './pen.ts'
import { readLine, type Tables } from './read-line.ts'
import { type StyleId, StyleTable } from './styles.ts'

type ShownRow = { line: string | null; styleBefore: StyleId; styleAfter: StyleId; cells: CellRow }

const nothingKnown = (columns: number): ShownRow => ({
  line: null,
  styleBefore: 0,
  styleAfter: 0,
  cells: unknownRow(columns),
})

/** What a terminal of fixed size shows just now, and the way from there to another picture. */
export type ScreenPicture = {
  /** The bytes that turn what is shown into the frame; the empty text when they are the same. */
  draw(lines: readonly string[]): string
  /** Somebody else wrote to the terminal: the next frame is drawn cell by cell. */
  forget(): void
}

/**
 * A picture of `columns` × `rows` cells of which nothing is known yet. Lines beyond the last row are left out, missing
 * ones are blank. `base`: the sequence of the ink and the ground where the frame names none; empty for the terminal's
 * own.
 */
export function createScreenPicture(columns: number, rows: number, base = ''): ScreenPicture {
  const tables: Tables = { styles: new StyleTable(base), glyphs: new GlyphTable() }
  let shown: ShownRow[] = []
  let pen: Pen = { cursor: { row: 0, column: -1 }, style: 0 }
  let isPenKnown = false
  /** Takes the next line that is read; the row it replaces takes the one after. */
  let spare = unknownRow(columns)
  const forget = () => {
    shown = Array.from({ length: rows }, () => nothingKnown(columns))
    isPenKnown = false
  }
  forget()
  return {
    forget,
    draw(lines) {
      let out = ''
      if (!isPenKnown) {
        pen = { cursor: { row: 0, column: -1 }, style: 0 }
        out = '\u001b[m'
        isPenKnown = true
      }
      let style: StyleId = tables.styles.base
      const runs: Run[] = []
      for (let row = 0; row < rows; row += 1) {
        const line = lines[row] ?? ''
        const before = shown[row]
        if (before === undefined) continue
        if (before.line === line && before.styleBefore === style) {
          style = before.styleAfter
          continue
        }
        const cells = spare
        const styleAfter = readLine(line, cells, style, tables)
        const { changed, isPlain } = changesOf(before.cells, cells, tables)
        if (isPlain) runs.push(...runsOf(changed, cells, row, tables))
        else out += drawRow(changed, cells, row, pen, tables)
        spare = before.cells
        shown[row] = { line, styleBefore: style, styleAfter, cells }
        style = styleAfter
      }
      out += drawRuns(runs, pen, tables)
      // Others write in the plain style, and so does a shell that comes after.
      if (pen.style !== 0) {
        out += tables.styles.change(pen.style, 0)
        pen.style = 0
      }
      return out
    },
  }
}
