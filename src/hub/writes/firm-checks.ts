import type { Book } from '../../domain/market/book.ts'
import { counterOf } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { type Check, freshnessCheck } from '../../domain/orders/checks/check.ts'
import { fillCheck } from '../../domain/orders/checks/funds-check.ts'
import { limitChecks } from '../../domain/orders/checks/limit-checks.ts'
import type { CheckContext } from '../../domain/orders/checks/pre-trade.ts'
import { judgedNotional } from '../../domain/orders/notional.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { lastPriceIn } from '../../domain/orders/stop-trigger.ts'
import { limitUsd, type UsdPrices } from '../../domain/usd-worth.ts'

/** The firm's limits that an order violates at this book. */
export function firmStops(draft: OrderDraft, book: Book, context: CheckContext): Check[] {
  const { instrument, balances, tickers } = context
  const freshness = freshnessCheck({ rules: instrument, balances })
  if (instrument.kind !== 'fresh' || balances.kind !== 'fresh') return [freshness]
  const market = { instrument: instrument.value, book, balances: balances.value }
  const lastPrice = lastPriceIn(tickers, draft.symbol)
  // A market order against an empty side has no value to hold against the limits until somebody comes.
  const checks = [fillCheck(draft, instrument.value, { book, lastPrice }), ...limitChecks(draft, market, context)]
  return checks.filter(({ level }) => level === 'block')
}

/** What an order is worth in USD for a person's limits; null when nothing tells it. */
export function orderUsd(
  draft: OrderDraft,
  book: Book,
  { tickers, prices }: Pick<CheckContext, 'tickers'> & { prices: UsdPrices },
): Decimal | null {
  const rate = limitUsd(counterOf(draft.symbol), prices)
  const value = judgedNotional(draft, book, lastPriceIn(tickers, draft.symbol))
  // A book with prices below zero cannot be true: it values nothing.
  return rate === null || value === null || value.notional.lt(0) ? null : value.notional.times(rate)
}
