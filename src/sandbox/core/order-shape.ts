import { orderTypes, sides, type TimeInForce, timesInForce } from '../../domain/orders/order.ts'
import type { OrderRequest } from './commands.ts'
import { type Done, done, invalid, type Refused } from './done.ts'

/** What a request leaves to a rule, filled in. `expiresAtMs` is the end of the expiry day, null without one. */
export type OrderShape = { timeInForce: TimeInForce; expiresAtMs: number | null }

const timesInForceOf: Record<OrderRequest['ordType'], readonly TimeInForce[]> = {
  MARKET: ['IOC', 'FOK'],
  LIMIT: ['GTC', 'IOC', 'FOK', 'GTD'],
  STOP: ['GTC', 'GTD'],
  STOPLIMIT: ['GTC', 'GTD'],
}

export const needsPrice = (ordType: OrderRequest['ordType']): boolean => ordType === 'LIMIT' || ordType === 'STOPLIMIT'
export const needsStopPx = (ordType: OrderRequest['ordType']): boolean => ordType === 'STOP' || ordType === 'STOPLIMIT'

/** Checks that the request's fields go together; whether the exchange takes such an order now is asked later. */
export function checkShape(request: OrderRequest): Done<OrderShape> {
  const { ordType, side, clOrdId } = request
  if (!/^[a-zA-Z0-9]{1,20}$/.test(clOrdId)) return invalid('clOrdId', 'clOrdId must be 1 to 20 letters and digits')
  if (!orderTypes.includes(ordType)) return invalid('ordType', `ordType must be one of ${orderTypes.join(', ')}`)
  if (!sides.includes(side)) return invalid('side', `side must be one of ${sides.join(', ')}`)
  const timeInForce = request.timeInForce ?? timesInForceOf[ordType][0] ?? 'GTC'
  if (!timesInForce.includes(timeInForce))
    return invalid('timeInForce', `timeInForce must be one of ${timesInForce.join(', ')}`)
  if (!timesInForceOf[ordType].includes(timeInForce))
    return invalid('timeInForce', `${ordType} takes timeInForce ${timesInForceOf[ordType].join(', ')}`)
  return checkAmountsGiven(request, timeInForce) ?? checkPostOnly(request, timeInForce) ?? expiry(request, timeInForce)
}

function checkAmountsGiven({ ordType, amounts }: OrderRequest, timeInForce: TimeInForce): Refused | null {
  const isText = 'orderQty' in amounts
  const hasPrice = (isText ? amounts.price : amounts.ticks) !== undefined
  const hasStopPx = (isText ? amounts.stopPx : amounts.stopTicks) !== undefined
  const hasMinQty = (isText ? amounts.minQty : amounts.minLots) !== undefined
  if (needsPrice(ordType) && !hasPrice) return invalid('price', `${ordType} needs a price`)
  if (needsStopPx(ordType) && !hasStopPx) return invalid('stopPx', `${ordType} needs a stopPx`)
  if (hasMinQty && timeInForce !== 'IOC') return invalid('minQty', 'minQty goes with timeInForce IOC only')
  return null
}

function checkPostOnly({ ordType, execInst }: OrderRequest, timeInForce: TimeInForce): Refused | null {
  if (execInst === undefined) return null
  if (execInst !== 'ALO') return invalid('execInst', 'execInst must be ALO')
  const mayRest = timeInForce === 'GTC' || timeInForce === 'GTD'
  return ordType === 'LIMIT' && mayRest
    ? null
    : invalid('execInst', 'ALO goes with LIMIT and timeInForce GTC or GTD only')
}

function expiry({ expireDate }: OrderRequest, timeInForce: TimeInForce): Done<OrderShape> {
  if (timeInForce !== 'GTD')
    return expireDate === undefined
      ? done({ timeInForce, expiresAtMs: null })
      : invalid('expireDate', 'expireDate goes with timeInForce GTD only')
  if (expireDate === undefined) return invalid('expireDate', 'GTD needs an expireDate')
  const expiresAtMs = endOfDayMs(expireDate)
  return expiresAtMs === undefined
    ? invalid('expireDate', 'expireDate must be a calendar day as YYYYMMDD')
    : done({ timeInForce, expiresAtMs })
}

/** The first millisecond after a UTC day written as YYYYMMDD; undefined when there is no such day. */
export function endOfDayMs(yyyymmdd: number): number | undefined {
  const text = String(yyyymmdd)
  if (!/^[1-9]\d{7}$/.test(text)) return undefined
  const isoDay = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  const startMs = Date.parse(`${isoDay}T00:00:00.000Z`)
  // A day like 30 February is either no date or read as one in March.
  if (Number.isNaN(startMs) || new Date(startMs).toISOString().slice(0, 10) !== isoDay) return undefined
  return startMs + 24 * 60 * 60_000
}
