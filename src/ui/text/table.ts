import { alignOnPoint } from './amounts.ts'
import { amount, cutWords, left, nameText, right } from './cells.ts'
import { type KeepRow, makeEachRow, type Row, type Span, span } from './row.ts'
import type { Tone } from './theme.ts'

export type TableColumn = {
  head: string
  /** One text per row, of one-cell characters. */
  cells: readonly string[]
  /** `point`: numbers aligned on their decimal points. Numbers are never cut. */
  align: 'left' | 'right' | 'point'
  tone?: Tone | ((row: number) => Tone)
  /** Short of room, the column with the highest rank is shortened or dropped first; rank 0 always stays. */
  rank: number
  /** Overrides for the shorter form, its rank included; computed only if the full form does not fit. */
  shorter?: () => Partial<Omit<TableColumn, 'isFlexible'>>
  /** Takes the spare room, and is cut if there is too little; at most one per table. */
  isFlexible?: true
  /**
   * Only for a flexible column of ids. Ids up to this length stay whole at the expense of other columns; longer ones
   * are cut in the middle.
   */
  wholeUpTo?: number
}

type Laid = { column: TableColumn; cells: readonly string[]; width: number; longest: number }

/** No normal market amount is this long; one that is must not cost other rows their values. */
const longNumber = 20
const isLong = (cell: string): boolean => cell.length > longNumber && /^[-+<]?[\d.,]+%?$/.test(cell)

/**
 * Which numbers longer than `longNumber` become `###`: none; those beside normal ones; or all, if their column cannot
 * be dropped.
 */
type Cap = 'none' | 'odd' | 'all'
const nextCap: Readonly<Record<Cap, Cap | null>> = { none: 'odd', odd: 'all', all: null }

/** The column's cells as aligned; a capped number gets the width of the others. A number is never truncated. */
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

/** Widens a flexible column by the spare room, less one cell before the border unless the column needs it. */
const widened = ({ width, longest }: Laid, spare: number): number =>
  spare === 0 || width + spare === longest ? width + spare : width + spare - 1

/**
 * Whether a column may be dropped and has only empty cells. With no rows, all heads stay to show what the table lists.
 */
const isIdle = ({ rank, cells }: TableColumn): boolean =>
  rank > 0 && cells.length > 0 && cells.every((cell) => cell === '')

/**
 * The columns that fit `width`: the least important ones are shortened or dropped one step at a time. Before a column
 * is dropped, overlong numbers are capped.
 */
function fitted(columns: readonly TableColumn[], width: number): Laid[] {
  // Columns without content are dropped first.
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

/** Columns with content that do not fit this width. `isWide`: the rest is still wider than `width`. */
export function withoutRoom(
  columns: readonly TableColumn[],
  width: number,
): { leftOut: readonly TableColumn[]; isWide: boolean } {
  const chosen = fitted(columns, width)
  const shown = new Set(chosen.map(({ column }) => column.head))
  const leftOut = columns.filter((column) => column.cells.length > 0 && !isIdle(column) && !shown.has(column.head))
  return { leftOut, isWide: totalWidth(chosen) > width }
}

/** Separates columns of a table read aloud: no cell contains it, and frames use a different character. */
export const spokenGap = '│'

/**
 * A head and one row per cell of the columns, each at most `width` cells. `markOf` gives a row's mark, which is not
 * counted in the width; `keep` may reuse rows from the last call; `gap` is the cell between two columns.
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
