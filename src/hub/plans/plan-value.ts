import type { Book } from '../../domain/market/book.ts'
import { Decimal, zero } from '../../domain/money.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'
import { judgedNotional } from '../../domain/usd-value.ts'

/**
 * The orders by which a plan can trade its value once: a bracket's entry, a scale's orders, or one exit leg at the
 * higher of its two prices.
 */
export function planDrafts(terms: PlanTerms): readonly OrderDraft[] {
  const { symbol, side, quantity } = terms
  const at = (limitPrice: Decimal | null, orderQuantity: Decimal = quantity): OrderDraft => ({
    ...{ symbol, side, type: limitPrice === null ? 'MARKET' : 'LIMIT', orderQuantity, limitPrice, stopPrice: null },
    ...{ timeInForce: null, expireDate: null, minQuantity: null, postOnly: false },
  })
  switch (terms.kind) {
    case 'bracket':
      return [at(terms.entryPrice)]
    case 'oco':
      return [at(Decimal.max(terms.stopPrice, terms.stopLimit ?? zero, terms.targetPrice))]
    case 'trailing':
      return [at(null)]
    case 'scale':
      return terms.slices.map((slice) => at(slice.price, slice.quantity))
  }
}

/**
 * The largest order and the sum of all in USD, by the current book and the value of the counter currency; null without
 * a price.
 */
export function planUsd(
  drafts: readonly OrderDraft[],
  book: Book,
  rate: Decimal,
): { largest: Decimal; whole: Decimal } | null {
  let [largest, whole] = [zero, zero]
  for (const draft of drafts) {
    const value = judgedNotional(draft, book)
    if (value === null) return null
    const usd = value.notional.times(rate)
    largest = Decimal.max(largest, usd)
    whole = whole.plus(usd)
  }
  return { largest, whole }
}
