import type { ExchangeClient } from '../api/exchange-client.ts'
import { primaryAccount } from '../domain/balance.ts'
import type { Order } from '../domain/order.ts'
import { createFeedPoller } from './feed-poller.ts'
import { createNewFills } from './new-fills.ts'
import type { Poller } from './poller.ts'
import type { ServiceContext } from './service-context.ts'
import { createWorkingOrders } from './working-orders.ts'

export type AccountClient = Pick<
  ExchangeClient,
  'fetchOrders' | 'fetchOrder' | 'fetchFills' | 'fetchAccounts' | 'fetchFees'
>
export type Account = {
  orders: Poller
  fills: Poller
  balances: Poller
  fees: Poller
  /** Tells of an order that the exchange has just accepted. */
  watch(order: Order): void
}

/** Polls what the account holds and does: working orders, fills, balances of the primary account, fee rates. */
export function createAccount(client: AccountClient, context: ServiceContext): Account {
  const { clock, emit } = context
  const working = createWorkingOrders(client, () => clock.now(), emit)
  const newFills = createNewFills(client, () => clock.now())
  return {
    orders: createFeedPoller('orders', context, (signal) => working.refresh(signal)),
    fills: createFeedPoller('fills', context, async (signal) => {
      const fills = await newFills(signal)
      emit({ type: 'fills', fills, atMs: clock.now() })
    }),
    balances: createFeedPoller('balances', context, async (signal) => {
      const accounts = await client.fetchAccounts(signal)
      emit({ type: 'balances', balances: accounts.get(primaryAccount) ?? [], atMs: clock.now() })
    }),
    fees: createFeedPoller('fees', context, async (signal) => {
      emit({ type: 'fees', fees: await client.fetchFees(signal), atMs: clock.now() })
    }),
    watch: (order) => working.watch(order, clock.now()),
  }
}
