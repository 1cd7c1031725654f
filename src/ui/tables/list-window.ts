import type { TableView, TopRow } from '../../store/tables/tables.ts'

/** The visible part of a list: from the top, or scrolled so that the selected line is the last one. */
export function windowOf<T>(items: readonly T[], chosenAt: number, rowCount: number): readonly T[] {
  const start = Math.max(0, Math.min(chosenAt - rowCount + 1, items.length - rowCount))
  return items.slice(start, start + Math.max(0, rowCount))
}

/** A list's row keys, and how many rows at the top never scroll. */
export type ListKeys = { keys: readonly string[]; pinnedCount: number }

/** The visible rows: `pinned` rows from the top, then those from `start` to `end`, exclusive. */
export type ListWindow = { pinned: number; start: number; end: number }

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

/**
 * All pinned rows stay if at least one line is left for the others. If there are too many, the first of them keep half
 * of the lines, and the rest scroll like other rows.
 */
const pinnedShown = (pinnedCount: number, rowCount: number): number =>
  pinnedCount < rowCount ? pinnedCount : Math.floor(rowCount / 2)

/**
 * The part of a list visible in `rowCount` lines: from the view's top row, scrolled as little as needed to include the
 * selected row and to leave no line empty while there are rows for it.
 */
export function listWindow(list: ListKeys, { top, selectedKey }: TableView, rowCount: number): ListWindow {
  const { keys } = list
  const pinned = Math.min(pinnedShown(list.pinnedCount, rowCount), keys.length)
  const room = Math.max(0, rowCount - pinned)
  const topAt = top === null ? pinned : indexOr(keys, top.key, top.at)
  const last = Math.max(pinned, keys.length - room)
  const selectedAt = selectedKey === null ? -1 : keys.indexOf(selectedKey)
  const wanted = selectedAt < pinned ? topAt : clamp(topAt, selectedAt - room + 1, selectedAt)
  const start = clamp(wanted, pinned, last)
  return { pinned, start, end: Math.min(keys.length, start + room) }
}

const indexOr = (keys: readonly string[], key: string, otherwise: number): number => {
  const at = keys.indexOf(key)
  return at === -1 ? otherwise : at
}

/** A step of the selection: by a number of rows, or to one of the ends. */
export type SelectionStep = { by: number } | 'first' | 'last'

/**
 * The selected row and the top row after a step. Without a selected row in the list, a step down starts at the first
 * visible row, a step up at the last one. Null if the list is empty.
 */
export function steppedSelection(
  list: ListKeys,
  view: TableView,
  rowCount: number,
  step: SelectionStep,
): { selectedKey: string; top: TopRow | null } | null {
  const { keys } = list
  const before = listWindow(list, view, rowCount)
  const at = view.selectedKey === null ? -1 : keys.indexOf(view.selectedKey)
  const from = (by: number) => {
    if (at !== -1) return at + by
    const isAtTop = before.start === before.pinned
    return by > 0 ? (isAtTop ? 0 : before.start) : before.end - 1
  }
  const wanted = step === 'first' ? 0 : step === 'last' ? keys.length - 1 : from(step.by)
  const selectedKey = keys[clamp(wanted, 0, keys.length - 1)]
  if (selectedKey === undefined) return null
  // Scrolls the previous window as little as needed.
  const anchor = keys[before.start]
  const anchored = { ...view, selectedKey, top: anchor === undefined ? null : { key: anchor, at: before.start } }
  const after = listWindow(list, step === 'first' ? { ...anchored, top: null } : anchored, rowCount)
  return { selectedKey, top: topRow(keys, after) }
}

/** The key of the row in a visible line, counted from the first row; undefined below the last one. */
export function keyInLine(list: ListKeys, view: TableView, rowCount: number, line: number): string | undefined {
  const { pinned, start, end } = listWindow(list, view, rowCount)
  const at = line < pinned ? line : start + line - pinned
  return line < 0 || at >= end ? undefined : list.keys[at]
}

/**
 * The view after scrolling by that many rows. A selected row is deselected once it scrolls off screen: no key may act
 * on an invisible row. Null if the list is at that end already.
 */
export function scrolledView(
  list: ListKeys,
  view: TableView,
  rowCount: number,
  by: number,
): Pick<TableView, 'selectedKey' | 'top'> | null {
  const { pinned, start: before, end } = listWindow(list, view, rowCount)
  const room = end - before
  const start = clamp(before + by, pinned, Math.max(pinned, list.keys.length - room))
  if (start === before) return null
  const at = view.selectedKey === null ? -1 : list.keys.indexOf(view.selectedKey)
  const isSeen = at !== -1 && (at < pinned || (at >= start && at < start + room))
  const window = { pinned, start, end: start + room }
  return { selectedKey: isSeen ? view.selectedKey : null, top: topRow(list.keys, window) }
}

/** At the first row the window is not anchored, so that new rows show as they arrive. */
function topRow(keys: readonly string[], { start, pinned }: ListWindow): TopRow | null {
  const key = keys[start]
  return start === pinned || key === undefined ? null : { key, at: start }
}
