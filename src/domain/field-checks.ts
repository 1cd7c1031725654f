import { block, type Check, pass } from './check.ts'
import type { OrderDraft, TimeInForce } from './order.ts'
import { orderTypeRules } from './pre-trade.ts'

const isEightDigitDay = /^(\d{4})(\d{2})(\d{2})$/

/** The day as `YYYYMMDD` in UTC. */
const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '')

function expiryComplaint({ timeInForce, expireDate }: OrderDraft, nowMs: number): string | null {
  if (timeInForce !== 'GTD') return expireDate === null ? null : 'an expiry date goes with GTD only'
  if (expireDate === null) return 'GTD needs an expiry date, as YYYYMMDD'
  const [, year, month, day] = isEightDigitDay.exec(expireDate) ?? []
  const startMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  if (Number.isNaN(startMs) || dayOf(startMs) !== expireDate)
    return 'the expiry date is no day of the calendar (YYYYMMDD)'
  return expireDate < dayOf(nowMs) ? `the expiry date is over: today is ${dayOf(nowMs)} in UTC` : null
}

function minimumFillComplaint({ timeInForce, minQuantity, orderQuantity }: OrderDraft): string | null {
  if (minQuantity === null) return null
  if (timeInForce !== 'IOC') return 'a minimum fill goes with IOC only'
  return minQuantity.lte(0) || minQuantity.gt(orderQuantity)
    ? `the minimum fill must be above zero and at most the quantity ${orderQuantity}`
    : null
}

function postOnlyComplaint({ postOnly, type, timeInForce }: OrderDraft): string | null {
  const canRest = timeInForce === null || timeInForce === 'GTC' || timeInForce === 'GTD'
  return postOnly && (type !== 'LIMIT' || !canRest)
    ? 'post-only goes with LIMIT orders that can rest: GTC or GTD'
    : null
}

function timeComplaint({ type, timeInForce }: OrderDraft): string | null {
  const taken: readonly TimeInForce[] = orderTypeRules[type].timesInForce
  return timeInForce === null || taken.includes(timeInForce) ? null : `a ${type} order takes ${taken.join(', ')}`
}

/** Whether the fields of an order go together, whatever the market: one check, with the first thing that is wrong. */
export function fieldCheck(draft: OrderDraft, nowMs: number): Check {
  const complaint =
    timeComplaint(draft) ?? expiryComplaint(draft, nowMs) ?? minimumFillComplaint(draft) ?? postOnlyComplaint(draft)
  return complaint === null ? pass('fields') : block('fields', complaint)
}
