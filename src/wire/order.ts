import { z } from 'zod'
import { type Decimal, zero } from '../domain/money.ts'
import { type Order, orderStatuses, orderTypes, sides } from '../domain/order.ts'
import type { Result } from '../domain/result.ts'
import { int64, optionalAmount, optionalInt64, optionalText, optionalTimestamp, text, word } from './fields.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { mapResult, message, readMessage } from './message.ts'

/** OrderSummary. */
export const orderMessage = message({
  exOrdId: optionalInt64,
  clOrdId: text,
  ordType: word(orderTypes),
  ordStatus: word(orderStatuses),
  side: word(sides),
  price: optionalAmount,
  text: optionalText,
  symbol: text,
  lastShares: optionalAmount,
  lastPx: optionalAmount,
  leavesQty: optionalAmount,
  cumQty: optionalAmount,
  avgPx: optionalAmount,
  timestamp: optionalTimestamp,
})
export type OrderMessage = z.infer<typeof orderMessage>
const orderListMessage = z.array(orderMessage)

/** PaginatedOrderSummary. */
export const orderPageMessage = message({
  nextOrderId: int64,
  orders: orderListMessage,
})

/** A page of all orders by id. `nextOrderId` is the cursor of the next page; the page itself is the last when empty. */
export type OrderPage = { nextOrderId: string; orders: readonly Order[] }

// A price or a last quantity of zero is a service's way to say that there is none.
const unlessZero = (amount: Decimal | null): Decimal | null => (amount?.isZero() ? null : amount)

export function toOrder(read: OrderMessage): Order {
  return {
    orderId: read.exOrdId === null ? null : read.exOrdId.toString(),
    clientOrderId: read.clOrdId,
    symbol: read.symbol,
    side: read.side,
    type: read.ordType,
    status: read.ordStatus,
    limitPrice: unlessZero(read.price),
    leavesQuantity: read.leavesQty ?? zero,
    cumQuantity: read.cumQty ?? zero,
    averagePrice: unlessZero(read.avgPx),
    lastQuantity: unlessZero(read.lastShares),
    lastPrice: unlessZero(read.lastPx),
    text: read.text,
    timestampMs: read.timestamp,
  }
}

export function fromOrder(order: Order): OrderMessage {
  return {
    exOrdId: order.orderId === null ? null : BigInt(order.orderId),
    clOrdId: order.clientOrderId,
    ordType: order.type,
    ordStatus: order.status,
    side: order.side,
    price: order.limitPrice,
    text: order.text,
    symbol: order.symbol,
    lastShares: order.lastQuantity,
    lastPx: order.lastPrice,
    leavesQty: order.leavesQuantity,
    cumQty: order.cumQuantity,
    avgPx: order.averagePrice,
    timestamp: order.timestampMs,
  }
}

export const readOrder = (json: string): Result<Order> => mapResult(readMessage(orderMessage, json), toOrder)
export const writeOrder = (order: Order, mode: WireMode): string => writeJson(fromOrder(order), mode)

export const readOrders = (json: string): Result<Order[]> =>
  mapResult(readMessage(orderListMessage, json), (list) => list.map(toOrder))
export const writeOrders = (orders: readonly Order[], mode: WireMode): string => writeJson(orders.map(fromOrder), mode)

export const readOrderPage = (json: string): Result<OrderPage> =>
  mapResult(readMessage(orderPageMessage, json), (page) => ({
    nextOrderId: page.nextOrderId.toString(),
    orders: page.orders.map(toOrder),
  }))
export const writeOrderPage = (page: OrderPage, mode: WireMode): string =>
  writeJson(
    {
      nextOrderId: BigInt(page.nextOrderId),
      orders: page.orders.map(fromOrder),
    },
    mode,
  )
