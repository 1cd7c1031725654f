import type {
  AccountId,
  AccountView,
  BalanceView,
  BookView,
  DepositView,
  FeesView,
  FillsQuery,
  FillView,
  KeyView,
  OrdersAfterQuery,
  OrdersQuery,
  OrderView,
  SymbolView,
  TickerView,
  TopOfBook,
  TransfersQuery,
  WhitelistView,
  WithdrawalView,
} from './types.ts'

/**
 * Everything that can be read. No call changes anything. Undefined: there is no such symbol, account, order… `atMs` is
 * the time a sliding figure is wanted for; the state itself is that after the last command.
 */
export interface ExchangeReader {
  /** The time of the last command. */
  nowMs(): number
  /** When the next working order expires, or undefined: send `advanceTime` then. */
  nextExpiryMs(): number | undefined

  symbols(): readonly SymbolView[]
  symbol(symbol: string): SymbolView | undefined
  currencies(): readonly string[]
  /** Level 2; `depth` cuts each side to its best levels. It is exactly level 3 summed by price. */
  l2(symbol: string, depth?: number): BookView | undefined
  l3(symbol: string, depth?: number): BookView | undefined
  top(symbol: string): TopOfBook | undefined
  tickers(atMs: number): readonly TickerView[]
  ticker(symbol: string, atMs: number): TickerView | undefined

  accounts(): readonly AccountView[]
  account(account: AccountId): AccountView | undefined
  accountByName(name: string): AccountView | undefined
  /** The key with this hash in any state: only a verified one may be let in. */
  keyByHash(tokenHash: string): KeyView | undefined
  fees(account: AccountId, atMs: number): FeesView | undefined
  balances(account: AccountId): readonly BalanceView[]
  balance(account: AccountId, currency: string): BalanceView | undefined

  /** An order of this account, working or ended. */
  order(account: AccountId, exOrdId: number): OrderView | undefined
  /** The account's working order with this client order id. */
  workingOrder(account: AccountId, clOrdId: string): OrderView | undefined
  /** Newest first. */
  orders(query: OrdersQuery): readonly OrderView[]
  /** Ascending by id. */
  ordersAfter(query: OrdersAfterQuery): readonly OrderView[]
  /** Orders that filled or part-filled, working or ended, newest first. */
  trades(query: Omit<OrdersQuery, 'statuses'>): readonly OrderView[]
  /** Newest first. */
  fills(query: FillsQuery): readonly FillView[]

  /** Newest first. */
  deposits(query: TransfersQuery): readonly DepositView[]
  deposit(account: AccountId, depositId: string): DepositView | undefined
  /** Newest first. */
  withdrawals(query: TransfersQuery): readonly WithdrawalView[]
  withdrawal(account: AccountId, withdrawalId: string): WithdrawalView | undefined
  whitelist(account: AccountId, currency?: string): readonly WhitelistView[]
}
