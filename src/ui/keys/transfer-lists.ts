import { type Actions, type Binding, inScope } from './binding.ts'

/** What the keys do between the lists of the transfers pane: every action as what it asks of the desk. */
export const transferListsActions = {
  nextTransferList: ({ commands }) => commands.walkTransferLists(1),
  previousTransferList: ({ commands }) => commands.walkTransferLists(-1),
} satisfies Actions
export type TransferListsAction = keyof typeof transferListsActions

const transfers = inScope<TransferListsAction>('transfers')

export const transferListsKeys: readonly Binding<TransferListsAction>[] = [
  transfers(['right'], 'nextTransferList', 'out, in, whitelist', { foot: 'out/in/whitelist' }),
  transfers(['left'], 'previousTransferList', 'out, in, whitelist', { foot: 'out/in/whitelist' }),
]
