import { isGatewayList } from '../gateway/gateway-list.ts'
import type { DeskState, PaneName } from '../state.ts'
import { isListPane, type ListPane } from '../tables/table-view.ts'

/** The lists of the transfers pane, in the order a person walks them. */
export const transferLists = ['withdrawals', 'deposits', 'whitelist'] as const
export type TransferList = (typeof transferLists)[number]

export const isTransferList = (name: string): name is TransferList => transferLists.some((each) => each === name)

/** Another list of the transfers pane comes to the front. */
export type TransferListEvent = { type: 'transferListChosen'; list: TransferList }

/** The list `step` places on, round and round. */
export const transferListAfter = (list: TransferList, step: 1 | -1): TransferList =>
  transferLists.at((transferLists.indexOf(list) + step) % transferLists.length) ?? list

/** The list that keys on rows go to; null on a pane without one. */
export function listInFocus({
  focus,
  transferList,
  gateway,
}: Pick<DeskState, 'focus' | 'transferList' | 'gateway'>): ListPane | null {
  if (focus === 'transfers') return transferList
  if (focus === 'gateway') return gateway.list
  return isListPane(focus) ? focus : null
}

/** The pane that shows a list. */
export const paneOfList = (list: ListPane): PaneName =>
  isTransferList(list) ? 'transfers' : isGatewayList(list) ? 'gateway' : list
