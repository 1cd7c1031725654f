import type { Balance } from './balance.ts'
import { type Decimal, zero } from './money.ts'
import { type Order, openQuantity } from './order.ts'
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
function openNotional(order: Order, sent: readonly SentOrder[]): Decimal {
  const draft = sent.find(({ clientOrderId }) => clientOrderId === order.clientOrderId)?.draft
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
  return [
    ...[...filled].map(([symbol, notional]) => ({ symbol, notional })),
    ...orders.map((order) => ({ symbol: order.symbol, notional: openNotional(order, sent) })),
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
