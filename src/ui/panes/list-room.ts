import type { DeskState, DeskStore } from '../../store/desk.ts'
import { handsOffMs } from '../../store/ladder/ladder.ts'
import { listInFocus } from '../../store/tables/table-commands.ts'
import { type ListPane, listPanes } from '../../store/view/lists.ts'
import { type PaneName, paneOfList } from '../../store/view/panes.ts'
import { sourceOf } from '../tables/list-registry.ts'
import type { ListSource } from '../tables/list-source.ts'
import { arrangementOf, isTooSmall, layoutFor, shownIn, slotsOf } from './layout/layout.ts'

/** The room inside the frame of the place that shows the pane now; null where it is not on screen. */
export function shownSizeOf(state: DeskState, pane: PaneName): { width: number; height: number } | null {
  const layout = layoutFor(state.screen.columns, state.screen.rows, arrangementOf(state))
  if (layout.kind === 'tooSmall') return null
  const slot = slotsOf(layout.bands).find((each) => shownIn(each) === pane)
  return slot === undefined ? null : { width: slot.width - 2, height: slot.height - 2 }
}

const listRowCount = (state: DeskState, pane: PaneName): number => Math.max(1, shownSizeOf(state, pane)?.height ?? 1)

/** The list the keys go to, with the lines that its pane has for rows just now; null on a pane without one. */
export function focusedList(state: DeskState): { pane: ListPane; source: ListSource; lineCount: number } | null {
  const pane = listInFocus(state)
  if (pane === null) return null
  const source = sourceOf(pane)
  return { pane, source, lineCount: source.lineCount(listRowCount(state, paneOfList(pane))) }
}

/**
 * Lists away from their head, or with a chosen row, that nobody has moved in for as long as a ladder stays where it was
 * put. A row that was chosen long ago is none that a key should act on, on screen or not.
 */
function idleLists(state: DeskState): ListPane[] {
  const { overlay, move, picture, tables, nowMs, lastKeyAtMs } = state
  // Whoever reads a row, moves an order or froze the screen looks at a list that stays; a page for a small screen has
  // no list.
  if (overlay !== null || move !== null || picture.kind === 'frozen' || isTooSmall(state)) return []
  const focused = listInFocus(state)
  return listPanes.filter((pane) => {
    const view = tables.views[pane]
    if (tables.typing === pane || tables.sorting === pane || (view.top === null && view.selectedKey === null))
      return false
    // Any key may belong to what a person does in the list that has the keys.
    const handAtMs = pane === focused ? Math.max(view.touchedAtMs, lastKeyAtMs) : view.touchedAtMs
    return nowMs - handAtMs >= handsOffMs
  })
}

/** Takes every idle list back to its first rows, none of them chosen, until the returned function is called. */
export const followIdleLists = (store: DeskStore): (() => void) =>
  store.subscribe((state, before) => {
    if (state.nowMs === before.nowMs) return
    const change = { selectedKey: null, top: null }
    for (const pane of idleLists(state)) store.dispatch({ type: 'tableChanged', pane, change })
  })
