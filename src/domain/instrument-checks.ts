import { block, type Check, pass } from './check.ts'
import {
  formatPrice,
  formatQuantity,
  type Instrument,
  isOnLot,
  isOnTick,
  lotsAround,
  statusWords,
  ticksAround,
} from './instrument.ts'
import type { Decimal } from './money.ts'
import type { OrderDraft } from './order.ts'

/** A value beside the nearest ones that would pass; a lower neighbour of zero is no offer. */
function nearest([below, above]: readonly [Decimal, Decimal], format: (value: Decimal) => string): string {
  return below.gt(0) ? `${format(below)} or ${format(above)}` : format(above)
}

/** `label` names the price that is checked: "price" or "stop price". */
export function tickCheck(label: string, price: Decimal, instrument: Instrument): Check {
  if (price.lte(0)) return block('tick', `${label} must be above zero`)
  if (isOnTick(price, instrument)) return pass('tick')
  const offers = nearest(ticksAround(price, instrument), (value) => formatPrice(value, instrument))
  return block('tick', `${label} ${price} is off the tick ${formatPrice(instrument.tickSize, instrument)}: ${offers}`)
}

export function lotCheck(quantity: Decimal, instrument: Instrument): Check {
  if (quantity.lte(0)) return block('lot', 'quantity must be above zero')
  if (isOnLot(quantity, instrument)) return pass('lot')
  const offers = nearest(lotsAround(quantity, instrument), (value) => formatQuantity(value, instrument))
  return block(
    'lot',
    `quantity ${quantity} is off the lot ${formatQuantity(instrument.lotSize, instrument)}: ${offers}`,
  )
}

export function minimumCheck(quantity: Decimal, instrument: Instrument): Check {
  if (quantity.gte(instrument.minQuantity)) return pass('minimum')
  const minimum = formatQuantity(instrument.minQuantity, instrument)
  return block('minimum', `quantity ${quantity} is below the minimum: ${minimum} or more`)
}

export function maximumCheck(quantity: Decimal, instrument: Instrument): Check {
  const { maxQuantity } = instrument
  if (maxQuantity === null || quantity.lte(maxQuantity)) return pass('maximum')
  return block(
    'maximum',
    `quantity ${quantity} is above the maximum: ${formatQuantity(maxQuantity, instrument)} or less`,
  )
}

/** Whether the symbol takes such an order in its present status. */
export function statusCheck({ type, timeInForce }: OrderDraft, { symbol, status }: Instrument): Check {
  if (status === 'open') return pass('status')
  if (status !== 'halt') return block('status', `${symbol} ${statusWords[status]}: it takes no new orders`)
  if (type !== 'LIMIT') return block('status', `${symbol} is halted for an auction: it takes LIMIT orders only`)
  return timeInForce === 'IOC' || timeInForce === 'FOK'
    ? block('status', `${symbol} is halted for an auction: it takes GTC and GTD only`)
    : pass('status')
}

/**
 * The least quantity of an IOC order in whole lots: that it is above zero and within the quantity is for the fields'
 * own check.
 */
export function minimumLotCheck(minQuantity: Decimal, instrument: Instrument): Check {
  if (minQuantity.lte(0) || isOnLot(minQuantity, instrument)) return pass('lot')
  const offers = nearest(lotsAround(minQuantity, instrument), (value) => formatQuantity(value, instrument))
  return block(
    'lot',
    `minimum fill ${minQuantity} is off the lot ${formatQuantity(instrument.lotSize, instrument)}: ${offers}`,
  )
}
