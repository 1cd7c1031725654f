import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import { compareIds, type Order } from '../../domain/orders/order.ts'
import { orderPageMax } from './order-pages.ts'

/** Fewer reports than this are not worth a page: asking for each order costs no more. */
const worthAPage = 2

/** The cursor right before an id; left out before the first one there is. */
const before = (orderId: string): { orderId?: string } =>
  compareIds(orderId, '1') > 0 ? { orderId: String(BigInt(orderId) - 1n) } : {}

/**
 * What the matching engine's list says of many orders, up to a page of them with each call: of orders that were placed
 * one after the other it answers for all. Ends where a page says little of them, or the list is not offered: then each
 * is asked for by its id. Throws `ExchangeError` when a call fails.
 */
export async function* engineReports(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  orderIds: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<readonly Order[], void> {
  const sought = orderIds.toSorted(compareIds)
  const wanted = new Set(sought)
  for (let at = 0; at < sought.length; ) {
    const page = await pageFrom(client, sought[at] ?? '', signal)
    const reports = page.filter(({ orderId }) => orderId !== null && wanted.has(orderId))
    if (reports.length < worthAPage) return
    yield reports
    const last = page.at(-1)?.orderId ?? null
    const begun = at
    while (last !== null && at < sought.length && compareIds(sought[at] ?? '', last) <= 0) at += 1
    if (at === begun) return
  }
}

/** The page that begins with this order; none where the list is not offered, or nobody can read it. */
async function pageFrom(
  client: Pick<ExchangeClient, 'fetchOrderPage'>,
  orderId: string,
  signal: AbortSignal,
): Promise<readonly Order[]> {
  try {
    return (await client.fetchOrderPage({ limit: orderPageMax, ...before(orderId) }, signal)).orders
  } catch (error) {
    if (isNotOffered(error)) return []
    throw error
  }
}

const notOffered: ReadonlySet<ExchangeError['kind']> = new Set(['notFound', 'rejected', 'unauthorized', 'protocol'])

/** Whether a list by id will tell nothing for now: it is not there, this key may not read it, or nobody can. */
export const isNotOffered = (error: unknown): boolean => error instanceof ExchangeError && notOffered.has(error.kind)

/**
 * What the list of canceled orders says of many: after a cancel of all it answers for most, a page with each call. Ends
 * where a page has none of them. Throws `ExchangeError`.
 */
export async function* canceledReports(
  client: Pick<ExchangeClient, 'fetchOrders'>,
  orders: readonly Order[],
  signal: AbortSignal,
): AsyncGenerator<readonly Order[], void> {
  const wanted = new Set(orders.map(({ orderId }) => orderId))
  const times = orders.flatMap(({ timestampMs }) => timestampMs ?? [])
  if (times.length === 0) return
  const fromMs = Math.min(...times)
  for (let toMs = Math.max(...times); ; ) {
    const query = { status: 'CANCELED', fromMs, toMs, limit: orderPageMax } as const
    const { entries } = await client.fetchOrders(query, signal)
    const reports = entries.filter(({ orderId, status }) => wanted.has(orderId) && status === 'CANCELED')
    if (reports.length < worthAPage) return
    yield reports
    const oldestMs = Math.min(...entries.flatMap(({ timestampMs }) => timestampMs ?? []))
    // Where one moment fills a page time leads no further.
    if (oldestMs >= toMs) return
    toMs = oldestMs
  }
}
