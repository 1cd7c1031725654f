import type { ExchangeClient } from '../../api/exchange-client.ts'
import { type OrderBounds, orderBounds } from '../../domain/orders/beyond-order.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { OwnDrafts } from '../../domain/orders/own-draft.ts'
import { fetchAllWorking, type OrderListClient, orderPageMax } from './order-pages.ts'

export type BoundsClient = OrderListClient & Pick<ExchangeClient, 'fetchTrades'>

/**
 * What fills can sum to: of the orders that work, and of the newest that traded, by what the exchange reports of them
 * and by what `draftsOf` knows was asked for. Of older ones nothing is told, as in the desk. Throws `ExchangeError`.
 */
export async function fetchBounds(
  client: BoundsClient,
  draftsOf: (orders: readonly Order[]) => Promise<OwnDrafts>,
  signal: AbortSignal,
): Promise<OrderBounds> {
  const working = await fetchAllWorking(client, signal)
  const traded = await client.fetchTrades({ limit: orderPageMax }, signal)
  const orders = [...working.orders.values(), ...traded.entries]
  return orderBounds(orders, await draftsOf(orders))
}
