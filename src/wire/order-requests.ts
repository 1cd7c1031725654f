import type { z } from 'zod'
import type { Result } from '../base/result.ts'
import { isoDayStartMs } from '../base/text/time-text.ts'
import { type OrderDraft, orderTypes, timesInForce } from '../domain/orders/order.ts'
import { sides } from '../domain/side.ts'
import { type JsonBounds, NumberText, type WireMode, writeJson } from './exact-json.ts'
import {
  amount,
  type FieldReader,
  mapResult,
  message,
  optional,
  optionalAmount,
  optionalStrictName,
  optionalWord,
  readMessage,
  required,
  strictName,
  word,
} from './message.ts'

/** An order draft with its sender's id: the content of a request to place an order. */
export type NewOrder = OrderDraft & { clientOrderId: string }

const readClientOrderId: FieldReader<string> = (value) => {
  if (typeof value !== 'string') return { must: 'must be a string' }
  return /^[A-Za-z0-9]{1,20}$/.test(value) ? { value } : { must: 'must be 1 to 20 letters and digits' }
}

const readExpireDate: FieldReader<string> = (value) => {
  const digits = value instanceof NumberText ? value.text : value
  const isDate = typeof digits === 'string' && isCalendarDate(digits)
  return isDate ? { value: digits } : { must: 'must be a date that exists, as YYYYMMDD' }
}

/** True for eight digits that are a valid calendar date. */
export function isCalendarDate(digits: string): boolean {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(digits) ?? []
  if (year === undefined || month === undefined || day === undefined) return false
  return isoDayStartMs(`${year}-${month}-${day}`) !== null
}

/**
 * BaseOrder, read strictly: an amount is a number or a string of one, and every other field must have its exact type.
 */
const newOrderMessage = message({
  clOrdId: required(readClientOrderId),
  ordType: word(orderTypes),
  symbol: strictName,
  side: word(sides),
  orderQty: amount,
  timeInForce: optionalWord(timesInForce),
  price: optionalAmount,
  expireDate: optional(readExpireDate),
  minQty: optionalAmount,
  stopPx: optionalAmount,
  execInst: optionalWord(['ALO']),
})
type NewOrderMessage = z.infer<typeof newOrderMessage>

const toNewOrder = (read: NewOrderMessage): NewOrder => ({
  clientOrderId: read.clOrdId,
  symbol: read.symbol,
  side: read.side,
  type: read.ordType,
  orderQuantity: read.orderQty,
  limitPrice: read.price,
  stopPrice: read.stopPx,
  timeInForce: read.timeInForce,
  expireDate: read.expireDate,
  minQuantity: read.minQty,
  postOnly: read.execInst === 'ALO',
})

export const fromNewOrder = (order: NewOrder) => ({
  clOrdId: order.clientOrderId,
  ordType: order.type,
  symbol: order.symbol,
  side: order.side,
  orderQty: order.orderQuantity,
  timeInForce: order.timeInForce,
  price: order.limitPrice,
  expireDate: order.expireDate === null ? null : BigInt(order.expireDate),
  minQty: order.minQuantity,
  stopPx: order.stopPrice,
  execInst: order.postOnly ? 'ALO' : null,
})

/** Reads a request to place an order, field by field; does not check which fields go together. */
export const readNewOrder = (json: string, bounds?: JsonBounds): Result<NewOrder> =>
  mapResult(readMessage(newOrderMessage, json, bounds), toNewOrder)

/** Complains about an amount that is not above zero, by its wire name; null when all are. */
export function nonPositiveAmount(
  order: Pick<OrderDraft, 'orderQuantity' | 'limitPrice' | 'stopPrice' | 'minQuantity'>,
) {
  const { orderQuantity, limitPrice, stopPrice, minQuantity } = order
  const amounts = { orderQty: orderQuantity, price: limitPrice, stopPx: stopPrice, minQty: minQuantity }
  const [name] = Object.entries(amounts).find(([, value]) => value?.lte(0) === true) ?? []
  return name === undefined ? null : `field "${name}" must be above zero`
}
export const writeNewOrder = (order: NewOrder, mode: WireMode): string => writeJson(fromNewOrder(order), mode)

/** The optional body of a request to cancel all orders, in place of its query. */
const cancelAllMessage = message({ symbol: optionalStrictName })

export const readCancelAll = (json: string, bounds?: JsonBounds): Result<{ symbol: string | null }> =>
  readMessage(cancelAllMessage, json, bounds)
