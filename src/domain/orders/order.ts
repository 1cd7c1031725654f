import { someNamed } from '../../base/text/plain-text.ts'
import { Decimal, sameAmount, zero } from '../money.ts'
import type { Side } from '../side.ts'

export type OrderType = 'MARKET' | 'LIMIT' | 'STOP' | 'STOPLIMIT'
export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTD'
export type OrderStatus = 'OPEN' | 'REJECTED' | 'CANCELED' | 'FILLED' | 'PART_FILLED' | 'EXPIRED' | 'PENDING'

export const orderTypes: readonly OrderType[] = ['MARKET', 'LIMIT', 'STOP', 'STOPLIMIT']
export const timesInForce: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK', 'GTD']

/** An order as reported by the service. Ids are int64 and therefore text; quantities are in the base currency. */
export type Order = {
  /** The exchange's id; null on an order refused before it got one. */
  orderId: string | null
  clientOrderId: string
  symbol: string
  side: Side
  type: OrderType
  status: OrderStatus
  limitPrice: Decimal | null
  /** As reported, null when omitted; its meaning depends on the status: see `openQuantity` and `orderQuantity`. */
  leavesQuantity: Decimal | null
  /** Filled so far; null when omitted, which means unknown, never zero. */
  cumQuantity: Decimal | null
  averagePrice: Decimal | null
  lastQuantity: Decimal | null
  lastPrice: Decimal | null
  /** The service's reason for a rejection or cancel, if given. */
  text: string | null
  timestampMs: number | null
}

/** A requested order: the fields of a new order without an outcome. */
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

/** True when symbol, side, quantity and prices are equal. */
export const hasSameTerms = (left: OrderDraft, right: OrderDraft): boolean =>
  left.symbol === right.symbol &&
  left.side === right.side &&
  left.orderQuantity.eq(right.orderQuantity) &&
  sameAmount(left.limitPrice, right.limitPrice) &&
  sameAmount(left.stopPrice, right.stopPrice)

/** True when all fields are equal. */
export const isSameOrder = (left: OrderDraft, right: OrderDraft): boolean =>
  hasSameTerms(left, right) &&
  left.type === right.type &&
  sameAmount(left.minQuantity, right.minQuantity) &&
  left.timeInForce === right.timeInForce &&
  left.expireDate === right.expireDate &&
  left.postOnly === right.postOnly

/** A sent order in the form of a report, before or without an answer; dated by the exchange's clock. */
export function unansweredOrder(draft: OrderDraft, clientOrderId: string, atMs: number): Order {
  return {
    orderId: null,
    clientOrderId,
    symbol: draft.symbol,
    side: draft.side,
    type: draft.type,
    status: 'PENDING',
    limitPrice: draft.limitPrice,
    leavesQuantity: draft.orderQuantity,
    cumQuantity: zero,
    averagePrice: null,
    lastQuantity: null,
    lastPrice: null,
    text: null,
    timestampMs: atMs,
  }
}

/** The possible next statuses of each status. The compiler requires a row per status. */
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

/** True while the order can still trade or be canceled. */
export const isWorking = (order: { status: OrderStatus }): boolean => nextStatuses[order.status].length > 0

/** STOP and STOPLIMIT, which trade after a trigger. */
export const isStopType = (type: OrderType): boolean => type === 'STOP' || type === 'STOPLIMIT'

/** PENDING: reported for a stop before its trigger, and used for a sent order without an answer (`unansweredOrder`). */
export const isPending = ({ status }: Pick<Order, 'status'>): boolean => status === 'PENDING'

/** True for an order that rests in the book at a price, so not for a pending stop. */
export const restsInBook = (order: Order): order is Order & { limitPrice: Decimal } =>
  order.limitPrice !== null && !isPending(order) && isWorking(order)

/** True when a report with `after` may follow one with `before`; the same status is a repeat, not a change. */
export const canFollow = (before: OrderStatus, after: OrderStatus): boolean =>
  before === after || nextStatuses[before].includes(after)

/** Identifies an order in lists: the exchange's id, or the sender's when that is missing. */
export const listKey = ({ orderId, clientOrderId }: Pick<Order, 'orderId' | 'clientOrderId'>): string =>
  orderId ?? `client ${clientOrderId}`

