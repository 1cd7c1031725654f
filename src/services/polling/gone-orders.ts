import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Order } from '../../domain/orders/order.ts'
import { findOrders, ordersSinceMs } from '../orders/find-orders.ts'
import { canceledReports, engineReports } from '../orders/many-reports.ts'
import { type OrderListClient, orderPageMax } from '../orders/order-pages.ts'

export type GoneOrdersClient = OrderListClient & Pick<ExchangeClient, 'fetchOrder'>

/** After a mass cancel the ends of many orders are asked for over several polls, with so many calls in each at most. */
const lookUpsMax = 20
/** Of those calls so many are for pages that tell of a hundred each. */
const pagesMax = 10
/** So many of them are for orders that an answer left where they were: such an answer may stay so for ever. */
const againMax = 2
/** What was seen of an order: its report; nothing readable; the exchange has no such order; no answer. */
export type Looked = Order | 'unknown' | 'vanished' | 'silent'

/**
 * What became of orders that are gone from the list, as far as `lookUpsMax` calls tell: of many by pages first, the
 * others one by one, up to a call that fails; of those looked for `again` only a few. Throws once `signal` is aborted.
 */
export async function lookUpGone(
  client: GoneOrdersClient,
  { anew, again }: { anew: readonly Order[]; again: readonly Order[] },
  signal: AbortSignal,
): Promise<ReadonlyMap<Order, Looked>> {
  const seen = new Map<Order, Looked>()
  const gone = [...anew, ...again]
  const calls = gone.length > lookUpsMax ? await lookUpByPages(client, gone, seen, signal) : 0
  const left = (orders: readonly Order[]) => orders.filter((order) => !seen.has(order))
  const singles = [...left(anew), ...left(again).slice(0, againMax)].slice(0, lookUpsMax - calls)
  for (const order of singles) {
    const looked = await lookUp(client, order, signal)
    seen.set(order, looked)
    // The list was read: one order of which the exchange does not tell must not keep the others from being told.
    if (looked === 'silent') break
  }
  return seen
}

/**
 * Adds to `seen` what pages tell; resolves with how many calls that took, `pagesMax` at most. A list that fails tells
 * no more: the working orders were read, and are told whatever becomes of those that are gone.
 */
async function lookUpByPages(
  client: GoneOrdersClient,
  gone: readonly Order[],
  seen: Map<Order, Looked>,
  signal: AbortSignal,
): Promise<number> {
  const some = gone.slice(0, pagesMax * orderPageMax)
  const byId = new Map(some.flatMap((order) => (order.orderId === null ? [] : [[order.orderId, order] as const])))
  let calls = 0
  const take = async (pages: AsyncIterable<readonly Order[]>) => {
    try {
      for await (const reports of pages) {
        for (const report of reports) {
          const order = byId.get(report.orderId ?? '')
          if (order !== undefined) seen.set(order, ownReport(order, report))
        }
        calls += 1
        if (calls >= pagesMax) return
      }
    } catch (error) {
      if (!(error instanceof ExchangeError) || signal.aborted) throw error
    }
    // The page that told of too few, or failed.
    calls += 1
  }
  await take(engineReports(client, [...byId.keys()], signal))
  if (seen.size === 0) await take(canceledReports(client, some, signal))
  return calls
}

const ownReport = ({ clientOrderId }: Order, report: Order): Order | 'unknown' =>
  report.clientOrderId === clientOrderId ? report : 'unknown'

/**
 * What became of an order that is gone from the list. `unknown` where the answer is about something else or cannot be
 * read: it stays as last seen. `silent` where the exchange does not tell. Throws once `signal` is aborted.
 */
async function lookUp(client: GoneOrdersClient, sought: Order, signal: AbortSignal): Promise<Looked> {
  const { orderId, clientOrderId, timestampMs } = sought
  try {
    if (orderId !== null) return ownReport(sought, await client.fetchOrder(orderId, signal))
    const since = ordersSinceMs(timestampMs ?? 0, null)
    const { orders } = await findOrders(client, new Set([clientOrderId]), since, signal)
    return orders.get(clientOrderId) ?? 'unknown'
  } catch (error) {
    if (isNotFound(error)) return 'vanished'
    if (!(error instanceof ExchangeError) || signal.aborted) throw error
    return error.kind === 'protocol' ? 'unknown' : 'silent'
  }
}
