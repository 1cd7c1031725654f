import { ExchangeError, isNotFound } from '../../api/errors.ts'
import type { UnreadableEntry } from '../../domain/listing.ts'
import type { Order, OrderStatus } from '../../domain/orders/order.ts'
import {
  type OrderListClient,
  type OrderSource,
  OrderWalk,
  ordersSource,
  pagesMax,
  walkEngineOrders,
  workingSource,
} from './order-pages.ts'

/** REJECTED comes last: a refused copy of an order bears the same client order id as the order that is there. */
const endedStatuses: readonly OrderStatus[] = ['FILLED', 'CANCELED', 'EXPIRED', 'REJECTED']

export type FoundOrders = {
  /** By client order id. One that is there counts before a refused copy of it. */
  orders: ReadonlyMap<string, Order>
  /**
   * Further orders under the same client order id, none of them a refused copy: the exchange got the order more than
   * once.
   */
  others: ReadonlyMap<string, readonly Order[]>
  /**
   * Entries that cannot be read and bear one of the ids, or none that could be read: what is not found may be among
   * them.
   */
  unreadable: readonly UnreadableEntry[]
  /** False where a list did not come to its end: what is not found may be behind it. */
  isWhole: boolean
}

/**
 * An order is looked for this far back before it was sent: ids are unique, so that far costs little and finds no wrong
 * one.
 */
const lookBackMs = 120_000

/**
 * From when on, by the exchange's time, an order is looked for that was sent at `sentAtMs` by the wall clock or later;
 * `skewMs` is how far the exchange's clock is ahead, null while that is not known: only one that is behind counts, as
 * looking too far back does no harm.
 */
export const ordersSinceMs = (sentAtMs: number, skewMs: number | null): number =>
  Math.max(0, sentAtMs + Math.min(0, skewMs ?? 0) - lookBackMs)

/**
 * Looks for orders by their client order ids, wherever the exchange may list them: among the working ones, then the
 * ended ones of each status, then what the matching engine itself reports; every page of each, as far back as `sinceMs`
 * by the exchange's time. The search ends as soon as all are found as something else than rejected. An id that is
 * missing in the result was looked for everywhere; with `standing` everywhere but among the rejected ones, and in the
 * engine's list as far as it may be read. Throws `ExchangeError` when a call fails: then nothing can be said about what
 * was not found.
 */
export async function findOrders(
  client: OrderListClient,
  clientOrderIds: ReadonlySet<string>,
  sinceMs: number,
  signal: AbortSignal,
  among: 'all' | 'standing' = 'all',
): Promise<FoundOrders> {
  const search = new Search(clientOrderIds)
  await search.walk(workingSource(client, signal))
  for (const status of endedStatuses) {
    if (search.isOver || (among === 'standing' && status === 'REJECTED')) break
    const isAsked = (order: Order) => order.status === status
    await search.walk(ordersSource(client, { status, fromMs: sinceMs }, isAsked, signal))
  }
  if (search.isOver) return search.found()
  try {
    const engine = await walkEngineOrders(client, { fromMs: sinceMs }, signal, (orders) => search.take(orders))
    search.takeUnreadable(engine.unreadable)
    if (!engine.isWhole) search.cutOff()
  } catch (error) {
    if (among === 'all' || !isNotOffered(error)) throw error
  }
  return search.found()
}

/** An exchange need not let every key read what its engine reports. */
const isNotOffered = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ExchangeError && error.kind === 'unauthorized')

class Search {
  readonly #ids: ReadonlySet<string>
  readonly #orders = new Map<string, Order>()
  readonly #others = new Map<string, readonly Order[]>()
  readonly #unreadable: UnreadableEntry[] = []
  #isWhole = true

  constructor(ids: ReadonlySet<string>) {
    this.#ids = ids
  }

  get isOver(): boolean {
    return [...this.#ids].every((id) => {
      const order = this.#orders.get(id)
      return order !== undefined && order.status !== 'REJECTED'
    })
  }

  async walk(source: OrderSource): Promise<void> {
    // Of its orders only those that are looked for are kept: its pages alone are bounded.
    const walk = new OrderWalk(source, { pages: pagesMax })
    for (let isLast = false; !isLast; ) {
      const { fresh, isEnd } = await walk.next()
      isLast = this.take(fresh) || isEnd
    }
    if (!this.isOver && !walk.isWhole) this.cutOff()
    this.takeUnreadable(walk.unreadable)
  }

  /** A list did not come to its end. */
  cutOff(): void {
    this.#isWhole = false
  }

  /** True when nothing is left to look for. */
  take(orders: readonly Order[]): boolean {
    for (const order of orders) {
      const { clientOrderId, status } = order
      if (!this.#ids.has(clientOrderId)) continue
      const before = this.#orders.get(clientOrderId)
      const isOther = before !== undefined && before.status !== 'REJECTED' && before.orderId !== order.orderId
      if (isOther && status !== 'REJECTED')
        this.#others.set(clientOrderId, [...(this.#others.get(clientOrderId) ?? []), order])
      else if (status !== 'REJECTED' || !this.#orders.has(clientOrderId)) this.#orders.set(clientOrderId, order)
    }
    return this.isOver
  }

  takeUnreadable(entries: readonly UnreadableEntry[]): void {
    const mayBeSought = ({ fields: { clOrdId } }: UnreadableEntry) => clOrdId === undefined || this.#ids.has(clOrdId)
    this.#unreadable.push(...entries.filter(mayBeSought))
  }

  found(): FoundOrders {
    return { orders: this.#orders, others: this.#others, unreadable: this.#unreadable, isWhole: this.#isWhole }
  }
}
