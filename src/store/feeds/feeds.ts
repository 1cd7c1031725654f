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
 * What an account beside the primary one held by the last answer that had it. `isMissing`: the last answer has not, so
 * that what it holds now is unknown.
 */
export type OtherAccount = { balances: readonly Balance[]; unreadableCount: number; isMissing: boolean }

/** What is polled of the exchange, and what the desk keeps of it. */
export type FeedsSlice = {
  instruments: Feed<ReadonlyMap<string, Instrument>>
  /** Every symbol listed so far, so that a limit of one that is delisted is not misspelled; null while not known. */
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
  /** Those that the list of working orders holds all the same. */
  listedAgain: ListedAgain
  fills: Feed<readonly Fill[]>
  /** Fills beyond what their orders hold, oldest first: shown raw, and in no list or sum. */
  beyondFills: readonly BeyondOrder[]
  /** What the fills of the UTC day that limits count come to. */
  filledToday: DayFills
  /** What the session's and the UTC day's fills come to, by symbol and side. */
  fillSums: FillSums
  /** Of the primary account: all that orders and withdrawals are checked against. */
  balances: Feed<readonly Balance[]>
  /** Every other account that an answer of this run had, by its name. */
  otherAccounts: ReadonlyMap<string, OtherAccount>
  fees: Feed<Fees>
  /** Newest first. */
  withdrawals: Feed<readonly Withdrawal[]>
  /** Newest first. */
  deposits: Feed<readonly Deposit[]>
  whitelist: Feed<readonly WhitelistEntry[]>
  /** While feeds fail by which an outage is told: since when the exchange has not answered. */
  unansweredSinceMs: number | null
  /** What of the feeds cannot be read. */
  unreadable: UnreadableState
}

/** Nothing has answered yet; `exchangeNowMs` is of the day that fills are summed up for. */
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

/** Whether the list of working orders has every one: it was read to its end, and nothing of it is unreadable. */
export function isOrderListWhole({ unreadable }: Pick<FeedsSlice, 'unreadable'>): boolean {
  const { entries = [], isWhole = true } = unreadable.orders ?? {}
  return isWhole && entries.length === 0
}

/** What an empty list of working orders says. */
export const noOrdersListed = (state: Pick<FeedsSlice, 'unreadable'>): string =>
  isOrderListWhole(state) ? 'No working orders' : 'No working orders known'

/** `+` behind a count of working orders whose list is not whole: there may be more. */
export const cutMark = (state: Pick<FeedsSlice, 'unreadable'>): '' | '+' => (isOrderListWhole(state) ? '' : '+')

export const isOfMarket = (name: string): boolean => isFeedName(name) && feeds[name].isOfMarket

/** The feeds by which an outage is told. */
export const tellingFeeds: readonly FeedName[] = feedNames.filter((name) => feeds[name].tellsOutage)

/** Where those feeds are kept that are polled for each symbol by itself. */
const mapOf = { book: 'books', queue: 'queues' } as const

const isOfSymbol = (name: FeedName): name is keyof typeof mapOf => Object.hasOwn(mapOf, name)

/** The feeds, and the symbol shown: only its book is polled; another one's failure is from before the switch. */
export type ShownFeeds = FeedsSlice & { symbol: string }

export const feedOf = (state: ShownFeeds, name: FeedName): Feed<unknown> =>
  isOfSymbol(name) ? (state[mapOf[name]].get(state.symbol) ?? emptyFeed) : state[name]

/** The feed after a poll that failed. */
export function withFailure<S extends FeedsSlice>(state: S, event: Extract<FeedEvent, { type: 'feedFailed' }>): S {
  const { feed, symbol, sentence, isUnknownSymbol, atMs } = event
  if (!isOfSymbol(feed)) return { ...state, [feed]: failed<unknown>(state[feed], sentence, atMs) }
  if (symbol === null) return state
  const bySymbol: ReadonlyMap<string, Feed<unknown>> = state[mapOf[feed]]
  const known = bySymbol.get(symbol) ?? emptyFeed
  return { ...state, [mapOf[feed]]: new Map(bySymbol).set(symbol, failed(known, sentence, atMs, isUnknownSymbol)) }
}

/**
 * Everything that is known is older than the desk's own time tells: a virtual machine that was paused learns of it by
 * its wall clock alone. Where somebody has merely set that clock, the next answers put it right within seconds.
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
