import type { Instrument } from '../market/instrument.ts'
import { Decimal } from '../money.ts'
import type { OrderDraft } from '../orders/order.ts'

/** A tick that would move a price further than this share of it is not believed: the price stays as it is. */
const shiftMax = 0.01

/**
 * The prices of a leg on the present tick. A plan keeps the prices it was begun with, and an exchange whose tick has
 * become coarser refuses them for good: what the plan is to protect would stay bare for a few cents. A stop goes away
 * from the market, so that it triggers no earlier than asked, its limit with it; a target goes to the passive side.
 */
export function onPresentTick<D extends Pick<OrderDraft, 'side' | 'stopPrice' | 'limitPrice'>>(
  draft: D,
  instrument: Instrument | null,
): D {
  if (instrument === null) return draft
  const isDown = draft.stopPrice === null ? draft.side === 'BUY' : draft.side === 'SELL'
  const rounded = (price: Decimal | null): Decimal | null => {
    if (price === null) return null
    const near = price.toNearest(instrument.tickSize, isDown ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)
    return near.minus(price).abs().lte(price.times(shiftMax)) ? near : price
  }
  return { ...draft, stopPrice: rounded(draft.stopPrice), limitPrice: rounded(draft.limitPrice) }
}

/**
 * As much of `quantity` as one order may have by the present lot and maximum. All of it where too little would be left:
 * the check of the order then says why it cannot go.
 */
export function orderableOf(quantity: Decimal, instrument: Instrument, least: Decimal): Decimal {
  const { lotSize, maxQuantity } = instrument
  const most = maxQuantity === null ? quantity : Decimal.min(quantity, maxQuantity)
  const whole = most.toNearest(lotSize, Decimal.ROUND_FLOOR)
  return whole.lte(0) || whole.lt(least) ? quantity : whole
}
