import { alignOnPoint } from './amounts.ts'
import { amount, cutWords, left, nameText, right } from './cells.ts'
import { type KeepRow, makeEachRow, type Row, type Span, span } from './row.ts'
import type { Tone } from './theme.ts'

export type TableColumn = {
  head: string
  /** One text a row, of cells that are one wide each. */
  cells: readonly string[]
  /** `point`: numbers with their decimal points below each other. Numbers are never cut. */
  align: 'left' | 'right' | 'point'
  tone?: Tone | ((row: number) => Tone)
  /** Short of room the column with the highest rank gives way first, to its shorter form or for good; 0 stays. */
  rank: number
  /** What changes in the shorter form, its rank too; made where there is no room for the longer one. */
  shorter?: () => Partial<Omit<TableColumn, 'isFlexible'>>
  /** Takes what room is left, and is cut when there is less; at most one in a table. */
  isFlexible?: true
  /**
   * Of a flexible column: it holds ids. They stay whole up to this length, whatever gives way for them, and a longer
   * one is cut in its middle.
   */
  wholeUpTo?: number
}

type Laid = { column: TableColumn; cells: readonly string[]; width: number; longest: number }

/** Cells of a number that no usual amount of a market takes: it must not cost other rows their values. */
const longNumber = 20
const isLong = (cell: string): boolean => cell.length > longNumber && /^[-+<]?[\d.,]+%?$/.test(cell)

/**
 * Which numbers longer than `longNumber` are `###`: none; those beside usual ones; or all, where their column stays
 * whatever gives way.
 */
type Cap = 'none' | 'odd' | 'all'
const nextCap: Readonly<Record<Cap, Cap | null>> = { none: 'odd', odd: 'all', all: null }

/**
 * The cells of a column as they stand below each other; a capped one is as wide as the others. A number is never cut to
 * another one.
 */
function standing({ head, cells, align, isFlexible }: TableColumn, cap: Cap): readonly string[] {
  const aligned = (texts: readonly string[]) => (align === 'point' ? alignOnPoint(texts) : texts)
  const isOdd = cap !== 'none' && align !== 'left' && isFlexible !== true && cells.some(isLong)
  const areAll = cells.every((cell) => cell === '' || isLong(cell))
  if (!isOdd || (areAll && cap !== 'all')) return aligned(cells)
  const usual = aligned(cells.map((cell) => (isLong(cell) ? '' : cell)))
  const width = Math.max(head.length, ...usual.map((cell) => cell.length))
  return usual.map((cell, row) => (isLong(cells[row] ?? '') ? amount(cells[row] ?? '', width) : cell))
}

function laid(column: TableColumn, cap: Cap = 'none'): Laid {
  const cells = standing(column, cap)
  const longest = Math.max(column.head.length, ...cells.map((cell) => cell.length))
  return {
    column,
    cells,
    width: column.isFlexible === true ? Math.min(longest, column.wholeUpTo ?? 8) : longest,
    longest,
  }
}

const totalWidth = (columns: readonly Laid[]): number =>
  columns.reduce((total, { width }) => total + width, 0) + Math.max(0, columns.length - 1)

/**
 * A flexible column with the room that is left, but for a cell of air before the border where nothing is cut for it
 * alone.
 */
const widened = ({ width, longest }: Laid, spare: number): number =>
  spare === 0 || width + spare === longest ? width + spare : width + spare - 1

/** Whether a column that may be left out says nothing. Without any row the heads tell what the table is of. */
const isIdle = ({ rank, cells }: TableColumn): boolean =>
  rank > 0 && cells.length > 0 && cells.every((cell) => cell === '')

/**
 * The columns as they fit `width`: the least needed ones give way, one step at a time. Before one goes for good,
 * numbers that are far too long do.
 */
function fitted(columns: readonly TableColumn[], width: number): Laid[] {
  // A column that may be left out and says nothing is left out.
  let chosen = columns.filter((column) => !isIdle(column)).map((column) => laid(column))
  let cap: Cap = 'none'
  while (totalWidth(chosen) > width) {
    const rank = Math.max(...chosen.map(({ column }) => column.rank))
    const at = chosen.findLastIndex(({ column }) => column.rank === rank)
    const victim = rank <= 0 ? undefined : chosen[at]
    const next: Cap | null = nextCap[cap]
    if (victim === undefined ? next !== null : victim.column.shorter === undefined && cap === 'none') {
      cap = next ?? cap
      chosen = chosen.map(({ column }) => laid(column, cap))
      continue
    }
    if (victim === undefined) break
    const { shorter, ...rest } = victim.column
    const short = shorter === undefined ? null : { ...rest, ...shorter() }
    chosen = short === null || isIdle(short) ? chosen.toSpliced(at, 1) : chosen.with(at, laid(short, cap))
  }
  const spare = Math.max(0, width - totalWidth(chosen))
  return chosen.map((each) => (each.column.isFlexible === true ? { ...each, width: widened(each, spare) } : each))
}

function place(text: string, { column, width }: Laid): string {
  if (column.align !== 'left') return column.align === 'right' ? amount(text, width) : right(text, width)
  if (column.isFlexible !== true) return left(text, width)
  return left(column.wholeUpTo === undefined ? cutWords(text, width) : nameText(text, width), width)
}

const toneAt = (tone: TableColumn['tone'], row: number): Tone =>
  typeof tone === 'function' ? tone(row) : (tone ?? 'text')

/**
 * What a table of this width has no room for, though it has something to say. `isWide`: even without that it is wider
 * than `width`.
 */
export function withoutRoom(
  columns: readonly TableColumn[],
  width: number,
): { leftOut: readonly TableColumn[]; isWide: boolean } {
  const chosen = fitted(columns, width)
  const shown = new Set(chosen.map(({ column }) => column.head))
  const leftOut = columns.filter((column) => column.cells.length > 0 && !isIdle(column) && !shown.has(column.head))
  return { leftOut, isWide: totalWidth(chosen) > width }
}

/** Stands between the columns of a table that is read aloud, and parts them: no cell has it, and frames another one. */
export const spokenGap = '│'

/**
 * A head and one row for each cell of the columns; both at most `width` cells. `markOf` gives what stands before a row,
 * beside its width; `keep` may keep rows from one time to the next; `gap` is the cell between two columns.
 */
export function tableRows(
  columns: readonly TableColumn[],
  width: number,
  markOf: ((row: number) => Span) | null = null,
  keep: KeepRow = makeEachRow,
  gap = ' ',
): { head: Row; rows: Row[] } {
  const chosen = fitted(columns, width)
  const rowCount = columns[0]?.cells.length ?? 0
  const between = (spans: Span[]): Row => spans.flatMap((each, index) => (index === 0 ? [each] : [span(gap), each]))
  const head = between(
    chosen.map(({ column, width: columnWidth }) => {
      const text = column.align === 'left' ? left(column.head, columnWidth) : right(column.head, columnWidth)
      return span(text, 'label')
    }),
  )
  const shape = chosen.map((each) => `${each.width}${each.column.align}`).join(gap)
  const rows = Array.from({ length: rowCount }, (_, row) => {
    const mark = markOf === null ? [] : [markOf(row)]
    const key: unknown[] = [shape, mark[0]?.text]
    for (const { cells, column } of chosen) key.push(cells[row], toneAt(column.tone, row))
    return keep(row, key, () => [
      ...mark,
      ...between(chosen.map((each) => span(place(each.cells[row] ?? '', each), toneAt(each.column.tone, row)))),
    ])
  })
  return { head, rows }
}
