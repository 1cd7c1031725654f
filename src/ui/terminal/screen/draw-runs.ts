import { blankFrom, eraseLeast } from './changed-columns.ts'
import { blank } from './glyphs.ts'
import type { CellRow } from './grid.ts'
import { looksSame, type Pen, travel, wear } from './pen.ts'
import type { Tables } from './read-line.ts'
import type { StyleId } from './styles.ts'

/**
 * Changed cells beside each other that are written in one style; `isErased`: all to the end of the line are blank, and
 * erased at once.
 */
export type Run = { row: CellRow; at: number; from: number; to: number; style: StyleId; isErased: boolean }

/**
 * The changed columns of a plain row as runs. A blank goes with the cells beside it when it looks the same in their
 * style.
 */
export function runsOf(changed: Uint8Array, row: CellRow, at: number, tables: Tables): Run[] {
  const runs: Run[] = []
  const last = changed.lastIndexOf(1)
  const tail = blankFrom(row, tables)
  let run: Run | null = null
  for (let column = 0; column <= last; column += 1) {
    if (changed[column] === 0) {
      run = null
      continue
    }
    if (column >= tail && last - column + 1 >= eraseLeast) {
      runs.push({ row, at, from: column, to: last + 1, style: 0, isErased: true })
      break
    }
    if (run === null || !looksSame(row, column, run.style, tables)) {
      run = { row, at, from: column, to: column, style: styleFrom(changed, row, column, tables), isErased: false }
      runs.push(run)
    }
    run.to = column + 1
  }
  return runs
}

/** The style in which a run is written that begins here: of a blank without looks that of what follows it. */
function styleFrom(changed: Uint8Array, row: CellRow, from: number, tables: Tables): StyleId {
  const own = row.styles[from] ?? 0
  if (row.glyphs[from] !== blank || !tables.styles.isUnseen(own)) return own
  for (let column = from + 1; changed[column] === 1; column += 1) {
    if (row.glyphs[column] !== blank)
      return tables.styles.isUnseen(row.styles[column] ?? 0) ? (row.styles[column] ?? 0) : tables.styles.base
  }
  return tables.styles.base
}

/**
 * What makes a terminal show the runs, and the pen where that leaves it. Those of one style are written together: a
 * colour costs more bytes than the way to the next row, and a market changes in few colours and many rows.
 */
export function drawRuns(runs: Run[], pen: Pen, tables: Tables): string {
  runs.sort((left, right) => left.style - right.style || left.at - right.at || left.from - right.from)
  let out = ''
  for (const { row, at, from, to, style, isErased } of runs) {
    // The way there may be written in the style of the run; a gap before it then costs no change.
    if (pen.style !== style) out += wear(pen, style, tables)
    out += travel(pen, row, at, from, tables)
    if (isErased) {
      out += '\u001b[K'
      continue
    }
    for (let column = from; column < to; column += 1) out += tables.glyphs.textOf(row.glyphs[column] ?? blank)
    // In the last column terminals differ in where they say the cursor is.
    pen.cursor.column = to >= row.glyphs.length ? -1 : to
  }
  return out
}
