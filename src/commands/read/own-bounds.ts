import type { ExchangeClient } from '../../api/exchange-client.ts'
import { errorCode } from '../../base/error-text.ts'
import { type Account, accountJournalFolder } from '../../desk/account-folder.ts'
import { draftsOf } from '../../desk/own-drafts.ts'
import { type OrderBounds, orderBounds } from '../../domain/orders/beyond-order.ts'
import type { Order } from '../../domain/orders/order.ts'
import { noOwnDrafts, type OwnDrafts } from '../../domain/orders/own-draft.ts'
import { JournalError } from '../../journal/entry.ts'
import { FolderReader } from '../../journal/folder-reader.ts'
import { fetchAllWorking, type OrderListClient, orderPageMax } from '../../services/orders/order-pages.ts'

/**
 * What fills of an account can sum to, for its reports: of the orders that work, and of the newest that traded, by what
 * the exchange reports of them and by what was asked for. Of older ones nothing is told, as in the desk. Throws
 * `ExchangeError`.
 */
export async function readBounds(
  client: OrderListClient & Pick<ExchangeClient, 'fetchTrades'>,
  account: Account,
  signal: AbortSignal,
): Promise<OrderBounds> {
  const working = await fetchAllWorking(client, signal)
  const traded = await client.fetchTrades({ limit: orderPageMax }, signal)
  const orders = [...working.orders.values(), ...traded.entries]
  return orderBounds(orders, await draftsIn(account, orders))
}

/**
 * What was asked for in these orders, as the account's journal has it; where it cannot be read, what the exchange
 * reports of them has to do.
 */
async function draftsIn(account: Account, orders: readonly Order[]): Promise<OwnDrafts> {
  const keys = orders.map(({ clientOrderId }) => ({ kind: 'order' as const, id: clientOrderId }))
  try {
    return draftsOf((await new FolderReader(accountJournalFolder(account)).find(keys)).entries.all())
  } catch (error) {
    if (error instanceof JournalError || errorCode(error) !== '') return noOwnDrafts
    throw error
  }
}
