import { type ListPane, listPanes } from '../view/lists.ts'

/** The column sorted by, by its key, and which way: `up` has the smallest on top. */
export type TableSort = { column: string; direction: 'up' | 'down' }

/**
 * The row that stands on top of what is on screen, by its own key; `at` is where it stood in the list, which is where
 * the picture stays when the row itself is gone. Rows that arrive above it do not move it.
 */
export type TopRow = { key: string; at: number }

/** How one list is looked at. It says nothing about the rows themselves, so new data never changes it. */
export type TableView = {
  /** The chosen row by its own key; null while none is, and it may name a row that is gone or filtered out. */
  selectedKey: string | null
  /** Null: the first row, whichever it is. */
  top: TopRow | null
  /** Null: the list's own order. */
  sort: TableSort | null
  /** As it was typed: words that must all be there, `column:text` looks in one column; empty: everything. */
  filter: string
  /** Keys of columns that a person has hidden. */
  hiddenColumns: readonly string[]
  /** When a person last moved in the list or changed how it is looked at, in ms; 0: never. */
  touchedAtMs: number
}

export type TablesState = {
  views: Readonly<Record<ListPane, TableView>>
  /** The list whose filter is being typed. */
  typing: ListPane | null
  /** The list whose column to sort by is being chosen: its heads show their letters. */
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

/** What a person does with a list. */
export type TablesEvent =
  | { type: 'tableChanged'; pane: ListPane; change: Partial<TableView> }
  | { type: 'filterTyping'; pane: ListPane | null }
  | { type: 'sortChoosing'; pane: ListPane | null }

/** The sort after a column was named: the smallest on top, and the other way round when it is named again. */
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
/** Every field of a row; `top` is the first line on screen. */
export type DetailsOverlay = { kind: 'details'; pane: ListPane; key: string; top: number }
export type TableOverlay = ColumnsOverlay | DetailsOverlay
