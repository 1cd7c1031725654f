import type { AccountId } from './commands.ts'
import type { Market, WorkingOrder } from './entities.ts'
import { type EndedOrdersQuery, isAskedFor, type OrderData } from './history.ts'
import { type ExchangeState, feeAccountId } from './state.ts'
import {
  accountView,
  balanceView,
  depositView,
  feesView,
  fillView,
  keyView,
  l2View,
  l3View,
  orderView,
  symbolView,
  tickerView,
  topOfBook,
  withdrawalView,
} from './state-views.ts'
import type { ExchangeReader, OrdersQuery, OrderView, TransfersQuery } from './views.ts'

/** Read access to a state and its history, as of each call. */
export class StateReader implements ExchangeReader {
  private readonly state: ExchangeState

  constructor(state: ExchangeState) {
    this.state = state
  }

  nowMs = () => this.state.nowMs
  nextExpiryMs = () => (Number.isFinite(this.state.expiries.nextMs) ? this.state.expiries.nextMs : undefined)

  symbols = () => this.markets().map(symbolView)
  symbol = (symbol: string) => this.ofMarket(symbol, symbolView)
  status = (symbol: string) => this.state.markets.get(symbol)?.status
  currencies = () => [...this.state.currencies.keys()]
  l2 = (symbol: string, depth?: number) => this.ofMarket(symbol, (market) => l2View(market, depth))
  l3 = (symbol: string, depth?: number) => this.ofMarket(symbol, (market) => l3View(market, depth))
  top = (symbol: string) => this.ofMarket(symbol, topOfBook)
  tickers = (atMs: number) => this.markets().map((market) => tickerView(market, atMs))
  ticker = (symbol: string, atMs: number) => this.ofMarket(symbol, (market) => tickerView(market, atMs))

  accounts = () => this.state.accounts.filter(({ id }) => id !== feeAccountId).map(accountView)
  account = (account: AccountId) => map(this.state.client(account), accountView)
  accountByName = (name: string) =>
    map(
      this.state.accounts.find((account) => account.id !== feeAccountId && account.name === name),
      accountView,
    )
  keyByHash = (tokenHash: string) => map(this.state.keysByHash.get(tokenHash), keyView)
  fees = (account: AccountId, atMs: number) =>
    map(this.state.client(account), (holder) => feesView(this.state, holder, atMs))
  balances = (account: AccountId) => {
    const holder = this.state.accounts[account]
    if (holder === undefined) return []
    return [...this.state.currencies.values()].map((currency) => balanceView(this.state, holder, currency))
  }
  balance = (account: AccountId, code: string) => {
    const holder = this.state.accounts[account]
    const currency = this.state.currencies.get(code)
    return holder === undefined || currency === undefined ? undefined : balanceView(this.state, holder, currency)
  }

  order = (account: AccountId, exOrdId: number) => {
    const working = this.state.orders.get(exOrdId)
    const order = working?.account === account ? working : this.state.history.order(account, exOrdId)
    return map(order, this.view)
  }
  orders = (query: OrdersQuery) => this.newestOrders(query)
  trades = (query: Omit<OrdersQuery, 'statuses'>) => this.newestOrders({ ...query, hasTraded: true })
  ordersAfter: ExchangeReader['ordersAfter'] = (query) => {
    const { fromMs = 0, afterId, limit } = query
    const working = this.working(query.account, (order) => order.id > afterId && order.atMs >= fromMs)
    return byId([...working, ...this.state.history.ordersAfter(query)])
      .slice(0, limit)
      .map(this.view)
  }
  fills: ExchangeReader['fills'] = (query) =>
    this.state.history.fills(query).map((fill) => fillView(fill, this.marketOf(fill.symbol)))

  deposits = (query: TransfersQuery) => newestTransfers(this.state.deposits.values(), query).map(depositView)
  deposit = (account: AccountId, depositId: string) =>
    map(ownedBy(account, this.state.deposits.get(depositId)), depositView)
  withdrawals = (query: TransfersQuery) => newestTransfers(this.state.withdrawals.values(), query).map(withdrawalView)
  withdrawal = (account: AccountId, withdrawalId: string) =>
    map(ownedBy(account, this.state.withdrawals.get(withdrawalId)), withdrawalView)
  whitelist = (account: AccountId, currency?: string) =>
    (this.state.client(account)?.whitelist ?? []).filter(
      (entry) => currency === undefined || entry.currency === currency,
    )

  private readonly view = (order: OrderData): OrderView => orderView(order, this.state.markets.get(order.symbol))

  private newestOrders(query: EndedOrdersQuery): readonly OrderView[] {
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY, limit } = query
    const working = this.working(
      query.account,
      (order) => isAskedFor(order, query) && order.atMs >= fromMs && order.atMs <= toMs,
    )
    return byId([...working, ...this.state.history.orders(query)])
      .reverse()
      .slice(0, limit)
      .map(this.view)
  }

  private working(account: AccountId, isWanted: (order: WorkingOrder) => boolean): readonly WorkingOrder[] {
    return [...(this.state.client(account)?.workingOrders.values() ?? [])].filter(isWanted)
  }

  private markets(): readonly Market[] {
    return [...this.state.markets.values()]
  }

  private ofMarket<T>(symbol: string, view: (market: Market) => T): T | undefined {
    return map(this.state.markets.get(symbol), view)
  }

  private marketOf(symbol: string): Market {
    const market = this.state.markets.get(symbol)
    if (market === undefined) throw new Error(`a fill of the unknown symbol ${symbol}`)
    return market
  }
}

const map = <T, V>(value: T | undefined, view: (value: T) => V): V | undefined =>
  value === undefined ? undefined : view(value)

const ownedBy = <T extends { account: AccountId }>(account: AccountId, value: T | undefined): T | undefined =>
  value?.account === account ? value : undefined

/** Ids ascend with time, so this is the order of acceptance. */
const byId = (orders: OrderData[]): OrderData[] => orders.sort((left, right) => left.id - right.id)

/** Transfers are stored in the order of their creation. */
function newestTransfers<T extends { account: AccountId; atMs: number }>(
  transfers: Iterable<T>,
  { account, fromMs = 0, toMs = Number.POSITIVE_INFINITY }: TransfersQuery,
): readonly T[] {
  return [...transfers].filter((one) => one.account === account && one.atMs >= fromMs && one.atMs <= toMs).reverse()
}
