import { dayMs } from '../../base/text/time-text.ts'
import { type OrderType, orderTypes, type TimeInForce, timesInForce } from '../../domain/orders/order.ts'
import { sides } from '../../domain/side.ts'
import { textFromUnits, unitsFromText } from '../ledger/units.ts'
import {
  type Done,
  done,
  invalid,
  type OrderRequest,
  type Refused,
  type TextAmounts,
  type UnitAmounts,
} from './commands.ts'
import type { Market } from './entities.ts'
import type { RefusedAmounts } from './history.ts'

/** A request's time in force, its type's default if it names none, and the end of its expiry day; null without one. */
export type OrderShape = { timeInForce: TimeInForce; expiresAtMs: number | null }

/** The first is the type's default. */
const timesInForceOf: Record<OrderType, readonly [TimeInForce, ...TimeInForce[]]> = {
  MARKET: ['IOC', 'FOK'],
  LIMIT: ['GTC', 'IOC', 'FOK', 'GTD'],
  STOP: ['GTC', 'GTD'],
  STOPLIMIT: ['GTC', 'GTD'],
}

const needsPrice = (ordType: OrderType): boolean => ordType === 'LIMIT' || ordType === 'STOPLIMIT'
const needsStopPx = (ordType: OrderType): boolean => ordType === 'STOP' || ordType === 'STOPLIMIT'

