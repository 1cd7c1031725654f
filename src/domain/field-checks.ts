import { block, type Check, pass } from './check.ts'
import { dayOf, dayStartMs } from './expiry-day.ts'
import type { OrderDraft } from './order.ts'
import { takesExpiry, takesMinimum, takesPostOnly, timesInForceOf } from './order-fields.ts'

function expiryComplaint({ timeInForce, expireDate }: OrderDraft, nowMs: number): string | null {
  if (!takesExpiry(timeInForce)) return expireDate === null ? null : 'an expiry date goes with GTD only'
  if (expireDate === null) return 'GTD needs an expiry date, as YYYYMMDD'
  if (dayStartMs(expireDate) === null) return 'the expiry date is no day of the calendar (YYYYMMDD)'
  const today = dayOf(nowMs)
  return expireDate < today ? `the expiry date is over: today is ${today} in UTC` : null
}

function minimumFillComplaint({ timeInForce, minQuantity, orderQuantity }: OrderDraft): string | null {
  if (minQuantity === null) return null
  if (!takesMinimum(timeInForce)) return 'a minimum fill goes with IOC only'
  return minQuantity.lte(0) || minQuantity.gt(orderQuantity)
    ? `the minimum fill must be above zero and at most the quantity ${orderQuantity}`
    : null
}

const postOnlyComplaint = ({ postOnly, type, timeInForce }: OrderDraft): string | null =>
  postOnly && !takesPostOnly(type, timeInForce) ? 'post-only goes with LIMIT orders that can rest: GTC or GTD' : null

function timeComplaint({ type, timeInForce }: OrderDraft): string | null {
  const taken = timesInForceOf(type)
  return timeInForce === null || taken.includes(timeInForce) ? null : `a ${type} order takes ${taken.join(', ')}`
}

/**
 * Whether the fields of an order go together, whatever the market: a check for each thing that is wrong, one that
 * passes when nothing is.
 */
export function fieldChecks(draft: OrderDraft, nowMs: number): Check[] {
  const complaints = [
    timeComplaint(draft),
    expiryComplaint(draft, nowMs),
    minimumFillComplaint(draft),
    postOnlyComplaint(draft),
  ].filter((complaint) => complaint !== null)
  return complaints.length === 0 ? [pass('fields')] : complaints.map((complaint) => block('fields', complaint))
}
