import type { PaneName } from '../../store/state.ts'

/** Every pane with the digit that focuses it, in the order of the digits: the order in which Tab walks them. */
export const paneTable: readonly { pane: PaneName; digit: string; title: string }[] = [
  { pane: 'ladder', digit: '1', title: 'Ladder' },
  { pane: 'orders', digit: '2', title: 'Orders' },
  { pane: 'fills', digit: '3', title: 'Fills' },
  { pane: 'balances', digit: '4', title: 'Balances' },
  { pane: 'log', digit: '7', title: 'Log' },
  { pane: 'tickers', digit: '9', title: 'Tickers' },
]

/** `1 Ladder`: how titles and tabs name a pane. */
export const paneTitle = (name: PaneName): string => {
  const entry = paneTable.find(({ pane }) => pane === name)
  return entry === undefined ? name : `${entry.digit} ${entry.title}`
}

/** The pane `step` places on from `name`, round and round. */
export function paneAfter(name: PaneName, step: 1 | -1): PaneName {
  const at = paneTable.findIndex(({ pane }) => pane === name)
  return paneTable.at((at + step) % paneTable.length)?.pane ?? name
}
