import type { History } from '../core/history.ts'
import type { AccountId } from '../core/types.ts'

/** A history that keeps nothing of some accounts. */
export type ForgetfulHistory = History & { forget(accounts: readonly AccountId[]): void }

/**
 * Keeps everybody's past in `history` but that of the accounts to forget: nobody ever asks what became of the tens of
 * orders the market's own flow places every second, and in a day they would be millions.
 */
export function createForgetfulHistory(history: History): ForgetfulHistory {
  const forgotten = new Set<AccountId>()
  return {
    forget: (accounts) => {
      for (const account of accounts) forgotten.add(account)
    },
    addOrder: (order) => {
      if (!forgotten.has(order.account)) history.addOrder(order)
    },
    addFill: (fill) => {
      if (!forgotten.has(fill.account)) history.addFill(fill)
    },
    order: (account, id) => history.order(account, id),
    orders: (query) => history.orders(query),
    ordersAfter: (query) => history.ordersAfter(query),
    fills: (query) => history.fills(query),
  }
}
