import { dayMs } from '../../base/time-text.ts'
import type { FeedName } from '../desk/feeds.ts'
import { type Book, bestAsk, bestBid, midPrice, spread } from '../market/book.ts'
import { type Decimal, formatGrouped } from '../money.ts'

/** What a watch looks at: the last trade, or the best prices of the book and what lies between them. */
export const watchedPrices = ['last', 'bid', 'ask', 'mid', 'spread'] as const
export type WatchedPrice = (typeof watchedPrices)[number]
export type Comparison = '>' | '<'

/** What is known of a symbol's prices at one moment; a price that is not known is left out. */
export type Quote = { symbol: string; prices: Readonly<Partial<Record<WatchedPrice, Decimal>>> }

/**
 * Where a watch stands. It fires by a crossing only: from `near`, the side it waits on, to beyond its level. Armed
 * while the price is beyond already it is `beyond` and lets the price come back first.
 */
type WatchState =
  | { kind: 'unseen' }
  | { kind: 'near' }
  | { kind: 'beyond' }
  | { kind: 'fired'; atMs: number; price: Decimal }

/** A watch on a price, made by a person. */
export type Watch = {
  /** Names it for the person; never used twice. */
  id: number
  symbol: string
  price: WatchedPrice
  comparison: Comparison
  level: Decimal
  /** Decimals that the symbol's prices are shown with. */
  priceScale: number
  /** Fires at once when the price is beyond the level while it is armed. */
  isAtOnce: boolean
  /** Arms itself again once the price has come back, at most once in `rearmAfterMs`; otherwise a person does. */
  repeats: boolean
  state: WatchState
}

/** A price that dances on a level must not ring all day: a watch that repeats rests this long after it fired. */
export const rearmAfterMs = 60_000

/** The longest that alerts may be kept quiet. */
export const snoozeMaxMs = dayMs

/** Whether the price is past the level; at the level it is not. */
export const isBeyond = ({ comparison, level }: Watch, price: Decimal): boolean =>
  comparison === '>' ? price.gt(level) : price.lt(level)

/** The state of the watch after a price at a time; the same object when nothing changed. */
export function nextWatchState(watch: Watch, price: Decimal, atMs: number): WatchState {
  const { state } = watch
  const beyond = isBeyond(watch, price)
  switch (state.kind) {
    case 'unseen':
      if (!beyond) return { kind: 'near' }
      return watch.isAtOnce ? { kind: 'fired', atMs, price } : { kind: 'beyond' }
    case 'near':
      return beyond ? { kind: 'fired', atMs, price } : state
    case 'beyond':
      return beyond ? state : { kind: 'near' }
    case 'fired':
      return watch.repeats && !beyond && atMs - state.atMs >= rearmAfterMs ? { kind: 'near' } : state
  }
}

/** The prices of a book that a watch may look at; those of an empty side are left out. */
export function quoteOfBook(book: Book): Quote {
  const found = { bid: bestBid(book), ask: bestAsk(book), mid: midPrice(book), spread: spread(book) }
  const prices: Partial<Record<WatchedPrice, Decimal>> = {}
  for (const name of ['bid', 'ask', 'mid', 'spread'] as const) {
    const price = found[name]
    if (price !== null) prices[name] = price
  }
  return { symbol: book.symbol, prices }
}

/** A price with the symbol's own decimals, and more where it is finer: no digit is lost. */
export const priceText = (price: Decimal, { priceScale }: Pick<Watch, 'priceScale'>): string =>
  formatGrouped(price, Math.max(priceScale, price.decimalPlaces()))

/** The watch as one types it: `BTC-USD last > 70,000.00`. */
export const watchText = (watch: Watch): string =>
  `${watch.symbol} ${watch.price} ${watch.comparison} ${priceText(watch.level, watch)}`

/** Symbols whose books are looked at, each once: those of the watches that can still fire by themselves. */
export function symbolsOfBooks(watches: readonly Watch[]): string[] {
  const needed = watches.filter(({ price, state, repeats }) => price !== 'last' && (state.kind !== 'fired' || repeats))
  return [...new Set(needed.map(({ symbol }) => symbol))]
}

/** Alerts that are on unless the user switches them off. */
export const standingKinds = ['fill', 'orderEnded', 'staleFeed', 'transfer', 'gatewayFailed'] as const
export type StandingKind = (typeof standingKinds)[number]
export type Standing = Readonly<Record<StandingKind, boolean>>

export const allStanding: Standing = {
  fill: true,
  orderEnded: true,
  staleFeed: true,
  transfer: true,
  gatewayFailed: true,
}

/** How a person writes each, and what it tells of. */
export const standingWords: Readonly<Record<StandingKind, { word: string; meaning: string }>> = {
  fill: { word: 'fills', meaning: 'an order is filled, in part or whole' },
  orderEnded: { word: 'orders', meaning: 'an order ends, unless you canceled it' },
  staleFeed: { word: 'stale', meaning: 'a feed on screen is stale' },
  transfer: { word: 'transfers', meaning: 'a withdrawal or deposit changes' },
  gatewayFailed: { word: 'gateway', meaning: 'a gateway order fails or is stuck' },
}

/** The kind a person's word stands for; undefined for any other word. */
export const standingOf = (word: string): StandingKind | undefined =>
  standingKinds.find((kind) => standingWords[kind].word === word || standingWords[kind].word === `${word}s`)

/**
 * A feed as it stands now: when its last answer came, how long the desk has waited since, without the time in which it
 * stood still itself, and whether that is longer than its limit.
 */
export type FeedAge = { feed: FeedName; answeredAtMs: number; waitedMs: number; isStale: boolean }

/** Feeds that are stale now, with the moment each was found so. */
export type StaleFeeds = ReadonlyMap<FeedName, number>

/**
 * Which feeds have become stale in a way that is news. One outage makes one feed after the other stale, the slow ones
 * long after the quick ones: a feed is news only when it still answered after every other stale one was found stale.
 * The same map when nothing changed.
 */
export function stepStaleness(
  before: StaleFeeds,
  feeds: readonly FeedAge[],
  nowMs: number,
): { stale: StaleFeeds; news: FeedAge[] } {
  const isSame = feeds.every(({ feed, isStale }) => before.has(feed) === isStale)
  const hasLeft = [...before.keys()].some((feed) => !feeds.some((each) => each.feed === feed))
  if (isSame && !hasLeft) return { stale: before, news: [] }
  const stale = new Map<FeedName, number>()
  for (const { feed, isStale } of feeds) if (isStale) stale.set(feed, before.get(feed) ?? nowMs)
  const stillStale = [...before].filter(([feed]) => stale.has(feed)).map(([, foundAtMs]) => foundAtMs)
  const news = feeds
    .filter(({ feed, isStale }) => isStale && !before.has(feed))
    .filter(({ answeredAtMs }) => stillStale.every((foundAtMs) => foundAtMs < answeredAtMs))
    .toSorted((left, right) => left.answeredAtMs - right.answeredAtMs)
  return { stale, news: news.slice(0, 1) }
}
