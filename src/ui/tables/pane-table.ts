import { paneOfList } from '../../store/tables/table-commands.ts'
import type { ListPane } from '../../store/tables/tables.ts'
import type { PaneName } from '../../store/view/view.ts'

/** Every pane with the digit that focuses it, in the order of the digits: the order in which Tab walks them. */
export const paneTable: readonly { pane: PaneName; digit: string; title: string; short?: string }[] = [
  { pane: 'ladder', digit: '1', title: 'Ladder' },
  { pane: 'ladder2', digit: '1b', title: 'Ladder' },
  { pane: 'orders', digit: '2', title: 'Orders' },
  { pane: 'fills', digit: '3', title: 'Fills' },
  { pane: 'balances', digit: '4', title: 'Balances', short: 'Bal' },
  { pane: 'transfers', digit: '5', title: 'Transfers', short: 'Transf' },
  { pane: 'gateway', digit: '6', title: 'Gateway', short: 'Gate' },
  { pane: 'log', digit: '7', title: 'Log' },
  { pane: 'chart', digit: '8', title: 'Chart' },
  { pane: 'tickers', digit: '9', title: 'Tickers', short: 'Tick' },
  { pane: 'session', digit: '0', title: 'Session', short: 'Sess' },
]

/** `1 Ladder`: how titles and tabs name a pane. */
export const paneTitle = (name: PaneName): string => {
  const entry = paneTable.find(({ pane }) => pane === name)
  return entry === undefined ? name : `${entry.digit} ${entry.title}`
}

/** `4 Bal`: the same where there is little room. */
export const shortTitle = (name: PaneName): string => {
  const entry = paneTable.find(({ pane }) => pane === name)
  return entry === undefined ? name : `${entry.digit} ${entry.short ?? entry.title}`
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
