import type { DeskState, DeskStore } from '../../store/desk.ts'
import { handsOffMs } from '../../store/ladder/ladder.ts'
import { listInFocus } from '../../store/tables/table-commands.ts'
import { type ListPane, listPanes } from '../../store/view/lists.ts'
import { type PaneName, paneOfList } from '../../store/view/panes.ts'
import { sourceOf } from '../tables/list-registry.ts'
import type { ListSource } from '../tables/list-source.ts'
import { arrangementOf, isTooSmall, layoutFor, shownIn, slotsOf } from './layout/layout.ts'
import { rawRows } from './raw-rows.ts'

/** The size inside the frame of the slot that shows the pane now; null if the pane is not visible. */
export function shownSizeOf(state: DeskState, pane: PaneName): { width: number; height: number } | null {
  const layout = layoutFor(state.screen.columns, state.screen.rows, arrangementOf(state))
  if (layout.kind === 'tooSmall') return null
  const slot = slotsOf(layout.bands).find((each) => shownIn(each) === pane)
  return slot === undefined ? null : { width: slot.width - 2, height: slot.height - 2 }
}

/** The lines that a list has for rows in a frame of `height` lines inside: beneath it stand its unreadable entries. */
export function rowLines({ unreadable }: Pick<DeskState, 'unreadable'>, list: ListPane, height: number): number {
  const gaps = Object.entries(unreadable).find(([feed]) => feed === list)?.[1]
  return sourceOf(list).lineCount(Math.max(1, height - rawRows(gaps, 1).length))
}

/**
 * The list that takes the keys, with the lines its pane currently has for rows; null if the focused pane has no list.
 */
export function focusedList(state: DeskState): { pane: ListPane; source: ListSource; lineCount: number } | null {
  const pane = listInFocus(state)
  if (pane === null) return null
  const height = shownSizeOf(state, paneOfList(pane))?.height ?? 1
  return { pane, source: sourceOf(pane), lineCount: rowLines(state, pane, height) }
}

/**
 * Lists that are scrolled or have a selected row, and were untouched for as long as a ladder stays where the user put
 * it. A row selected long ago must not be acted on by a key, visible or not.
 */
function idleLists(state: DeskState): ListPane[] {
  const { overlay, move, picture, tables, nowMs, lastKeyAtMs } = state
  // While a dialog or a move is open, or the screen is frozen, the lists stay put; the page for a small screen has
  // none.
  if (overlay !== null || move !== null || picture.kind === 'frozen' || isTooSmall(state)) return []
  const focused = listInFocus(state)
  return listPanes.filter((pane) => {
    const view = tables.views[pane]
    if (tables.typing === pane || tables.sorting === pane || (view.top === null && view.selectedKey === null))
      return false
    // In the focused list, any key may be part of what the user is doing there.
    const handAtMs = pane === focused ? Math.max(view.touchedAtMs, lastKeyAtMs) : view.touchedAtMs
    return nowMs - handAtMs >= handsOffMs
  })
}

/** Resets every idle list to its first rows with no selection, until the returned function is called. */
export const followIdleLists = (store: DeskStore): (() => void) =>
  store.subscribe((state, before) => {
    if (state.nowMs === before.nowMs) return
    const change = { selectedKey: null, top: null }
    for (const pane of idleLists(state)) store.dispatch({ type: 'tableChanged', pane, change })
  })
