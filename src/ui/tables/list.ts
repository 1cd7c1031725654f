import type { TableView } from '../../store/tables/table-view.ts'
import { cellText } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { filterRows } from './filter-rows.ts'
import { drawnRows } from './list-rows.ts'
import type { ListTable } from './list-table.ts'
import { type ListKeys, type ListWindow, listWindow } from './list-window.ts'
import { rememberLast } from './remember.ts'
import { sortRows } from './sort-rows.ts'

/** The rows as they are looked at: pinned ones first, then what the filter leaves, sorted. */
export type OrderedRows<Item> = ListKeys & {
  rows: readonly Item[]
  /** Rows without the pinned ones, before and after the filter. */
  total: number
  left: number
}

/** What a list pane draws. The same object comes back while what it was made from is the same. */
export type DrawnList = {
  /** For the pane's title: the filter, and how much it leaves. */
  note: Row
  /** For the lower border: how many rows follow below. */
  foot: Row
  rows: readonly Row[]
}

/** Everything a picture of a list depends on. `rowCount` is the room inside the frame, the line of heads included. */
export type ListPicture<Item, Context> = {
  /** The same array while the rows are the same. */
  items: readonly Item[]
  context: Context
  view: TableView
  /** True while the filter is being typed. */
  isTyping: boolean
  width: number
  rowCount: number
  nowMs: number
}

/** A list with its memory: asked again about the same data and view it does no work. */
export type List<Item, Context> = {
  table: ListTable<Item, Context>
  ordered(items: readonly Item[], context: Context, view: Pick<TableView, 'sort' | 'filter'>): OrderedRows<Item>
  draw(picture: ListPicture<Item, Context>): DrawnList
  /** Lines for rows in a pane with `rowCount` lines inside its frame. */
  lineCount(rowCount: number): number
}

/** Makes a list of a table; one for each table, because each remembers its last picture. */
export function createList<Item, Context>(table: ListTable<Item, Context>): List<Item, Context> {
  const fixedLines = table.summary === undefined ? 1 : 2
  const lineCount = (rowCount: number) => Math.max(1, rowCount - fixedLines)

  const order = rememberLast(
    (items: readonly Item[], context: Context, sort: TableView['sort'], filter: string): OrderedRows<Item> => {
      const isPinned = table.isPinned ?? (() => false)
      const pinned = items.filter(isPinned)
      const others = pinned.length === 0 ? items : items.filter((item) => !isPinned(item))
      const left = filterRows(table, others, context, filter)
      const rows = [...pinned, ...sortRows(table, left, context, sort)]
      const keys = rows.map((item) => table.keyOf(item))
      return { rows, keys, pinnedCount: pinned.length, total: others.length, left: left.length }
    },
  )
  const picture = rememberLast(
    (
      ordered: OrderedRows<Item>,
      context: Context,
      view: TableView,
      isTyping: boolean,
      width: number,
      rowCount: number,
      nowMs: number,
    ): DrawnList => {
      const window = listWindow(ordered, view, lineCount(rowCount))
      const { rows: all } = ordered
      const shown = [...all.slice(0, window.pinned), ...all.slice(window.start, window.end)]
      const rows = drawnRows({ table, shown, all, context, view, nowMs, width })
      return { note: filterNote(ordered, view.filter, isTyping), foot: belowNote(ordered, window), rows }
    },
  )
  return {
    table,
    ordered: (items, context, { sort, filter }) => order(items, context, sort, filter),
    draw: ({ items, context, view, isTyping, width, rowCount, nowMs }) =>
      picture(order(items, context, view.sort, view.filter), context, view, isTyping, width, rowCount, nowMs),
    lineCount,
  }
}

/** The filter as it is typed or as it holds, with what it leaves; nothing without one. */
function filterNote({ left, total }: OrderedRows<unknown>, filter: string, isTyping: boolean): Row {
  const count = span(`  ${left} of ${total}`, 'label')
  if (isTyping) return [span('  /', 'key'), span(`${cellText(filter)}_`, 'cursor'), count]
  return filter === '' ? [] : [count, span(' with ', 'label'), span(`"${cellText(filter)}"`, 'warn')]
}

function belowNote({ rows }: OrderedRows<unknown>, { pinned, start, end }: ListWindow): Row {
  const above = start - pinned
  const below = rows.length - end
  const texts = [...(above > 0 ? [`${above} above`] : []), ...(below > 0 ? [`${below} more below`] : [])]
  return texts.length === 0 ? [] : [span(texts.join(', '), 'label')]
}
