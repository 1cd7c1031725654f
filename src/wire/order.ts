import type { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import type { Listing, UnreadableEntry } from '../domain/listing.ts'
import type { Decimal } from '../domain/money.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { type Order, orderStatuses, orderTypes } from '../domain/orders/order.ts'
import { sides } from '../domain/side.ts'
import { type WireMode, writeJson } from './exact-json.ts'
import { anyList, entryReader, type Known, readListing, readWithEntries } from './listing.ts'
import {
  amount,
  byId,
  entryTime,
  int64,
  mapResult,
  message,
  named,
  optionalAmount,
  optionalInt64,
  optionalText,
  readMessage,
  thenRead,
  timestamp,
  word,
} from './message.ts'

/** OrderSummary. */
const orderMessage = message({
  exOrdId: optionalInt64,
  clOrdId: named,
  ordType: word(orderTypes),
  ordStatus: word(orderStatuses),
  side: word(sides),
  price: optionalAmount,
  text: optionalText,
  symbol: named,
  lastShares: optionalAmount,
  lastPx: optionalAmount,
  leavesQty: optionalAmount,
  cumQty: optionalAmount,
  avgPx: optionalAmount,
  timestamp: entryTime,
})
type OrderMessage = z.infer<typeof orderMessage>

/** PaginatedOrderSummary; its orders are read one by one. */
const orderPageMessage = message({
  nextOrderId: int64,
  orders: anyList,
})

/** A page of all orders by id. `nextOrderId` is the cursor of the next page; an empty page is the last. */
export type OrderPage = { nextOrderId: string; orders: readonly Order[]; unreadable?: readonly UnreadableEntry[] }

// Services send a price or last quantity of zero for none.
const unlessZero = (amount: Decimal | null): Decimal | null => (amount?.isZero() ? null : amount)

const amountNames = ['price', 'lastShares', 'lastPx', 'leavesQty', 'cumQty', 'avgPx'] as const

/**
 * Refuses amounts below zero: a fill of less than nothing would take away from positions and limits. A rejected order
 * tells what it asked for, whatever that was.
 */
function toOrder(read: OrderMessage): Result<Order> {
  const echoed: readonly string[] = read.ordStatus === 'REJECTED' ? ['price', 'leavesQty'] : []
  const negative = amountNames.find((name) => read[name]?.lt(0) === true && !echoed.includes(name))
  if (negative !== undefined) return err(`field "${negative}" must be 0 or more`)
  return ok({
    orderId: read.exOrdId === null ? null : read.exOrdId.toString(),
    clientOrderId: read.clOrdId,
    symbol: read.symbol,
    side: read.side,
    type: read.ordType,
    status: read.ordStatus,
    limitPrice: unlessZero(read.price),
    leavesQuantity: read.leavesQty,
    cumQuantity: read.cumQty,
    averagePrice: unlessZero(read.avgPx),
    lastQuantity: unlessZero(read.lastShares),
    lastPrice: unlessZero(read.lastPx),
    text: read.text,
    timestampMs: read.timestamp,
  })
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

/** Reads the answer to a placed order. The caller checks whose answer it is. */
export const readOrder = (json: string): Result<Order> => thenRead(readMessage(orderMessage, json), toOrder)
/** Reads the order with this id. Refuses one with another id or none. */
export function readOrderOf(json: string, orderId: string): Result<Order> {
  const read = readOrder(json)
  return read.ok ? byId('order', orderId, read.value.orderId, read.value) : read
}
export const writeOrder = (order: Order, mode: WireMode): string => writeJson(fromOrder(order), mode)

const readListed = entryReader(orderMessage, toOrder)

export const readOrders = (json: string, known?: Known<Order>): Result<Listing<Order>> =>
  readListing(json, readListed, known)
export const writeOrders = (orders: readonly Order[], mode: WireMode): string => writeJson(orders.map(fromOrder), mode)

export const readOrderPage = (json: string): Result<OrderPage> =>
  mapResult(readWithEntries(json, orderPageMessage, readListed), ({ message: page, listing }) => {
    const { entries: orders, unreadable } = listing(page.orders)
    return { nextOrderId: page.nextOrderId.toString(), orders, ...(unreadable.length === 0 ? {} : { unreadable }) }
  })
export const writeOrderPage = (page: OrderPage, mode: WireMode): string =>
  writeJson(
    {
      nextOrderId: BigInt(page.nextOrderId),
      orders: page.orders.map(fromOrder),
    },
    mode,
  )

/** Fill. */
const fillMessage = message({
  exOrdId: int64,
  tradeId: int64,
  execId: int64,
  side: word(sides),
  symbol: named,
  price: amount,
  qty: amount,
  fee: amount,
  timestamp,
})
type FillMessage = z.infer<typeof fillMessage>

const toFill = (read: FillMessage): Fill => ({
  orderId: read.exOrdId.toString(),
  tradeId: read.tradeId.toString(),
  execId: read.execId.toString(),
  symbol: read.symbol,
  side: read.side,
  price: read.price,
  quantity: read.qty,
  fee: read.fee,
  timestampMs: read.timestamp,
})

export const fromFill = (fill: Fill): FillMessage => ({
  exOrdId: BigInt(fill.orderId),
  tradeId: BigInt(fill.tradeId),
  execId: BigInt(fill.execId),
  side: fill.side,
  symbol: fill.symbol,
  price: fill.price,
  qty: fill.quantity,
  fee: fill.fee,
  timestamp: fill.timestampMs,
})

/** Refuses fills with a price or quantity of zero or less, which would falsify every sum. */
const readFill = entryReader(fillMessage, (read) => {
  if (!read.price.gt(0)) return err('field "price" must be above 0')
  return read.qty.gt(0) ? ok(toFill(read)) : err('field "qty" must be above 0')
})

export const readFills = (json: string, known?: Known<Fill>): Result<Listing<Fill>> =>
  readListing(json, readFill, known)
export const writeFills = (fills: readonly Fill[], mode: WireMode): string => writeJson(fills.map(fromFill), mode)