/** Checks that the request's fields fit together; whether the exchange takes such an order now is checked later. */
export function checkShape(request: OrderRequest): Done<OrderShape> {
  const { ordType, side, clOrdId } = request
  if (!/^[a-zA-Z0-9]{1,20}$/.test(clOrdId)) return invalid('clOrdId', 'clOrdId must be 1 to 20 letters and digits')
  if (!orderTypes.includes(ordType)) return invalid('ordType', `ordType must be one of ${orderTypes.join(', ')}`)
  if (!sides.includes(side)) return invalid('side', `side must be one of ${sides.join(', ')}`)
  const timeInForce = request.timeInForce ?? timesInForceOf[ordType][0]
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

/** The first millisecond after a UTC day written as YYYYMMDD; undefined if there is no such day. */
function endOfDayMs(yyyymmdd: number): number | undefined {
  const text = String(yyyymmdd)
  if (!/^[1-9]\d{7}$/.test(text)) return undefined
  const isoDay = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  const startMs = Date.parse(`${isoDay}T00:00:00.000Z`)
  // A date like February 30 is either invalid or read as one in March.
  if (Number.isNaN(startMs) || new Date(startMs).toISOString().slice(0, 10) !== isoDay) return undefined
  return startMs + dayMs
}

/** A request's amounts in whole lots and ticks; null if the order type has none. */
export type OrderAmounts = { lots: number; limitTicks: number | null; stopTicks: number | null; minLots: number }

/** A text amount in minor units; one finer than the ledger cannot be on any tick or lot. */
type SentUnits = bigint | 'tooFine'
type SentTexts = { orderQty: SentUnits; price?: SentUnits; stopPx?: SentUnits; minQty?: SentUnits }
/** A request's amounts, known to be numbers. */
type SentAmounts = UnitAmounts | SentTexts

/** Reads the amounts as numbers, whatever the symbol; refuses those that are not. */
export function parseAmounts({ amounts }: OrderRequest): Done<SentAmounts> {
  if ('lots' in amounts) {
    for (const [field, value] of Object.entries(amounts))
      if (!Number.isSafeInteger(value)) return invalid(field, `${field} is not a whole number`)
    return done(amounts)
  }
  const sent: SentTexts = { orderQty: 0n }
  for (const field of ['orderQty', 'price', 'stopPx', 'minQty'] as const) {
    const text = amounts[field]
    if (text === undefined) continue
    const units = unitsFromText(text)
    if (units === 'malformed') return invalid(field, `${field} is not an amount`)
    sent[field] = units
  }
  return done(sent)
}

/**
 * The amounts in whole lots and ticks, or a sentence about the symbol's rule that they break. A price or trigger that
 * the order type does not use is ignored.
 */
export function readAmounts(ordType: OrderType, sent: SentAmounts, market: Market): OrderAmounts | string {
  const read =
    'lots' in sent
      ? fromUnitAmounts(sent, needsPrice(ordType), needsStopPx(ordType))
      : fromTextAmounts(sent, market, needsPrice(ordType), needsStopPx(ordType))
  if (typeof read === 'string') return read
  return checkSizes(read, market) ?? read
}

function fromUnitAmounts(amounts: UnitAmounts, hasPrice: boolean, hasStop: boolean): OrderAmounts | string {
  const limitTicks = hasPrice ? (amounts.ticks ?? 0) : null
  const stopTicks = hasStop ? (amounts.stopTicks ?? 0) : null
  if (limitTicks !== null && limitTicks <= 0) return 'Price must be above zero'
  if (stopTicks !== null && stopTicks <= 0) return 'Stop price must be above zero'
  return { lots: amounts.lots, limitTicks, stopTicks, minLots: amounts.minLots ?? 0 }
}

function fromTextAmounts(
  amounts: SentTexts,
  market: Market,
  hasPrice: boolean,
  hasStop: boolean,
): OrderAmounts | string {
  const limitTicks = hasPrice ? wholeTicks('Price', amounts.price, market) : null
  if (typeof limitTicks === 'string') return limitTicks
  const stopTicks = hasStop ? wholeTicks('Stop price', amounts.stopPx, market) : null
  if (typeof stopTicks === 'string') return stopTicks
  // Checked before the lot: for a quantity of 0, the minimum is the more helpful message.
  if (amounts.orderQty !== 'tooFine' && amounts.orderQty < market.minUnits) return belowMinimum(market)
  const lots = wholeLots('Quantity', amounts.orderQty, market)
  if (typeof lots === 'string') return lots
  const minLots = amounts.minQty === undefined ? 0 : wholeLots('Minimum quantity', amounts.minQty, market)
  if (typeof minLots === 'string') return minLots
  return { lots, limitTicks, stopTicks, minLots }
}

const tooLarge = 'Amount is too large for this symbol'

function wholeTicks(name: string, units: SentUnits = 0n, { tickUnits, tickSize }: Market): number | string {
  if (units === 'tooFine' || units % tickUnits !== 0n) return `${name} is off the tick of ${tickSize}`
  if (units <= 0n) return `${name} must be above zero`
  return wholeNumber(units / tickUnits)
}

function wholeLots(name: string, units: SentUnits, { lotUnits, lotSize }: Market): number | string {
  if (units === 'tooFine' || units % lotUnits !== 0n) return `${name} is off the lot of ${lotSize}`
  return wholeNumber(units / lotUnits)
}

/** Beyond the safe integers the engine could not count exactly. */
const wholeNumber = (steps: bigint): number | string =>
  steps > BigInt(Number.MAX_SAFE_INTEGER) ? tooLarge : Number(steps)

const belowMinimum = ({ minUnits }: Market): string => `Quantity is below the minimum of ${textFromUnits(minUnits)}`

function checkSizes({ lots, limitTicks, stopTicks, minLots }: OrderAmounts, market: Market): string | undefined {
  const units = BigInt(lots) * market.lotUnits
  if (lots <= 0 || units < market.minUnits) return belowMinimum(market)
  if (market.maxUnits !== null && units > market.maxUnits)
    return `Quantity is above the maximum of ${textFromUnits(market.maxUnits)}`
  if (minLots < 0) return 'Minimum quantity must not be negative'
  if (minLots > lots) return 'Minimum quantity is above the quantity'
  if (lots * Math.max(limitTicks ?? 1, stopTicks ?? 1) > Number.MAX_SAFE_INTEGER) return tooLarge
  return undefined
}

/** The amounts as text, for a rejected order, which keeps what was sent. */
export function sentAmounts(request: OrderRequest, market: Market | undefined): RefusedAmounts {
  const { amounts, ordType } = request
  const { orderQty, price, stopPx } = 'lots' in amounts ? textAmounts(amounts, market) : amounts
  return {
    orderQty,
    price: needsPrice(ordType) ? (price ?? null) : null,
    stopPx: needsStopPx(ordType) ? (stopPx ?? null) : null,
  }
}

function textAmounts({ lots, ticks, stopTicks }: UnitAmounts, market: Market | undefined): TextAmounts {
  if (market === undefined) return { orderQty: '0' }
  const priceText = (steps: number) => textFromUnits(BigInt(steps) * market.tickUnits)
  return {
    orderQty: textFromUnits(BigInt(lots) * market.lotUnits),
    ...(ticks === undefined ? {} : { price: priceText(ticks) }),
    ...(stopTicks === undefined ? {} : { stopPx: priceText(stopTicks) }),
  }
}
