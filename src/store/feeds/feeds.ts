import type { Balance, Fees } from '../../domain/balance.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import { type FeedName, feedNames, feeds, isFeedName } from '../../domain/desk/feeds.ts'
import type { ListedSymbols } from '../../domain/limits.ts'
import type { Book, OrderByOrderBook } from '../../domain/market/book.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Ticker } from '../../domain/market/ticker.ts'
import type { BeyondOrder } from '../../domain/orders/beyond-order.ts'
import { type DayFills, emptyDay, emptyFillSums, type Fill, type FillSums } from '../../domain/orders/fills.ts'
import { type ListedAgain, noneListedAgain } from '../../domain/orders/listed-again.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Deposit, WhitelistEntry, Withdrawal } from '../../domain/transfers/transfer.ts'
import type { PriceHistory } from '../price-history.ts'
import { aged, emptyFeed, type Feed, failed, nothingUnreadable, type UnreadableState } from './feed.ts'

/**
 * The holdings of a further account by its last answer. `isMissing`: the last answer lacked it, so its present holdings
 * are unknown.
 */
export type OtherAccount = { balances: readonly Balance[]; unreadableCount: number; isMissing: boolean }

/** The polled data of the exchange, and what the desk derives from it. */
export type FeedsSlice = {
  instruments: Feed<ReadonlyMap<string, Instrument>>
  /** Every symbol listed so far, so that a limit of a delisted one does not count as misspelled; null when unknown. */
  listedSymbols: ListedSymbols | null
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
  /** Ended orders that the list of working orders still has. */
  listedAgain: ListedAgain
  fills: Feed<readonly Fill[]>
  /** Fills that exceed their orders, oldest first: shown raw, and in no list or sum. */
  beyondFills: readonly BeyondOrder[]
  /** The sums of the fills of the UTC day that limits count. */
  filledToday: DayFills
  /** The sums of the session's and the UTC day's fills, by symbol and side. */
  fillSums: FillSums
  /** Balances of the primary account, against which orders and withdrawals are checked. */
  balances: Feed<readonly Balance[]>
  /** All other accounts of this run's answers, by name. */
  otherAccounts: ReadonlyMap<string, OtherAccount>
  fees: Feed<Fees>
  /** Newest first. */
  withdrawals: Feed<readonly Withdrawal[]>
  /** Newest first. */
  deposits: Feed<readonly Deposit[]>
  whitelist: Feed<readonly WhitelistEntry[]>
  /** During an outage, since when the exchange has not answered; otherwise null. */
  unansweredSinceMs: number | null
  /** The unreadable parts of the feeds. */
  unreadable: UnreadableState
}

/** The feeds before any answer; `exchangeNowMs` is of the day whose fills are summed. */
export const startFeeds = (nowMs: number, exchangeNowMs: number): FeedsSlice => ({
  instruments: emptyFeed,
  listedSymbols: null,
  books: new Map(),
  queues: new Map(),
  tickers: emptyFeed,
  priceHistory: new Map(),
  orders: emptyFeed,
  endedOrders: [],
  listedAgain: noneListedAgain,
  fills: emptyFeed,
  beyondFills: [],
  filledToday: emptyDay(exchangeNowMs),
  fillSums: emptyFillSums(nowMs),
  balances: emptyFeed,
  otherAccounts: new Map(),
  fees: emptyFeed,
  withdrawals: emptyFeed,
  deposits: emptyFeed,
  whitelist: emptyFeed,
  unansweredSinceMs: null,
  unreadable: nothingUnreadable,
})

/** True when the list of working orders is complete: read to its end, without unreadable entries. */
export function isOrderListWhole({ unreadable }: Pick<FeedsSlice, 'unreadable'>): boolean {
  const { entries = [], isWhole = true } = unreadable.orders ?? {}
  return isWhole && entries.length === 0
}

/** The text of an empty list of working orders. */
export const noOrdersListed = (state: Pick<FeedsSlice, 'unreadable'>): string =>
  isOrderListWhole(state) ? 'No working orders' : 'No working orders known'

/** `+` after a count of working orders when there may be more. */
export const cutMark = (state: Pick<FeedsSlice, 'unreadable'>): '' | '+' => (isOrderListWhole(state) ? '' : '+')

export const isOfMarket = (name: string): boolean => isFeedName(name) && feeds[name].isOfMarket

/** The feeds whose failure is an outage. */
export const tellingFeeds: readonly FeedName[] = feedNames.filter((name) => feeds[name].tellsOutage)

/** The state's maps of feeds that are polled by symbol. */
const mapOf = { book: 'books', queue: 'queues' } as const

const isOfSymbol = (name: FeedName): name is keyof typeof mapOf => Object.hasOwn(mapOf, name)

/** The feeds, and the shown symbol: only its book is polled, and another one's failure is outdated. */
export type ShownFeeds = FeedsSlice & { symbol: string }

export const feedOf = (state: ShownFeeds, name: FeedName): Feed<unknown> =>
  isOfSymbol(name) ? (state[mapOf[name]].get(state.symbol) ?? emptyFeed) : state[name]

/** The state after a failed poll. */
export function withFailure<S extends FeedsSlice>(state: S, event: Extract<FeedEvent, { type: 'feedFailed' }>): S {
  const { feed, symbol, sentence, isUnknownSymbol, atMs } = event
  if (!isOfSymbol(feed)) return { ...state, [feed]: failed<unknown>(state[feed], sentence, atMs) }
  if (symbol === null) return state
  const bySymbol: ReadonlyMap<string, Feed<unknown>> = state[mapOf[feed]]
  const known = bySymbol.get(symbol) ?? emptyFeed
  return { ...state, [mapOf[feed]]: new Map(bySymbol).set(symbol, failed(known, sentence, atMs, isUnknownSymbol)) }
}

/**
 * Ages all feeds: a virtual machine that was paused notices it only by its wall clock. If someone merely set that
 * clock, the next answers correct the ages within seconds.
 */
export function withAgedFeeds<S extends FeedsSlice>(state: S, byMs: number): S {
  const older = feedNames.map((name): [string, unknown] => {
    if (!isOfSymbol(name)) return [name, aged<unknown>(state[name], byMs)]
    const bySymbol: ReadonlyMap<string, Feed<unknown>> = state[mapOf[name]]
    return [mapOf[name], new Map([...bySymbol].map(([symbol, feed]) => [symbol, aged(feed, byMs)]))]
  })
  const { unansweredSinceMs: sinceMs } = state
  return { ...state, ...Object.fromEntries(older), unansweredSinceMs: sinceMs === null ? null : sinceMs - byMs }
}
