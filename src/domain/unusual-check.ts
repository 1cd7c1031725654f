import { sweep } from './book.ts'
import { ask, type Check, pass } from './check.ts'
import { formatPrice } from './instrument.ts'
import { limitsFor } from './limits.ts'
import { Decimal, formatGrouped } from './money.ts'
import type { OrderDraft } from './order.ts'
import { judgedNotional, usdRate } from './usd-value.ts'
import type { LimitContext, Market } from './value-checks.ts'

/** An order worth more than this share of the hard limit on one order is unusual. */
const largeShare = new Decimal('0.5')
/** A market order that takes this many price levels is unusual. */
export const manyLevels = 5

/**
 * An order within every hard limit that is still likely to be a slip: worth over half of what one order may be, or a
 * market order through many price levels. It is asked about, and confirmed by the quantity being typed once more.
 */
export function unusualCheck(draft: OrderDraft, market: Market, { limits }: LimitContext): Check {
  const { hard } = limitsFor(limits, draft.symbol).orderNotionalUsd
  const rate = usdRate(market.instrument.counter, market.balances)
  const value = rate === null ? null : judgedNotional(draft, market.book)?.notional.times(rate)
  if (hard !== null && value?.lte(hard) === true && value.gt(hard.times(largeShare)))
    return ask(
      'unusual',
      `order ${formatGrouped(value, 2)} USD is over half of the hard limit ${formatGrouped(hard, 2)} USD`,
    )
  if (draft.type !== 'MARKET') return pass('unusual')
  const { levelCount, worstPrice } = sweep(market.book, draft.side, draft.orderQuantity, null)
  if (levelCount < manyLevels || worstPrice === null) return pass('unusual')
  return ask('unusual', `takes ${levelCount} price levels, the last at ${formatPrice(worstPrice, market.instrument)}`)
}
