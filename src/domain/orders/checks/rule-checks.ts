import { type Book, midPrice } from '../../market/book.ts'
import {
  formatPrice,
  formatQuantity,
  type Instrument,
  isOnLot,
  isOnTick,
  lotsAround,
  roundToTick,
  statusWords,
  ticksAround,
} from '../../market/instrument.ts'
import { Decimal } from '../../money.ts'
import type { Side } from '../../side.ts'
import type { OrderDraft } from '../order.ts'
import { dayOf, dayStartMs, takesExpiry, termsComplaints } from '../order-fields.ts'
import { isStopReached } from '../stop-trigger.ts'
import { block, type Check, pass, type Remedy, warn, withRemedy } from './check.ts'

/** Complains about an expiry day in the past, with which the order would end before it works. */
function pastComplaint({ timeInForce, expireDate }: OrderDraft, nowMs: number): string | null {
  if (expireDate === null || !takesExpiry(timeInForce) || dayStartMs(expireDate) === null) return null
  const today = dayOf(nowMs)
  return expireDate < today ? `the expiry date is past: today is ${today} UTC` : null
}

/** Checks whether an order's fields go together, whatever the market: one check per fault, or one that passes. */
export function fieldChecks(draft: OrderDraft, nowMs: number): Check[] {
  const complaints = [...termsComplaints(draft), pastComplaint(draft, nowMs)].filter((complaint) => complaint !== null)
  return complaints.length === 0 ? [pass('fields')] : complaints.map((complaint) => block('fields', complaint))
}

/** The nearest valid values below and above; a lower one of zero is not offered. */
function nearest([below, above]: readonly [Decimal, Decimal], format: (value: Decimal) => string): string {
  return below.gt(0) ? `${format(below)} or ${format(above)}` : format(above)
}

/**
 * `label` names the checked price: "price" or "stop price". Rounded to the tick, a buy never pays more and a sell never
 * gets less than requested.
 */
export function tickCheck(label: string, price: Decimal, instrument: Instrument, side: Side): Check {
  if (price.lte(0)) return block('tick', `${label} must be above zero`)
  if (isOnTick(price, instrument)) return pass('tick')
  const offers = nearest(ticksAround(price, instrument), (value) => formatPrice(value, instrument))
  const text = `${label} ${price} is off the tick ${formatPrice(instrument.tickSize, instrument)}: ${offers}`
  return withRemedy(block('tick', text), label === 'price' ? 'price' : 'stop', roundToTick(price, side, instrument))
}

export function lotCheck(quantity: Decimal, instrument: Instrument): Check {
  if (quantity.lte(0)) return block('lot', 'quantity must be above zero')
  if (isOnLot(quantity, instrument)) return pass('lot')
  const offers = nearest(lotsAround(quantity, instrument), (value) => formatQuantity(value, instrument))
  return block(
    'lot',
    `quantity ${quantity} is off the lot ${formatQuantity(instrument.lotSize, instrument)}: ${offers}`,
    lotRemedy('quantity', quantity, instrument),
  )
}

/** The nearest whole lot below, but at least one lot. */
function lotRemedy(field: 'quantity' | 'minimum', quantity: Decimal, instrument: Instrument): Remedy {
  const [below, above] = lotsAround(quantity, instrument)
  return { field, value: below.gt(0) ? below : above }
}

export function minimumCheck(quantity: Decimal, instrument: Instrument): Check {
  if (quantity.gte(instrument.minQuantity)) return pass('minimum')
  const minimum = formatQuantity(instrument.minQuantity, instrument)
  return block('minimum', `quantity ${quantity} is below the minimum: ${minimum} or more`, {
    field: 'quantity',
    value: instrument.minQuantity,
  })
}

export function maximumCheck(quantity: Decimal, instrument: Instrument): Check {
  const { maxQuantity } = instrument
  if (maxQuantity === null || quantity.lte(maxQuantity)) return pass('maximum')
  return block(
    'maximum',
    `quantity ${quantity} is above the maximum: ${formatQuantity(maxQuantity, instrument)} or less`,
    { field: 'quantity', value: lotsAround(maxQuantity, instrument)[0] },
  )
}

/** Checks whether the symbol accepts such an order in its status. */
export function statusCheck({ type, timeInForce }: OrderDraft, { symbol, status }: Instrument): Check {
  if (status === 'open') return pass('status')
  if (status !== 'halt') return block('status', `${symbol} ${statusWords[status]}: it takes no new orders`)
  if (type !== 'LIMIT') return block('status', `${symbol} is halted for an auction: it takes LIMIT orders only`)
  return timeInForce === 'IOC' || timeInForce === 'FOK'
    ? block('status', `${symbol} is halted for an auction: it takes GTC and GTD only`)
    : pass('status')
}

/** Checks that an IOC order's minimum quantity is in whole lots; its range is part of the field checks. */
export function minimumLotCheck(minQuantity: Decimal, instrument: Instrument): Check {
  if (minQuantity.lte(0) || isOnLot(minQuantity, instrument)) return pass('lot')
  const offers = nearest(lotsAround(minQuantity, instrument), (value) => formatQuantity(value, instrument))
  return block(
    'lot',
    `minimum fill ${minQuantity} is off the lot ${formatQuantity(instrument.lotSize, instrument)}: ${offers}`,
    lotRemedy('minimum', minQuantity, instrument),
  )
}

/**
 * Warns about stops with unusual effects: triggered at once because the market is past the stop price, or left unfilled
 * because the limit is on the wrong side of it. Neither breaks a rule. No checks without a stop price.
 */
export function stopChecks(
  draft: OrderDraft,
  instrument: Instrument,
  { book, lastPrice }: { book: Book; lastPrice: Decimal | null },
): Check[] {
  const { side, stopPrice, limitPrice } = draft
  if (stopPrice === null) return []
  const isBuy = side === 'BUY'
  const past = [midPrice(book), lastPrice]
    .filter((price) => price !== null)
    .filter((price) => isStopReached(draft, price))
  if (past.length > 0) {
    const furthest = isBuy ? Decimal.max(...past) : Decimal.min(...past)
    const { tickSize } = instrument
    const next = furthest.toNearest(tickSize, isBuy ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)
    const waiting = formatPrice(isBuy ? next.plus(tickSize) : next.minus(tickSize), instrument)
    return [warn('stop', `stop triggers at once: ${waiting} or ${isBuy ? 'higher' : 'lower'} would wait`)]
  }
  return [stopLimitWarning({ side, stopPrice, limitPrice }, instrument) ?? pass('stop')]
}

type StopLimit = { side: Side; stopPrice: Decimal; limitPrice: Decimal | null }

/** Warns about a limit that the price has passed once the stop triggers; null when it has not, or without a limit. */
export function stopLimitWarning({ side, stopPrice, limitPrice }: StopLimit, instrument: Instrument): Check | null {
  const isBuy = side === 'BUY'
  if (limitPrice === null || (isBuy ? limitPrice.gte(stopPrice) : limitPrice.lte(stopPrice))) return null
  const bound = isBuy ? 'or more' : 'or less'
  return warn('stop', `limit may not fill once triggered: ${formatPrice(stopPrice, instrument)} ${bound} would`)
}
