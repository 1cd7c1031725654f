import type { Balance } from '../../domain/balance.ts'
import type { SymbolStatus } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import type { OrderStatus, OrderType, TimeInForce } from '../../domain/orders/order.ts'
import type { Side } from '../../domain/side.ts'
import type { DepositState, WithdrawalStatus } from '../../domain/transfers/transfer.ts'
import type { AccountId, SymbolSpec } from './commands.ts'

/** An order as the exchange's API reports it: its field names, exact amounts. */
export type OrderView = {
  exOrdId: number
  account: AccountId
  clOrdId: string
  symbol: string
  side: Side
  ordType: OrderType
  ordStatus: OrderStatus
  timeInForce: TimeInForce
  price: Decimal | null
  stopPx: Decimal | null
  orderQty: Decimal
  /**
   * OPEN and PART_FILLED: the open quantity. CANCELED and EXPIRED: what was open before. REJECTED: orderQty. FILLED and
   * PENDING: 0.
   */
  leavesQty: Decimal
  cumQty: Decimal
  /** Volume-weighted and exact; 24 significant digits if the division does not end. Null before the first fill. */
  avgPx: Decimal | null
  lastPx: Decimal | null
  lastShares: Decimal | null
  text: string | null
  /** When the order was accepted or rejected; it never changes, so paging by it is stable. */
  timestamp: number
}

export type FillView = {
  exOrdId: number
  tradeId: number
  execId: number
  account: AccountId
  side: Side
  symbol: string
  price: Decimal
  qty: Decimal
  /** In the counter currency. */
  fee: Decimal
  timestamp: number
}

/** `num` is the number of orders at the price (level 2) or the order's id (level 3). Best first. */
export type BookEntryView = { px: Decimal; qty: Decimal; num: number }
export type BookView = {
  symbol: string
  bids: readonly BookEntryView[]
  asks: readonly BookEntryView[]
}

/** Best prices in whole ticks and lots, null for an empty side: for the practice market's own flow. */
export type TopOfBook = {
  bidTicks: number | null
  bidLots: number
  askTicks: number | null
  askLots: number
  lastTicks: number | null
}

/** `price24h` is the last price at least 24 hours old, otherwise the first one since. Null before the first trade. */
export type TickerView = {
  symbol: string
  lastTradePrice: Decimal | null
  price24h: Decimal | null
  volume24h: Decimal
}

/** `price` null: the book does not cross. `imbalance` above 0: buy orders are left over at the price. */
export type AuctionView = {
  price: Decimal | null
  size: Decimal
  imbalance: Decimal
  time: string | null
}

export type SymbolView = {
  id: number
  spec: SymbolSpec
  baseScale: number
  counterScale: number
  status: SymbolStatus
  /** Only in halt and halt-freeze. */
  auction: AuctionView | null
}

/** Rates are fractions: 0.002 is 0.2%. */
export type FeesView = {
  makerRate: Decimal
  takerRate: Decimal
  volumeInUSD: Decimal
}

export type DepositView = {
  depositId: string
  account: AccountId
  currency: string
  amount: Decimal
  /** With `:tag` if the currency has tags; `bank transfer` for fiat. */
  address: string
  txHash: string | null
  state: DepositState
  timestamp: number
}

export type WithdrawalView = {
  withdrawalId: string
  account: AccountId
  currency: string
  amount: Decimal
  fee: Decimal
  beneficiary: string
  state: WithdrawalStatus
  timestamp: number
}

type WhitelistView = {
  whitelistId: string
  name: string
  currency: string
}
export type KeyView = {
  keyId: number
  account: AccountId
  state: 'unverified' | 'verified' | 'revoked'
}
export type AccountView = {
  account: AccountId
  name: string
  hasTwoFactor: boolean
  keys: readonly KeyView[]
}

/** Bounds in ms are inclusive. `limit` is a whole number from 1; the caller caps it. */
export type OrdersQuery = {
  account: AccountId
  symbol?: string
  /** Any of these; absent: every status. */
  statuses?: readonly OrderStatus[]
  fromMs?: number
  toMs?: number
  limit: number
}
/** Orders after `afterId` in ascending order of id. */
export type OrdersAfterQuery = {
  account: AccountId
  afterId: number
  fromMs?: number
  limit: number
}
/** `fromExecId` and `toExecId` are inclusive too. */
export type FillsQuery = {
  account: AccountId
  symbol?: string
  fromMs?: number
  toMs?: number
  fromExecId?: number
  toExecId?: number
  limit: number
}
/** Deposits or withdrawals of an account. */
export type TransfersQuery = {
  account: AccountId
  fromMs?: number
  toMs?: number
}

/**
 * Read access to the exchange; no call changes anything. Undefined means that there is no such symbol, account, order…
 * `atMs` is the time for sliding figures; everything else is as of the last command.
 */
export interface ExchangeReader {
  /** The time of the last command. */
  nowMs(): number
  /** When the next working order expires, or undefined: send `advanceTime` then. */
  nextExpiryMs(): number | undefined

  symbols(): readonly SymbolView[]
  symbol(symbol: string): SymbolView | undefined
  /** Cheaper than `symbol`, which computes the auction of a halted one. */
  status(symbol: string): SymbolStatus | undefined
  currencies(): readonly string[]
  /** Level 2; `depth` limits each side to its best levels. Exactly level 3 summed by price. */
  l2(symbol: string, depth?: number): BookView | undefined
  l3(symbol: string, depth?: number): BookView | undefined
  top(symbol: string): TopOfBook | undefined
  tickers(atMs: number): readonly TickerView[]
  ticker(symbol: string, atMs: number): TickerView | undefined

  accounts(): readonly AccountView[]
  account(account: AccountId): AccountView | undefined
  accountByName(name: string): AccountView | undefined
  /** The key with this hash in any state: only a verified one may be admitted. */
  keyByHash(tokenHash: string): KeyView | undefined
  fees(account: AccountId, atMs: number): FeesView | undefined
  /** `rate` is USD per unit, 0 if unknown. */
  balances(account: AccountId): readonly Balance[]
  balance(account: AccountId, currency: string): Balance | undefined

  /** An order of this account, working or ended. */
  order(account: AccountId, exOrdId: number): OrderView | undefined
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
