import type { Balance } from './balance.ts'
import { type Decimal, zero } from './money.ts'
import { type Order, type OrderDraft, openQuantity } from './order.ts'
import { isOpenEnded, type SentOrder } from './sent-order.ts'
import { counterOf, draftNotional, usdRate } from './usd-value.ts'

/** What a symbol's open orders and fills come to, in its counter currency. */
type Position = { symbol: string; notional: Decimal }

/** Orders that are sent and in no list yet: they count as if they were working. */
export function unlisted(sent: readonly SentOrder[], orders: readonly Order[]): SentOrder[] {
  const listed = new Set(orders.map(({ clientOrderId }) => clientOrderId))
  return sent.filter((order) => isOpenEnded(order) && !listed.has(order.clientOrderId))
}

/**
 * What an open order can still move. A report of an untriggered stop tells neither quantity nor stop price: what this desk sent under
 * its id does; a stop of another desk counts as nothing.
 */
function openNotional(order: Order, drafts: ReadonlyMap<string, OrderDraft>): Decimal {
  const draft = drafts.get(order.clientOrderId)
  const quantity = openQuantity(order) ?? draft?.orderQuantity ?? zero
  const price = order.limitPrice ?? draft?.limitPrice ?? draft?.stopPrice ?? order.averagePrice ?? zero
  return price.times(quantity)
}

/** Everything of the day that counts, symbol by symbol. */
function positions(
  filled: ReadonlyMap<string, Decimal>,
  orders: readonly Order[],
  sent: readonly SentOrder[],
): Position[] {
  const drafts = new Map(sent.map(({ clientOrderId, draft }) => [clientOrderId, draft]))
  return [
    ...[...filled].map(([symbol, notional]) => ({ symbol, notional })),
    ...orders.map((order) => ({ symbol: order.symbol, notional: openNotional(order, drafts) })),
    ...unlisted(sent, orders).map(({ draft }) => ({
      symbol: draft.symbol,
      notional: draftNotional(draft, null) ?? zero,
    })),
  ]
}

/** A value in USD, or the currency whose rate is missing for it. */
export type UsdSum = { kind: 'known'; usd: Decimal } | { kind: 'noRate'; currency: string }

/**
 * The UTC day's fills, the working orders and those on their way, in USD at today's rates; of one symbol, or of all when `symbol` is null.
 */
export function dayValue(
  day: { filled: ReadonlyMap<string, Decimal>; orders: readonly Order[]; sent: readonly SentOrder[] },
  balances: readonly Balance[],
  symbol: string | null,
): UsdSum {
  let usd = zero
  for (const position of positions(day.filled, day.orders, day.sent)) {
    if ((symbol !== null && position.symbol !== symbol) || position.notional.isZero()) continue
    const currency = counterOf(position.symbol)
    const rate = usdRate(currency, balances)
    if (rate === null) return { kind: 'noRate', currency }
    usd = usd.plus(position.notional.times(rate))
  }
  return { kind: 'known', usd }
}
