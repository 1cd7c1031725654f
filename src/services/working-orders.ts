import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError } from '../api/exchange-error.ts'
import type { FeedEvent } from '../domain/desk-events.ts'
import { isSameReport, isWorking, type Order } from '../domain/order.ts'

export type WorkingOrdersClient = Pick<ExchangeClient, 'fetchOrders' | 'fetchOrder'>

/** The service's cap on one answer; a full page means that there may be more. */
const pageSize = 100
/** After a mass cancel the ends of many orders are asked for over several polls, so that a poll stays short. */
const lookUpsMost = 20

/** All working orders, newest first, page by page; ties in time are asked for again and counted once. */
export async function fetchAllWorking(
  client: Pick<WorkingOrdersClient, 'fetchOrders'>,
  signal: AbortSignal,
): Promise<Map<string, Order>> {
  const found = new Map<string, Order>()
  let toMs: number | undefined
  for (;;) {
    const page = await client.fetchOrders({ limit: pageSize, ...(toMs === undefined ? {} : { toMs }) }, signal)
    const before = found.size
    for (const order of page) if (order.orderId !== null) found.set(order.orderId, order)
    const oldestMs = page.at(-1)?.timestampMs ?? null
    // A page that brings nothing new ends the walk, also when more orders than fit a page share one millisecond.
    if (page.length < pageSize || found.size === before || oldestMs === null) return found
    toMs = oldestMs
  }
}

export type WorkingOrders = {
  /** An order that the exchange has just accepted: it is known from now on, also when a list asked for earlier lacks it. */
  watch(order: Order, atMs: number): void
  /**
   * Asks for the list, finds out what became of the orders that are gone from it, and reports both. Resolves with the list: the very one of
   * before where nothing has changed.
   */
  refresh(signal: AbortSignal): Promise<readonly Order[]>
}

/**
 * Knows the account's working orders. An order that leaves the list is looked up by its id, so that the desk can say how it
 * ended; until that is known it stays as last seen.
 */
export function createWorkingOrders(
  client: WorkingOrdersClient,
  now: () => number,
  emit: (event: FeedEvent) => void,
): WorkingOrders {
  let known = new Map<string, { order: Order; sinceMs: number }>()
  let told: readonly Order[] = []

  const lookUp = async (orderId: string, signal: AbortSignal): Promise<Order | null> => {
    try {
      return await client.fetchOrder(orderId, signal)
    } catch (error) {
      // Gone without a trace: nothing is left to show of it.
      if (error instanceof ExchangeError && error.kind === 'notFound') return null
      throw error
    }
  }

  return {
    watch(order, atMs) {
      if (order.orderId !== null && isWorking(order)) known.set(order.orderId, { order, sinceMs: atMs })
    },
    async refresh(signal) {
      const askedAtMs = now()
      const listed = await fetchAllWorking(client, signal)
      const kept = new Map([...listed].map(([orderId, order]) => [orderId, { order, sinceMs: askedAtMs }]))
      const gone = [...known].filter(([orderId, entry]) => !listed.has(orderId) && entry.sinceMs < askedAtMs)
      for (const [orderId, entry] of known) if (!listed.has(orderId)) kept.set(orderId, entry)
      const ended: Order[] = []
      for (const [orderId, entry] of gone.slice(0, lookUpsMost)) {
        const order = await lookUp(orderId, signal)
        if (order === null) kept.delete(orderId)
        else if (isWorking(order)) kept.set(orderId, { ...entry, order })
        else {
          kept.delete(orderId)
          ended.push(order)
        }
      }
      // What was accepted while the answers were under way stays known.
      for (const [orderId, entry] of known) {
        if (entry.sinceMs >= askedAtMs && !kept.has(orderId)) kept.set(orderId, entry)
      }
      known = kept
      const atMs = now()
      for (const order of ended) emit({ type: 'orderEnded', order, atMs })
      const orders = [...kept.values()].map((entry) => entry.order).toSorted(newestFirst)
      if (!isSameList(told, orders)) told = orders
      emit({ type: 'orders', orders: told, atMs })
      return told
    },
  }
}

const newestFirst = (left: Order, right: Order): number => (right.timestampMs ?? 0) - (left.timestampMs ?? 0)

const isSameList = (told: readonly Order[], orders: readonly Order[]): boolean =>
  told.length === orders.length &&
  orders.every((order, index) => {
    const before = told[index]
    return before !== undefined && before.orderId === order.orderId && isSameReport(before, order)
  })
