import { Decimal, zero } from './money.ts'

export type Side = 'BUY' | 'SELL'
export type OrderType = 'MARKET' | 'LIMIT' | 'STOP' | 'STOPLIMIT'
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTD'
export type OrderStatus = 'OPEN' | 'REJECTED' | 'CANCELED' | 'FILLED' | 'PART_FILLED' | 'EXPIRED' | 'PENDING'

export const sides: readonly Side[] = ['BUY', 'SELL']
export const orderTypes: readonly OrderType[] = ['MARKET', 'LIMIT', 'STOP', 'STOPLIMIT']
export const timesInForce: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'GTD']

/** An order as the service reports it. Ids are int64 and therefore text; quantities are in the base currency. */
export type Order = {
  /** The exchange's own id; absent on an order that was refused before it got one. */
  orderId: string | null
  clientOrderId: string
  symbol: string
  side: Side
  type: OrderType
  status: OrderStatus
  limitPrice: Decimal | null
  /** As reported; what it means depends on the status: see `openQuantity` and `orderQuantity`. */
  leavesQuantity: Decimal
  cumQuantity: Decimal
  averagePrice: Decimal | null
  lastQuantity: Decimal | null
  lastPrice: Decimal | null
  /** Why it was refused or cancelled, when the service says so. */
  text: string | null
  timestampMs: number | null
}

/** What a person asks for: the fields of a new order before it has an outcome. */
export type OrderDraft = {
  symbol: string
  side: Side
  type: OrderType
  orderQuantity: Decimal
  limitPrice: Decimal | null
  stopPrice: Decimal | null
  timeInForce: TimeInForce | null
  /** `YYYYMMDD`, with GTD only. */
  expireDate: string | null
  minQuantity: Decimal | null
  postOnly: boolean
}

/** Where each status may lead. The compiler asks for a row when a status is added. */
export const nextStatuses: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ['OPEN', 'PART_FILLED', 'FILLED', 'CANCELED', 'EXPIRED', 'REJECTED'],
  OPEN: ['PART_FILLED', 'FILLED', 'CANCELED', 'EXPIRED'],
  PART_FILLED: ['PART_FILLED', 'FILLED', 'CANCELED', 'EXPIRED'],
  FILLED: [],
  CANCELED: [],
  EXPIRED: [],
  REJECTED: [],
}
export const orderStatuses = Object.keys(nextStatuses) as readonly OrderStatus[]

/** True while the order can still trade or be cancelled. */
export const isWorking = (order: { status: OrderStatus }): boolean => nextStatuses[order.status].length > 0

/** True when a report with `after` may follow one with `before`; the same status again is a repeat, not a change. */
export const canFollow = (before: OrderStatus, after: OrderStatus): boolean =>
  before === after || nextStatuses[before].includes(after)

const isSameValue = (left: unknown, right: unknown): boolean =>
  left === right || (left instanceof Decimal && right instanceof Decimal && left.eq(right))

/** True when two reports say the same of an order, field by field. */
export const isSameReport = (left: Order, right: Order): boolean =>
  isSameValue(left.status, right.status) &&
  (Object.keys(left) as (keyof Order)[]).every((field) => isSameValue(left[field], right[field]))

/**
 * Quantity still open for execution, or null when the report cannot tell: an untriggered stop (PENDING) is reported with
 * `leavesQty` zero. On ended orders the wire's `leavesQty` is what was open before the end; nothing is open any more.
 */
export function openQuantity(order: Order): Decimal | null {
  if (order.status === 'PENDING') return order.leavesQuantity.isZero() ? null : order.leavesQuantity
  return isWorking(order) ? order.leavesQuantity : zero
}

/** The quantity the order was placed with, as far as the report tells: null for an untriggered stop. */
export function orderQuantity(order: Order): Decimal | null {
  const quantity = order.leavesQuantity.plus(order.cumQuantity)
  return order.status === 'PENDING' && quantity.isZero() ? null : quantity
}

/** Filled share of the order, 0 to 1; 0 when the quantity is not known. */
export function filledShare(order: Order): Decimal {
  const quantity = orderQuantity(order)
  return quantity === null || quantity.isZero() ? zero : order.cumQuantity.div(quantity)
}

export const opposite = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY')

/** Orders int64 ids written as text without leaving exactness: longer is larger. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : left > right ? 1 : 0
}
