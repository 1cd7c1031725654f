import type { ListPane, TablesState, TableView } from './table-view.ts'

/** What a person does with a list. */
export type TablesEvent =
  | { type: 'tableChanged'; pane: ListPane; change: Partial<TableView> }
  | { type: 'filterTyping'; pane: ListPane | null }

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
  }
}
