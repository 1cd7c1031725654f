import type { Balance, Fees, Ticker } from '../../domain/balance.ts'
import type { Book, OrderByOrderBook } from '../../domain/market/book.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import { type DayFills, emptyDay, emptyFillSums, type Fill, type FillSums } from '../../domain/orders/fills.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Deposit, WhitelistEntry, Withdrawal } from '../../domain/transfers/transfer.ts'
import type { PriceHistory } from '../chart.ts'
import { emptyFeed, type Feed, nothingUnreadable, type UnreadableState } from './feed.ts'

/** What is polled of the exchange, and what the desk keeps of it. */
export type FeedsSlice = {
  instruments: Feed<ReadonlyMap<string, Instrument>>
  books: ReadonlyMap<string, Feed<Book>>
  /** Level 3 of the symbols whose ladders show it. */
  queues: ReadonlyMap<string, Feed<OrderByOrderBook>>
  tickers: Feed<ReadonlyMap<string, Ticker>>
  /** The last prices of every symbol since the desk started. */
  priceHistory: PriceHistory
  /** Working orders, newest first. */
  orders: Feed<readonly Order[]>
  /** Orders that ended while this desk watched, newest first, bounded. */
  endedOrders: readonly Order[]
  fills: Feed<readonly Fill[]>
  /** What this UTC day's fills come to. */
  filledToday: DayFills
  /** What the session's and the UTC day's fills come to, by symbol and side. */
  fillSums: FillSums
  balances: Feed<readonly Balance[]>
  fees: Feed<Fees>
  /** Newest first. */
  withdrawals: Feed<readonly Withdrawal[]>
  /** Newest first. */
  deposits: Feed<readonly Deposit[]>
  whitelist: Feed<readonly WhitelistEntry[]>
  /** What of the feeds cannot be read. */
  unreadable: UnreadableState
}

/** Nothing has answered yet; `exchangeNowMs` is of the day that fills are summed up for. */
export const startFeeds = (nowMs: number, exchangeNowMs: number): FeedsSlice => ({
  instruments: emptyFeed,
  books: new Map(),
  queues: new Map(),
  tickers: emptyFeed,
  priceHistory: new Map(),
  orders: emptyFeed,
  endedOrders: [],
  fills: emptyFeed,
  filledToday: emptyDay(exchangeNowMs),
  fillSums: emptyFillSums(nowMs),
  balances: emptyFeed,
  fees: emptyFeed,
  withdrawals: emptyFeed,
  deposits: emptyFeed,
  whitelist: emptyFeed,
  unreadable: nothingUnreadable,
})
