import type { DeskStore } from '../../store/context.ts'
import type { DeskState } from '../../store/desk.ts'
import { handsOffMs } from '../../store/ladder/ladders.ts'
import { listInFocus, paneOfList } from '../../store/tables/table-commands.ts'
import { type ListPane, listPanes, type TableView } from '../../store/tables/tables.ts'
import { isTooSmall } from '../layout.ts'
import { sourceOf } from './list-panes.ts'
import { listRowCount } from './list-room.ts'
import { returnedToHead } from './list-window.ts'

/** What is to change in the views of lists that nobody has moved in for as long as a ladder stays where it was put. */
export function idleLists(state: DeskState): { pane: ListPane; change: Partial<TableView> }[] {
  const { overlay, move, picture, tables, nowMs, lastKeyAtMs, screen } = state
  // Whoever reads a row, moves an order or froze the screen looks at a list that stays; a page for a small screen has
  // no list.
  if (overlay !== null || move !== null || picture.kind === 'frozen' || isTooSmall(screen)) return []
  const focused = listInFocus(state)
  return listPanes.flatMap((pane) => {
    const view = tables.views[pane]
    if (tables.typing === pane || (view.top === null && view.selectedKey === null)) return []
    // Any key may belong to what a person does in the list that has the keys.
    const handAtMs = pane === focused ? Math.max(view.touchedAtMs, lastKeyAtMs) : view.touchedAtMs
    const source = sourceOf(pane)
    if (source === undefined || nowMs - handAtMs < handsOffMs) return []
    const change = returnedToHead(source.keys(state), view, source.lineCount(listRowCount(state, paneOfList(pane))))
    return change === null ? [] : [{ pane, change }]
  })
}

/** Takes every idle list back to its first rows, until the returned function is called. */
export const followIdleLists = (store: DeskStore): (() => void) =>
  store.subscribe((state, before) => {
    if (state.nowMs === before.nowMs) return
    for (const { pane, change } of idleLists(state)) store.dispatch({ type: 'tableChanged', pane, change })
  })
