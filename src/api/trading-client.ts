import { err } from '../base/result.ts'
import type { Fees } from '../domain/balance.ts'
import type { Listing } from '../domain/listing.ts'
import type { Fill } from '../domain/orders/fills.ts'
import type { Order, OrderStatus } from '../domain/orders/order.ts'
import { readFees } from '../wire/fees.ts'
import { readFills } from '../wire/fill.ts'
import { type NewOrder, writeNewOrder } from '../wire/new-order.ts'
import { type OrderPage, readOrder, readOrderOf, readOrderPage, readOrders } from '../wire/order.ts'
import type { Caller } from './caller.ts'
import { endpointPath } from './endpoint-path.ts'
import { remembering } from './remembering.ts'

/** Times in ms since 1970, both included; what is left out does not limit. The service caps `limit`, 100 by default. */
export type OrderQuery = { symbol?: string; fromMs?: number; toMs?: number; status?: OrderStatus; limit?: number }
export type TradeQuery = Omit<OrderQuery, 'status'>
/** The page after `orderId`, which is the `nextOrderId` of the page before. */
export type OrderPageQuery = { fromMs?: number; orderId?: string; limit?: number }
/** `fromExecId` lists from that execution onwards, `toExecId` from it backwards. */
export type FillQuery = TradeQuery & { fromExecId?: string; toExecId?: string }

export type TradingClient = {
  /** GET /fees */
  fetchFees(signal?: AbortSignal): Promise<Fees>
  /** GET /internal/orders: all orders from the matching engine, ascending by id. */
  fetchOrderPage(query: OrderPageQuery, signal?: AbortSignal): Promise<OrderPage>
  /** GET /orders: the newest first; live orders unless a status is asked for. */
  fetchOrders(query: OrderQuery, signal?: AbortSignal): Promise<Listing<Order>>
  /** POST /orders: an order that the exchange rejects comes back as one, with its reason; it is no error. */
  placeOrder(order: NewOrder, signal?: AbortSignal): Promise<Order>
  /** DELETE /orders: all open orders, of one symbol unless it is null. */
  cancelAllOrders(symbol: string | null, signal?: AbortSignal): Promise<void>
  /** GET /orders/{orderId}: an answer about another order is a failure. */
  fetchOrder(orderId: string, signal?: AbortSignal): Promise<Order>
  /** DELETE /orders/{orderId} */
  cancelOrder(orderId: string, signal?: AbortSignal): Promise<void>
  /** GET /trades: orders with fills, the newest first. */
  fetchTrades(query: TradeQuery, signal?: AbortSignal): Promise<Listing<Order>>
  /** GET /fills: the newest first. */
  fetchFills(query: FillQuery, signal?: AbortSignal): Promise<Listing<Fill>>
}

/** What is polled comes as the very object of before while the service says the same, letter by letter. */
export function createTradingClient(caller: Caller): TradingClient {
  const fees = remembering(readFees)
  const orders = remembering(readOrders)
  const fills = remembering(readFills)
  return {
    fetchFees: (signal) => caller.get(endpointPath`/fees`, fees, signal),
    fetchOrderPage: ({ fromMs, orderId, limit }, signal) =>
      caller.get(endpointPath`/internal/orders`, readOrderPage, signal, {
        from: fromMs ?? null,
        orderId: orderId ?? null,
        limit: limit ?? null,
      }),
    fetchOrders: (query, signal) =>
      caller.get(endpointPath`/orders`, orders, signal, { ...tradeFields(query), status: query.status ?? null }),
    placeOrder: (order, signal) =>
      caller.post(endpointPath`/orders`, writeNewOrder(order, 'numbers'), readOrder, signal),
    // An empty symbol in the query could pass for none, which cancels everything.
    cancelAllOrders: (symbol, signal) =>
      caller.delete(symbol === '' ? err('an empty symbol') : endpointPath`/orders`, signal, { symbol }),
    fetchOrder: (orderId, signal) =>
      caller.get(endpointPath`/orders/${orderId}`, (json) => readOrderOf(json, orderId), signal),
    cancelOrder: (orderId, signal) => caller.delete(endpointPath`/orders/${orderId}`, signal),
    fetchTrades: (query, signal) => caller.get(endpointPath`/trades`, readOrders, signal, tradeFields(query)),
    fetchFills: (query, signal) =>
      caller.get(endpointPath`/fills`, fills, signal, {
        ...tradeFields(query),
        fromExecId: query.fromExecId ?? null,
        toExecId: query.toExecId ?? null,
      }),
  }
}

const tradeFields = ({ symbol, fromMs, toMs, limit }: TradeQuery) => ({
  symbol: symbol ?? null,
  from: fromMs ?? null,
  to: toMs ?? null,
  limit: limit ?? null,
})
