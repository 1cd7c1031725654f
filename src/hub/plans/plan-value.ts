import type { Book } from '../../domain/market/book.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { judgedNotional } from '../../domain/orders/notional.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'

/** Orders of which a plan trades one: it counts as the most valuable of them. */
type OneOf = readonly OrderDraft[]

/**
 * The orders by which a plan can trade its value once: a bracket's entry, a scale's orders, one of two exit legs, or a
 * trailing stop, which may trigger at once or at the price it starts from.
 */
export function planDrafts(terms: PlanTerms): readonly OneOf[] {
  const { symbol, side, quantity } = terms
  const at = (limitPrice: Decimal | null, orderQuantity: Decimal = quantity): OrderDraft => ({
    ...{ symbol, side, type: limitPrice === null ? 'MARKET' : 'LIMIT', orderQuantity, limitPrice, stopPrice: null },
    ...{ timeInForce: null, expireDate: null, minQuantity: null, postOnly: false },
  })
  const stop = (stopPrice: Decimal, limitPrice: Decimal | null): OrderDraft => ({
    ...at(limitPrice),
    ...{ type: limitPrice === null ? 'STOP' : 'STOPLIMIT', stopPrice },
  })
  switch (terms.kind) {
    case 'bracket':
      return [[at(terms.entryPrice)]]
    case 'oco':
      return [[stop(terms.stopPrice, terms.stopLimit), at(terms.targetPrice)]]
    case 'trailing':
      return [[at(null), ...(terms.stopPrice === null ? [] : [stop(terms.stopPrice, null)])]]
    case 'scale':
      return terms.slices.map((slice) => [at(slice.price, slice.quantity)])
  }
}

/** The symbol's book and last trade, and the value of its counter currency in USD. */
export type PlanMarket = { book: Book; lastPrice: Decimal | null; rate: Decimal }

/** The largest order and the sum of all in USD; null without a price. */
export function planUsd(
  orders: readonly OneOf[],
  { book, lastPrice, rate }: PlanMarket,
): { largest: Decimal; whole: Decimal } | null {
  let [largest, whole] = [zero, zero]
  for (const oneOf of orders) {
    const values = oneOf.flatMap((draft) => judgedNotional(draft, book, lastPrice)?.notional ?? [])
    if (values.length < oneOf.length) return null
    const usd = Decimal.max(zero, ...values).times(rate)
    largest = Decimal.max(largest, usd)
    whole = whole.plus(usd)
  }
  return { largest, whole }
}
