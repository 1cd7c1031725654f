import type { Result } from '../base/result.ts'
import { int64, optionalStrictText, word } from './fields.ts'
import type { JsonBounds } from './json-read.ts'
import { mapResult, message, readMessage } from './message.ts'

/** CancelOrderRequest: described by the interface, used by none of its operations. */
export const cancelOrderMessage = message({
  action: word(['CancelOrderRequest']),
  orderID: int64,
})

export const readCancelOrder = (json: string): Result<{ orderId: string }> =>
  mapResult(readMessage(cancelOrderMessage, json), (read) => ({
    orderId: read.orderID.toString(),
  }))

/** The body that a request to cancel all orders may carry instead of its query. */
export const cancelAllMessage = message({ symbol: optionalStrictText })

export const readCancelAll = (json: string, bounds?: JsonBounds): Result<{ symbol: string | null }> =>
  readMessage(cancelAllMessage, json, bounds)
