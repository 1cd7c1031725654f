import type { OrderType } from '../../domain/orders/order.ts'
import { textFromUnits, unitsFromText } from '../ledger/units.ts'
import type { OrderRequest, TextAmounts, UnitAmounts } from './commands.ts'
import { type Done, done, invalid } from './done.ts'
import type { Market } from './market.ts'
import type { RefusedAmounts } from './order-data.ts'
import { needsPrice, needsStopPx } from './order-shape.ts'

/** A request's amounts in whole lots and ticks; null where the order type has none. */
export type OrderAmounts = { lots: number; limitTicks: number | null; stopTicks: number | null; minLots: number }

/** A text amount in minor units; one finer than the ledger is on no tick and no lot. */
type SentUnits = bigint | 'tooFine'
type SentTexts = { orderQty: SentUnits; price?: SentUnits; stopPx?: SentUnits; minQty?: SentUnits }
/** A request's amounts, known to be numbers. */
export type SentAmounts = UnitAmounts | SentTexts

/** Reads the amounts as numbers, whatever the symbol; refuses those that are none. */
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
 * The amounts in whole lots and ticks, or the sentence that says which rule of the symbol they break. A price or
 * trigger that the order type has no use for is left aside.
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

function wholeLots(name: string, units: SentUnits, market: Market): number | string {
  // Said before the lot: below the minimum is what a person sees first in a quantity of 0.
  if (typeof units === 'bigint' && units < market.minUnits && name === 'Quantity') return belowMinimum(market)
  if (units === 'tooFine' || units % market.lotUnits !== 0n) return `${name} is off the lot of ${market.lotSize}`
  return wholeNumber(units / market.lotUnits)
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

/** The amounts as text, for an order that is refused and keeps what was sent. */
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
