import { err, ok, type Result } from '../../base/result.ts'
import type { GatewayOrderState } from './event.ts'

/** The state of a delivery. */
export type DeliveryState = 'pending' | 'delivered' | 'expired'

/** An event being delivered by the practice gateway to a webhook endpoint. Times are the gateway's. */
export type GatewayDelivery = {
  readonly deliveryId: string
  readonly endpoint: string
  readonly eventId: string
  readonly orderId: string
  readonly orderState: GatewayOrderState
  readonly state: DeliveryState
  readonly attemptCount: number
  readonly madeAtMs: number
  /** Time of the next attempt; null once it has ended. */
  readonly nextAtMs: number | null
  readonly expiresAtMs: number
  /** Status of the last attempt; null before the first, and without an answer. */
  readonly lastStatus: number | null
  readonly lastLatencyMs: number | null
  /** The problem of the last attempt, or the start of its answer. */
  readonly lastWords: string | null
}

/** Deliveries from one number to another, both included. */
export type DeliveryRange = { readonly first: number; readonly last: number }

/** Maximum deliveries named at once. */
const deliveriesMax = 10_000

/** Reads `12`, `12-40` or several separated by commas. The error follows the value's name: `must be …`. */
export function readDeliveryRanges(text: string): Result<readonly DeliveryRange[]> {
  const ranges: DeliveryRange[] = []
  let count = 0
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,15})(?:-(\d{1,15}))?\s*$/.exec(part) ?? []
    if (from === undefined || to === undefined) return err('must be a number, or a range such as 12-40')
    const [first, last] = [Number.parseInt(from, 10), Number.parseInt(to, 10)]
    if (first < 1 || last < first) return err('must be a range from a lower number, 1 or more, to a higher one')
    count += last - first + 1
    if (count > deliveriesMax) return err(`must be ${deliveriesMax} deliveries at the most`)
    ranges.push({ first, last })
  }
  return ok(ranges)
}
