import type { ListPane } from '../../store/tables/tables.ts'
import { type PaneName, paneOfList, paneRow, paneTable } from '../../store/view/panes.ts'

/** `1 Ladder`: how titles and tabs name a pane. */
export function paneTitle(name: PaneName): string {
  const { digit, title } = paneRow(name)
  return `${digit} ${title}`
}

/** `4 Bal`: the same where there is little room. */
export function shortTitle(name: PaneName): string {
  const { digit, title, short } = paneRow(name)
  return `${digit} ${short ?? title}`
}

/** `2 Orders`, and where one of several lists of a pane is meant `5 Transfers, deposits`. */
export const listTitle = (list: ListPane): string => {
  const pane = paneOfList(list)
  return pane === list ? paneTitle(pane) : `${paneTitle(pane)}, ${list}`
}

/** The pane `step` places on from `name`, round and round; the second ladder is passed over where there is none. */
export function paneAfter(name: PaneName, step: 1 | -1, hasSecondLadder = false): PaneName {
  const panes = paneTable.filter(({ pane }) => pane !== 'ladder2' || hasSecondLadder)
  const at = panes.findIndex(({ pane }) => pane === name)
  return panes.at((at + step) % panes.length)?.pane ?? name
}
