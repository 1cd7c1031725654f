import type { CommandContext } from '../command-context.ts'
import { type TransferList, transferListAfter } from './transfer-list.ts'

/** What a person may do between the lists of the transfers pane. */
export type TransferListCommands = {
  /** Goes to the transfers pane with this list in front. */
  showTransferList(list: TransferList): void
  /** The next list, or the one before. */
  walkTransferLists(step: 1 | -1): void
}

export function createTransferListCommands({ store }: CommandContext): TransferListCommands {
  const choose = (list: TransferList) => store.dispatch({ type: 'transferListChosen', list })
  return {
    showTransferList(list) {
      choose(list)
      store.dispatch({ type: 'paneFocused', pane: 'transfers' })
    },
    walkTransferLists: (step) => choose(transferListAfter(store.getState().transferList, step)),
  }
}
