import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type Account, accountJournalFolder } from '../../desk/account/account-folder.ts'
import { draftsOf } from '../../desk/wiring/own-drafts.ts'
import { type OrderBounds, orderBounds } from '../../domain/orders/beyond-order.ts'
import type { Order } from '../../domain/orders/order.ts'
import { noOwnDrafts, type OwnDrafts } from '../../domain/orders/own-draft.ts'
import { JournalError } from '../../journal/entry.ts'
import { isOfDisk } from '../../journal/files.ts'
import { FolderReader } from '../../journal/folder-reader.ts'
import { fetchAllWorking, type OrderListClient, orderPageMax } from '../../services/orders/order-pages.ts'

/**
 * The maximum fills of an account's orders, for its reports: for working orders and the newest traded ones, from the
 * exchange's report and the sent terms. Nothing about older ones, as in the desk. Throws `ExchangeError`.
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
 * The sent terms of these orders, from the account's journal; none if that is unreadable, so that the exchange's
 * reports must suffice.
 */
async function draftsIn(account: Account, orders: readonly Order[]): Promise<OwnDrafts> {
  const keys = orders.map(({ clientOrderId }) => ({ kind: 'order' as const, id: clientOrderId }))
  try {
    return draftsOf((await new FolderReader(accountJournalFolder(account)).find(keys)).entries.all())
  } catch (error) {
    if (error instanceof JournalError || isOfDisk(error)) return noOwnDrafts
    throw error
  }
}
