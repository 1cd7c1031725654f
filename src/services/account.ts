import type { ExchangeClient } from '../api/exchange-client.ts'
import { type Balance, primaryAccount } from '../domain/balance.ts'
import { readableListing } from '../domain/listing.ts'
import type { Order } from '../domain/orders/order.ts'
import { createFeedPoller, type FeedPoller } from './feed-poller.ts'
import { createNewFills } from './new-fills.ts'
import type { ServiceContext } from './service-context.ts'
import { createWorkingOrders } from './working-orders.ts'

export type AccountClient = Pick<
  ExchangeClient,
  'fetchOrders' | 'fetchOrder' | 'fetchOrderPage' | 'fetchFills' | 'fetchAccounts' | 'fetchFees'
>
export type Account = {
  orders: FeedPoller
  fills: FeedPoller
  balances: FeedPoller
  fees: FeedPoller
  /** Tells of an order that the exchange has just accepted. */
  watch(order: Order): void
}

const noBalances: readonly Balance[] = []
const noListing = readableListing(noBalances)

/** Whether two answers tell of the same holdings; what they are worth moves with the market. */
const isSameHolding = (left: readonly Balance[], right: readonly Balance[]): boolean =>
  left.length === right.length &&
  left.every(({ currency, balance, available }, index) => {
    const other = right[index]
    return other?.currency === currency && other.balance.eq(balance) && other.available.eq(available)
  })

/**
 * Polls what the account holds and does: working orders, fills, balances of the primary account, fee rates. Orders are
 * asked for most often; when they change, or a fill comes, what follows from that is not waited for.
 */
export function createAccount(client: AccountClient, context: ServiceContext): Account {
  const { clock, emit } = context
  const now = () => clock.now()
  const working = createWorkingOrders(client, now, emit)
  const newFills = createNewFills(client, now)
  const orders = createFeedPoller('orders', context, (signal) => working.refresh(signal), {
    onChange() {
      fills.expectNews()
      balances.expectNews()
    },
  })
  const fills = createFeedPoller(
    'fills',
    context,
    async (signal) => {
      const found = await newFills(signal)
      emit({ type: 'fills', fills: found.entries, unreadable: found.unreadable, atMs: now() })
      return found.entries
    },
    {
      onChange() {
        orders.expectNews()
        balances.expectNews()
      },
    },
  )
  let held = noBalances
  const balances = createFeedPoller('balances', context, async (signal) => {
    const { entries, unreadable } = (await client.fetchAccounts(signal)).get(primaryAccount) ?? noListing
    emit({ type: 'balances', balances: entries, unreadable, atMs: now() })
    if (!isSameHolding(held, entries)) held = entries
    return held
  })
  const fees = createFeedPoller('fees', context, async (signal) => {
    const rates = await client.fetchFees(signal)
    emit({ type: 'fees', fees: rates, atMs: now() })
    return rates
  })
  return { orders, fills, balances, fees, watch: (order) => working.watch(order, now()) }
}
