import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Order, OrderStatus } from '../../domain/order.ts'
import { fetchAllWorking } from '../working-orders.ts'

export type FindOrdersClient = Pick<ExchangeClient, 'fetchOrders' | 'fetchOrderPage'>

const pageSize = 100
const endedStatuses: readonly OrderStatus[] = ['FILLED', 'CANCELED', 'EXPIRED', 'REJECTED']

/**
 * Looks for orders by their client order ids, wherever the exchange may list them: among the working ones, then the ended ones of
 * each status, then what the matching engine itself reports; every page of each, as far back as `sinceMs` by the exchange's time.
 * The search ends as soon as all are found. An id that is missing in the result was looked for everywhere. Throws `ExchangeError`
 * when a call fails: then nothing can be said about what was not found.
 */
export async function findOrders(
  client: FindOrdersClient,
  clientOrderIds: ReadonlySet<string>,
  sinceMs: number,
  signal: AbortSignal,
): Promise<Map<string, Order>> {
  const found = new Map<string, Order>()
  const take = (orders: Iterable<Order>): boolean => {
    for (const order of orders) if (clientOrderIds.has(order.clientOrderId)) found.set(order.clientOrderId, order)
    return found.size === clientOrderIds.size
  }
  if (take((await fetchAllWorking(client, signal)).values())) return found
  for (const status of endedStatuses) {
    if (await walkEnded(client, status, sinceMs, take, signal)) return found
  }
  await walkEngine(client, sinceMs, take, signal)
  return found
}

/** Pages back through the orders of one status, newest first. True when `take` has had enough. */
async function walkEnded(
  client: FindOrdersClient,
  status: OrderStatus,
  fromMs: number,
  take: (orders: readonly Order[]) => boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const seen = new Set<string>()
  let toMs: number | undefined
  for (;;) {
    const query = { status, fromMs, limit: pageSize, ...(toMs === undefined ? {} : { toMs }) }
    const page: readonly Order[] = await client.fetchOrders(query, signal)
    if (take(page)) return true
    const before = seen.size
    for (const { orderId, clientOrderId } of page) seen.add(orderId ?? clientOrderId)
    const oldestMs = page.at(-1)?.timestampMs ?? null
    // Ties in time are asked for again. More of them than fit a page cannot be walked past: the engine's list has them by id.
    if (page.length < pageSize || seen.size === before || oldestMs === null) return false
    toMs = oldestMs
  }
}

/** Pages forward by id through everything since then, until a page is empty. */
async function walkEngine(
  client: FindOrdersClient,
  fromMs: number,
  take: (orders: readonly Order[]) => boolean,
  signal: AbortSignal,
): Promise<void> {
  let orderId: string | null = null
  for (;;) {
    const page = await client.fetchOrderPage({ fromMs, ...(orderId === null ? {} : { orderId }) }, signal)
    if (take(page.orders) || page.orders.length === 0 || page.nextOrderId === orderId) return
    orderId = page.nextOrderId
  }
}
