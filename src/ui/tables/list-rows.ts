import type { TableView } from '../../store/tables/tables.ts'
import { cellText } from '../text/cells.ts'
import { cursorMark, type Row, span } from '../text/row.ts'
import { type TableColumn, tableRows } from '../text/table.ts'
import type { CellsOf, ListColumn, ListTable } from './list-table.ts'

/** What stands behind the head of the column that is sorted by. */
export const sortMarks = { up: '▲', down: '▼' } as const

type DrawnRows<Item, Context> = {
  table: ListTable<Item, Context>
  /** The rows on screen, and whether each is the chosen one. */
  shown: readonly Item[]
  /** Every row the filter leaves, for the summary. */
  all: readonly Item[]
  context: Context
  view: Pick<TableView, 'selectedKey' | 'sort' | 'hiddenColumns'>
  nowMs: number
  width: number
}

function drawnColumn<Item, Context>(
  column: ListColumn<Item, Context>,
  { table, shown, all, context, view, nowMs }: DrawnRows<Item, Context>,
): TableColumn {
  const { key, text, tone } = column
  const isSorted = view.sort?.column === key
  const mark = view.sort !== null && isSorted ? sortMarks[view.sort.direction] : ''
  const summary = table.summary?.(all, context)
  const cellsOf = (cells: CellsOf<Item, Context> | undefined): string[] => {
    const made = cells?.(shown, context, nowMs) ?? shown.map((item) => cellText(text(item, context)))
    return summary === undefined ? [...made] : [...made, summary[key] ?? '']
  }
  const toneAt = (row: number) => {
    const item = shown[row]
    if (item === undefined) return 'title'
    return typeof tone === 'function' ? tone(item, context) : (tone ?? 'text')
  }
  type Shorter = NonNullable<ListColumn<Item, Context>['shorter']>
  const shorterOf = ({ head, cells, shorter, ...rest }: Shorter): NonNullable<TableColumn['shorter']> => ({
    ...rest,
    ...(head === undefined ? {} : { head: head + mark }),
    ...(cells === undefined ? {} : { cells: cellsOf(cells) }),
    ...(shorter === undefined ? {} : { shorter: shorterOf(shorter) }),
  })
  return {
    head: column.head + mark,
    cells: cellsOf(column.cells),
    align: column.align,
    tone: toneAt,
    // The order of the rows would be a riddle without the column it comes from.
    rank: isSorted ? 0 : column.rank,
    ...(column.shorter === undefined ? {} : { shorter: shorterOf(column.shorter) }),
    ...(column.isFlexible === undefined ? {} : { isFlexible: column.isFlexible }),
    ...(column.wholeUpTo === undefined ? {} : { wholeUpTo: column.wholeUpTo }),
  }
}

/**
 * The names of the columns, a line for each row shown, `>` before the chosen one, and the summary where there is one.
 */
export function drawnRows<Item, Context>(drawn: DrawnRows<Item, Context>): Row[] {
  const { table, shown, view, width } = drawn
  const visible = table.columns.filter(({ key }) => !view.hiddenColumns.includes(key))
  const columns = visible.map((column) => drawnColumn(column, drawn))
  const { head, rows } = tableRows(columns, width - 1)
  const marked = rows.map((row, index): Row => {
    const item = shown[index]
    return [cursorMark(item !== undefined && table.keyOf(item) === view.selectedKey), ...row]
  })
  return [[span(' '), ...head], ...marked]
}
