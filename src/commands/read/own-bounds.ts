import { errorCode } from '../../base/error-text.ts'
import { type Account, accountJournalFolder } from '../../desk/account-folder.ts'
import { draftsOf } from '../../desk/own-drafts.ts'
import type { OrderBounds } from '../../domain/orders/beyond-order.ts'
import type { Order } from '../../domain/orders/order.ts'
import { noOwnDrafts, type OwnDrafts } from '../../domain/orders/own-draft.ts'
import { JournalError } from '../../journal/entry.ts'
import { FolderReader } from '../../journal/folder-reader.ts'
import { type BoundsClient, fetchBounds } from '../../services/orders/fetch-bounds.ts'

/** What an account's orders hold, for its reports. Throws `ExchangeError`. */
export const readBounds = (client: BoundsClient, account: Account, signal: AbortSignal): Promise<OrderBounds> =>
  fetchBounds(client, draftsIn(account), signal)

/**
 * What was asked for in these orders, as the account's journal has it; where it cannot be read, what the exchange
 * reports of them has to do.
 */
const draftsIn =
  (account: Account) =>
  async (orders: readonly Order[]): Promise<OwnDrafts> => {
    const keys = orders.map(({ clientOrderId }) => ({ kind: 'order' as const, id: clientOrderId }))
    try {
      return draftsOf((await new FolderReader(accountJournalFolder(account)).find(keys)).entries.all())
    } catch (error) {
      if (error instanceof JournalError || errorCode(error) !== '') return noOwnDrafts
      throw error
    }
  }
