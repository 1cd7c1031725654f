import { type ListPane, listPanes } from '../view/lists.ts'

/** The sorted column by its key, and the direction: `up` has the smallest on top. */
export type TableSort = { column: string; direction: 'up' | 'down' }

/**
 * The top visible row, by its own key; `at` is its former place in the list, where the view stays if the row is gone.
 * Rows that arrive above it do not move it.
 */
export type TopRow = { key: string; at: number }

/** The view of one list. It contains nothing of the rows themselves, so new data never changes it. */
export type TableView = {
  /** The selected row by its own key; null for none. The row may be gone or filtered out. */
  selectedKey: string | null
  /** Null: the first row, whichever it is. */
  top: TopRow | null
  /** Null: the list's own order. */
  sort: TableSort | null
  /** As typed: words that must all match, `column:text` in one column; empty for no filter. */
  filter: string
  /** Keys of columns hidden by the user. */
  hiddenColumns: readonly string[]
  /** When the user last moved in the list or changed its view, in ms; 0: never. */
  touchedAtMs: number
}

export type TablesState = {
  views: Readonly<Record<ListPane, TableView>>
  /** The list whose filter is being typed. */
  typing: ListPane | null
  /** The list whose sort column is being chosen: its headers show their letters. */
  sorting: ListPane | null
}

export const plainView: TableView = {
  selectedKey: null,
  top: null,
  sort: null,
  filter: '',
  hiddenColumns: [],
  touchedAtMs: 0,
}

export const emptyTables: TablesState = {
  views: Object.fromEntries(listPanes.map((pane) => [pane, plainView])) as Record<ListPane, TableView>,
  typing: null,
  sorting: null,
}

/** The user's changes to a list's view. */
export type TablesEvent =
  | { type: 'tableChanged'; pane: ListPane; change: Partial<TableView> }
  | { type: 'filterTyping'; pane: ListPane | null }
  | { type: 'sortChoosing'; pane: ListPane | null }

/** The sort after a column was chosen: the smallest on top, reversed when chosen again. */
export const sortedBy = (sort: TableSort | null, column: string): TableSort => ({
  column,
  direction: sort?.column === column && sort.direction === 'up' ? 'down' : 'up',
})

/** The lists' views after an event. */
export function reduceTables(tables: TablesState, event: TablesEvent): TablesState {
  switch (event.type) {
    case 'tableChanged': {
      const { pane, change } = event
      const view = { ...tables.views[pane], ...change }
      return { ...tables, views: { ...tables.views, [pane]: view } }
    }
    case 'filterTyping':
      return { ...tables, typing: event.pane }
    case 'sortChoosing':
      return tables.sorting === event.pane ? tables : { ...tables, sorting: event.pane }
  }
}

export type TablesSlice = { tables: TablesState }

export type ColumnsOverlay = { kind: 'columns'; pane: ListPane; selected: number }
/** Every field of a row; `top` is the first visible line. */
export type DetailsOverlay = { kind: 'details'; pane: ListPane; key: string; top: number }
export type TableOverlay = ColumnsOverlay | DetailsOverlay