/** The name of an order: the exchange's id once there is one. */
export const orderName = ({ orderId, clientOrderId }: Pick<Order, 'orderId' | 'clientOrderId'>): string =>
  orderId ?? clientOrderId

/** `41, 42 and 3 more`: orders by their names, `most` at most. */
export const orderNames = (orders: readonly Order[], most: number): string => someNamed(orders.map(orderName), most)

const isSameValue = (left: unknown, right: unknown): boolean =>
  left === right || (left instanceof Decimal && right instanceof Decimal && left.eq(right))

/** True when two reports of an order are equal in every field. */
export const isSameReport = (left: Order, right: Order): boolean =>
  left === right ||
  (isSameValue(left.status, right.status) &&
    (Object.keys(left) as (keyof Order)[]).every((field) => isSameValue(left[field], right[field])))

/**
 * The open quantity; null when the report does not tell: it omits `leavesQty`, or the order is an untriggered stop
 * (PENDING), which is reported with `leavesQty` zero. On finished orders the wire's `leavesQty` is the open quantity
 * before the end; now nothing is open.
 */
export function openQuantity(order: Order): Decimal | null {
  if (!isWorking(order)) return zero
  return isPending(order) && order.leavesQuantity?.isZero() === true ? null : order.leavesQuantity
}

/**
 * The quantity the order was placed with; null when the report does not tell: part of the sum is missing, or it is an
 * untriggered stop. A rejected order reports all of it as `leavesQty`, a filled one as `cumQty`.
 */
export function orderQuantity(order: Order): Decimal | null {
  const { status, leavesQuantity: leaves, cumQuantity: cum } = order
  if (status === 'REJECTED') return leaves
  if (status === 'FILLED') return cum
  if (leaves === null || cum === null) return null
  const quantity = leaves.plus(cum)
  return isPending(order) && quantity.isZero() ? null : quantity
}

/**
 * The maximum quantity that can still trade, for limits: the reported open quantity, or else the requested quantity
 * (null when unknown) minus the known fills. Null when no bound is known.
 */
export function openAtMost(order: Order, asked: Decimal | null): Decimal | null {
  const open = openQuantity(order)
  if (open !== null || asked === null) return open
  return Decimal.max(zero, asked.minus(order.cumQuantity ?? zero))
}

/**
 * What a finished order traded, in its counter currency. Null while it works, when the report does not tell, and when
 * it cannot be true: a filled quantity below zero, or fills at a price that is not above it.
 */
export function endedNotional(order: Order): Decimal | null {
  const { cumQuantity, averagePrice } = order
  if (isWorking(order) || cumQuantity === null || cumQuantity.lt(0)) return null
  if (cumQuantity.isZero()) return zero
  return averagePrice?.gt(0) === true ? averagePrice.times(cumQuantity) : null
}

/** Filled share of the order, 0 to 1; null when its fills or quantity are unknown. */
export function filledShare(order: Order): Decimal | null {
  const quantity = orderQuantity(order)
  if (order.cumQuantity === null || quantity === null || quantity.isZero())
    return order.cumQuantity?.isZero() === true ? zero : null
  return order.cumQuantity.div(quantity)
}

/** The scope of a cancel of all orders; null is every symbol. */
export const scopeText = (symbol: string | null): string => symbol ?? 'every symbol'

/** An order request in one line: `BUY 0.0500 BTC-USD LIMIT @ 64,209.50`; `show` formats its amounts. */
export function draftText(
  { side, symbol, type, orderQuantity, limitPrice, stopPrice }: OrderDraft,
  show: { price(price: Decimal): string; quantity(quantity: Decimal): string },
): string {
  const price = limitPrice === null ? '' : ` @ ${show.price(limitPrice)}`
  const stop = stopPrice === null ? '' : ` stop ${show.price(stopPrice)}`
  return `${side} ${show.quantity(orderQuantity)} ${symbol} ${type}${stop}${price}`
}

/** Compares int64 ids as text, exactly: the longer one is larger. */
export function compareIds(left: string, right: string): number {
  if (left.length !== right.length) return left.length - right.length
  return left < right ? -1 : left > right ? 1 : 0
}

/** Maximum of ended orders on a screen, more than anyone scrolls through; `pitdesk orders --all` has older ones. */
export const orderHistoryMax = 5_000
