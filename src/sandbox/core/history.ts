import type { OrderStatus, OrderType, TimeInForce } from '../../domain/orders/order.ts'
import type { Side } from '../../domain/side.ts'
import type { AccountId } from './commands.ts'
import type { FillsQuery, OrdersAfterQuery, OrdersQuery } from './views.ts'

/** The amounts of a rejected order as sent: they may be off tick and lot. */
export type RefusedAmounts = { orderQty: string; price: string | null; stopPx: string | null }

/**
 * All data of an order, in whole ticks and lots: the source of its views, its record in the history once ended, and its
 * entry in a snapshot. Plain JSON except for `cumTickLots`.
 */
export type OrderData = {
  readonly id: number
  readonly account: AccountId
  readonly clOrdId: string
  readonly symbol: string
  readonly side: Side
  readonly ordType: OrderType
  readonly timeInForce: TimeInForce
  readonly execInst: 'ALO' | null
  /** For GTD: the first moment at which the order has expired. */
  readonly expiresAtMs: number | null
  /** Accepted or rejected at. */
  readonly atMs: number
  readonly orderLots: number
  readonly limitTicks: number | null
  readonly stopTicks: number | null
  /** Fee rates in parts per million, fixed at acceptance, so that the fee held is the highest that can be charged. */
  readonly makerPpm: number
  readonly takerPpm: number
  readonly status: OrderStatus
  /** Why it was rejected or canceled; null if its owner canceled it. */
  readonly text: string | null
  /** On an ended order: what was still open when it ended. */
  readonly openLots: number
  readonly cumLots: number
  /** Sum of ticks × lots over the fills. */
  readonly cumTickLots: bigint
  readonly lastTicks: number | null
  readonly lastLots: number | null
  /** Set on REJECTED orders only, whose lots and ticks are meaningless. */
  readonly refused: RefusedAmounts | null
}

/** One side's execution of a trade. `feeUnits` is in minor units of the counter currency. */
export type FillData = {
  readonly execId: number
  readonly tradeId: number
  readonly orderId: number
  readonly account: AccountId
  readonly symbol: string
  readonly side: Side
  readonly ticks: number
  readonly lots: number
  readonly feeUnits: bigint
  readonly atMs: number
}

/** Selects ended orders: `hasTraded` true means those with a fill. */
export type EndedOrdersQuery = OrdersQuery & { hasTraded?: boolean }

/** Whether an order matches a query, except for its account and time. */
export const isAskedFor = (
  { symbol, status, cumLots }: Pick<OrderData, 'symbol' | 'status' | 'cumLots'>,
  asked: Pick<EndedOrdersQuery, 'symbol' | 'statuses' | 'hasTraded'>,
): boolean =>
  (asked.symbol === undefined || symbol === asked.symbol) &&
  (asked.statuses === undefined || asked.statuses.includes(status)) &&
  (asked.hasTraded !== true || cumLots > 0)

/**
 * Stores ended orders and executions. Orders arrive in the order in which they ended, fills ascending by id. Added
 * items can be queried at once. The core keeps no other record of them.
 */
export interface History {
  addOrder(order: OrderData): void
  addFill(fill: FillData): void
  order(account: AccountId, id: number): OrderData | undefined
  /** Newest (highest id) first. */
  orders(query: EndedOrdersQuery): readonly OrderData[]
  /** Ascending by id, after the cursor. */
  ordersAfter(query: OrdersAfterQuery): readonly OrderData[]
  /** Newest (highest id) first. */
  fills(query: FillsQuery): readonly FillData[]
}

/** An account's items, both ascending by id and so by time. */
type Shelf = { orders: OrderData[]; fills: FillData[] }

/**
 * A history in memory. It keeps the newest `perAccountMax` orders and fills of each account, so that a market that runs
 * for weeks does not grow without bound.
 */
export class MemoryHistory implements History {
  private readonly shelves = new Map<AccountId, Shelf>()
  private readonly perAccountMax: number

  constructor(perAccountMax = 50_000) {
    this.perAccountMax = perAccountMax
  }

  addOrder(order: OrderData): void {
    const { orders } = this.shelf(order.account)
    // Most orders end soon after acceptance, so their place is near the end.
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
    const { fromMs = 0, limit } = query
    const { orders } = this.shelf(query.account)
    const found: OrderData[] = []
    for (let index = endIndex(orders, query.toMs) - 1; index >= 0 && found.length < limit; index--) {
      const order = orders[index]
      if (order === undefined || order.atMs < fromMs) break
      if (isAskedFor(order, query)) found.push(order)
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

  /** Drops the oldest tenth at once, which keeps the average addition cheap. */
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
