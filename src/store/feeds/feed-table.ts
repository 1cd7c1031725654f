import type { FeedEvent, FeedName } from '../../domain/desk/events.ts'
import type { LadderSlice } from '../ladder/ladder.ts'
import { aged, emptyFeed, type Feed, failed } from './feed.ts'
import type { FeedsSlice } from './feeds.ts'

/**
 * What tells one feed from another once it has answered. `isOfMarket`: an answer about prices, which may have lain
 * ready while the desk stood still. `tellsOutage`: what is on screen rests on it, so its failure is news and its age
 * an alert. Labels, paces and limits of age are in `domain/desk/feeds.ts`.
 */
type FeedRow = { isOfMarket: boolean; tellsOutage: boolean }

const feedTable: Readonly<Record<FeedName, FeedRow>> = {
  book: { isOfMarket: true, tellsOutage: true },
  queue: { isOfMarket: true, tellsOutage: false },
  tickers: { isOfMarket: true, tellsOutage: true },
  orders: { isOfMarket: false, tellsOutage: true },
  fills: { isOfMarket: false, tellsOutage: true },
  balances: { isOfMarket: false, tellsOutage: true },
  instruments: { isOfMarket: false, tellsOutage: true },
  fees: { isOfMarket: false, tellsOutage: true },
  withdrawals: { isOfMarket: false, tellsOutage: false },
  deposits: { isOfMarket: false, tellsOutage: false },
  whitelist: { isOfMarket: false, tellsOutage: false },
}

const isFeedName = (name: string): name is FeedName => Object.hasOwn(feedTable, name)
const feedNames = Object.keys(feedTable).filter(isFeedName)

export const isOfMarket = (name: string): boolean => isFeedName(name) && feedTable[name].isOfMarket

/** The feeds by which an outage is told. */
export const tellingFeeds: readonly FeedName[] = feedNames.filter((name) => feedTable[name].tellsOutage)

/** Where the feeds are that there is one of for each symbol. */
const mapOf = { book: 'books', queue: 'queues' } as const

const isOfSymbol = (name: FeedName): name is keyof typeof mapOf => Object.hasOwn(mapOf, name)

// Only the shown symbol's book is polled: another one's failure is from before the switch.
export const feedOf = (state: FeedsSlice & Pick<LadderSlice, 'symbol'>, name: FeedName): Feed<unknown> =>
  isOfSymbol(name) ? (state[mapOf[name]].get(state.symbol) ?? emptyFeed) : state[name]

/** The feed after a poll that failed. */
export function withFailure<S extends FeedsSlice>(state: S, event: Extract<FeedEvent, { type: 'feedFailed' }>): S {
  const { feed, symbol, sentence, atMs } = event
  if (!isOfSymbol(feed)) return { ...state, [feed]: failed<unknown>(state[feed], sentence, atMs) }
  if (symbol === null) return state
  const feeds: ReadonlyMap<string, Feed<unknown>> = state[mapOf[feed]]
  const known = feeds.get(symbol) ?? emptyFeed
  return { ...state, [mapOf[feed]]: new Map(feeds).set(symbol, failed(known, sentence, atMs)) }
}

/**
 * Everything that is known is older than the desk's own time tells: a virtual machine that was paused learns of it by
 * its wall clock alone. Where somebody has merely set that clock, the next answers put it right within seconds.
 */
export function withAgedFeeds<S extends FeedsSlice>(state: S, byMs: number): S {
  const older = feedNames.map((name): [string, unknown] => {
    if (!isOfSymbol(name)) return [name, aged<unknown>(state[name], byMs)]
    const feeds: ReadonlyMap<string, Feed<unknown>> = state[mapOf[name]]
    return [mapOf[name], new Map([...feeds].map(([symbol, feed]) => [symbol, aged(feed, byMs)]))]
  })
  return { ...state, ...Object.fromEntries(older) }
}
