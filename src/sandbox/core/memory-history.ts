import type { AccountId } from './commands.ts'
import type { EndedOrdersQuery, History } from './history.ts'
import type { FillData, OrderData } from './order-data.ts'
import type { FillsQuery, OrdersAfterQuery } from './views.ts'

/** What an account keeps, both ascending by id and so by time. */
type Shelf = { orders: OrderData[]; fills: FillData[] }

/**
 * A history in memory. It keeps the newest `perAccountMax` orders and fills of each account, so that a market that
 * lives for weeks does not grow without end.
 */
export class MemoryHistory implements History {
  private readonly shelves = new Map<AccountId, Shelf>()
  private readonly perAccountMax: number

  constructor(perAccountMax = 50_000) {
    this.perAccountMax = perAccountMax
  }

  addOrder(order: OrderData): void {
    const { orders } = this.shelf(order.account)
    // Most orders end soon after they began, so their place is near the end.
    if ((orders.at(-1)?.id ?? 0) < order.id) orders.push(order)
    else
      orders.splice(
        firstIndex(orders, (other) => other.id > order.id),
        0,
        order,
      )
    this.trim(orders)
  }

  addFill(fill: FillData): void {
    const { fills } = this.shelf(fill.account)
    fills.push(fill)
    this.trim(fills)
  }

  order(account: AccountId, id: number): OrderData | undefined {
    const { orders } = this.shelf(account)
    const order = orders[firstIndex(orders, (other) => other.id >= id)]
    return order?.id === id ? order : undefined
  }

  orders(query: EndedOrdersQuery): readonly OrderData[] {
    const { symbol, statuses, fromMs = 0, hasTraded = false, limit } = query
    const { orders } = this.shelf(query.account)
    const found: OrderData[] = []
    for (let index = endIndex(orders, query.toMs) - 1; index >= 0 && found.length < limit; index--) {
      const order = orders[index]
      if (order === undefined || order.atMs < fromMs) break
      const isWanted =
        (symbol === undefined || order.symbol === symbol) &&
        (statuses === undefined || statuses.includes(order.status)) &&
        (!hasTraded || order.cumLots > 0)
      if (isWanted) found.push(order)
    }
    return found
  }

  ordersAfter({ account, afterId, fromMs = 0, limit }: OrdersAfterQuery): readonly OrderData[] {
    const { orders } = this.shelf(account)
    const from = firstIndex(orders, (order) => order.id > afterId && order.atMs >= fromMs)
    return orders.slice(from, from + limit)
  }

  fills(query: FillsQuery): readonly FillData[] {
    const { symbol, fromMs = 0, fromExecId = 0, toExecId = Number.POSITIVE_INFINITY, limit } = query
    const { fills } = this.shelf(query.account)
    const found: FillData[] = []
    const end = Math.min(
      endIndex(fills, query.toMs),
      firstIndex(fills, (fill) => fill.execId > toExecId),
    )
    for (let index = end - 1; index >= 0 && found.length < limit; index--) {
      const fill = fills[index]
      if (fill === undefined || fill.atMs < fromMs || fill.execId < fromExecId) break
      if (symbol === undefined || fill.symbol === symbol) found.push(fill)
    }
    return found
  }

  private shelf(account: AccountId): Shelf {
    const shelf = this.shelves.get(account) ?? { orders: [], fills: [] }
    this.shelves.set(account, shelf)
    return shelf
  }

  /** Drops the oldest tenth in one go, so that a single addition stays cheap. */
  private trim(items: unknown[]): void {
    if (items.length > this.perAccountMax) items.splice(0, Math.ceil(this.perAccountMax / 10))
  }
}

/** The first index whose item passes; the items that pass are all at the end. */
function firstIndex<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && !passes(item)) low = middle + 1
    else high = middle
  }
  return low
}

const endIndex = (items: readonly { atMs: number }[], toMs: number | undefined): number =>
  toMs === undefined ? items.length : firstIndex(items, (item) => item.atMs > toMs)
