import type { FillData, OrderData } from './order-data.ts'
import type { AccountId, FillsQuery, OrdersAfterQuery, OrdersQuery } from './types.ts'

/** Which ended orders: `hasTraded` true means with a fill. */
export type EndedOrdersQuery = OrdersQuery & { hasTraded?: boolean }

/**
 * Where ended orders and executions go. Orders arrive in the order of their end, fills ascending by id. Whatever was
 * added can be asked for at once. The core keeps no other record of them.
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
