import type { AccountId, CommandArguments } from './commands.ts'
import { conflict, type Done, done, notFound } from './done.ts'
import { withdrawOrder } from './order-end.ts'
import { report } from './order-entry.ts'
import type { OrderReport } from './results.ts'
import type { ExchangeState } from './state.ts'

const frozen = 'Symbol is frozen: orders cannot be cancelled now'

/** Cancels one working order of the account. */
export function cancelOrder(
  state: ExchangeState,
  { account, exOrdId }: CommandArguments['cancelOrder'],
): Done<OrderReport> {
  const order = state.orders.get(exOrdId)
  if (order === undefined || order.account !== account) {
    const hasEnded = state.history.order(account, exOrdId) !== undefined
    return hasEnded ? conflict('The order has ended') : notFound('There is no such order')
  }
  if (order.market.status === 'halt-freeze') return conflict(frozen)
  withdrawOrder(state, order, 'CANCELED', null)
  return done(report(order))
}

/** Cancels every working order of the account, of one symbol if given. Orders of frozen symbols stay. */
export function cancelOrders(
  state: ExchangeState,
  { account, symbol }: { account: AccountId; symbol?: string },
): Done<{ canceledIds: readonly number[] }> {
  const holder = state.client(account)
  if (holder === undefined) return notFound('There is no such account')
  const market = symbol === undefined ? undefined : state.markets.get(symbol)
  if (symbol !== undefined && market === undefined) return notFound('Unknown symbol')
  if (market?.status === 'halt-freeze') return conflict(frozen)
  const canceled = [...holder.workingOrders.values()].filter(
    (order) => (market === undefined || order.market === market) && order.market.status !== 'halt-freeze',
  )
  for (const order of canceled) withdrawOrder(state, order, 'CANCELED', null)
  return done({ canceledIds: canceled.map(({ id }) => id) })
}
