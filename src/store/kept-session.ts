import { type KeptSession, type KeptTable, layoutNames } from '../domain/desk/session.ts'
import { themeNamesOf } from './looks.ts'
import type { DeskState } from './state.ts'
import { listPanes, type TablesState } from './tables/table-view.ts'
import { initialView } from './view.ts'

export type SessionEvent =
  | { type: 'sessionRestored'; session: KeptSession }
  /** Back to how a desk starts that never was used; the mode and what is typed stay. */
  | { type: 'sessionReset' }

/** What a session is made of: while these are the same there is nothing new to keep. */
export const sessionParts = (state: DeskState): readonly unknown[] => [
  state.view,
  state.symbol,
  state.symbol2,
  state.ladder.groupTicks,
  state.ladder2.groupTicks,
  state.looks.theme,
  state.tables.views,
]

/** How the desk is looked at just now. */
export function keptSession(state: DeskState): KeptSession {
  const { view, symbol, symbol2, ladder, ladder2, looks, tables } = state
  const kept = listPanes.map((pane): [string, KeptTable] => {
    const { sort, hiddenColumns } = tables.views[pane]
    return [pane, { sort, hiddenColumns }]
  })
  return {
    ...view,
    symbol,
    symbol2,
    groupTicks: ladder.groupTicks,
    groupTicks2: ladder2.groupTicks,
    theme: looks.theme,
    tables: Object.fromEntries(kept),
  }
}

function withTables(tables: TablesState, kept: KeptSession['tables']): TablesState {
  const views = { ...tables.views }
  for (const pane of listPanes) {
    const table = kept[pane]
    if (table !== undefined) views[pane] = { ...views[pane], ...table }
  }
  return { ...tables, views }
}

function restored(state: DeskState, session: KeptSession): DeskState {
  const layout = layoutNames.find((name) => name === session.layout) ?? state.view.layout
  const isKnownTheme = themeNamesOf(state.looks).includes(session.theme)
  return {
    ...state,
    view: { layout, isZoomed: session.isZoomed },
    symbol2: session.symbol2 === state.symbol ? null : session.symbol2,
    ladder: { ...state.ladder, groupTicks: session.groupTicks },
    ladder2: { ...state.ladder2, groupTicks: session.groupTicks2 },
    looks: isKnownTheme ? { ...state.looks, theme: session.theme } : state.looks,
    tables: withTables(state.tables, session.tables),
  }
}

function reset(state: DeskState): DeskState {
  const plain = Object.fromEntries(listPanes.map((pane) => [pane, { sort: null, hiddenColumns: [] }]))
  return { ...state, view: initialView, tables: withTables(state.tables, plain) }
}

export const reduceKeptSession = (state: DeskState, event: SessionEvent): DeskState =>
  event.type === 'sessionRestored' ? restored(state, event.session) : reset(state)
