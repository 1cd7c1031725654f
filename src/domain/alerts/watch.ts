import { dayMs } from '../../base/text/time-text.ts'
import type { FeedName } from '../desk/feeds.ts'
import { type Book, bestAsk, bestBid, midPrice, spread } from '../market/book.ts'
import { type Decimal, formatGrouped } from '../money.ts'

/** The price a watch observes: the last trade, the best prices of the book, or the mid or spread between them. */
export const watchedPrices = ['last', 'bid', 'ask', 'mid', 'spread'] as const
export type WatchedPrice = (typeof watchedPrices)[number]
export type Comparison = '>' | '<'

/** A symbol's prices at one moment; unknown ones are missing. */
export type Quote = { symbol: string; prices: Readonly<Partial<Record<WatchedPrice, Decimal>>> }

/**
 * The state of a watch. It fires only on a crossing: from `near`, the side it waits on, to beyond its level. Armed
 * while the price is already beyond, it is `beyond` until the price returns.
 */
type WatchState =
  | { kind: 'unseen' }
  | { kind: 'near' }
  | { kind: 'beyond' }
  | { kind: 'fired'; atMs: number; price: Decimal }

/** A price watch created by the user. */
export type Watch = {
  /** Its number for the user; never reused. */
  id: number
  symbol: string
  price: WatchedPrice
  comparison: Comparison
  /** At the level itself too, as one that a price reaches; missing for past it only. */
  orAt?: true | undefined
  level: Decimal
  /** Decimals of the symbol's displayed prices. */
  priceScale: number
  /** True to fire at once when the price is beyond the level while it is armed. */
  isAtOnce: boolean
  /** True to rearm itself once the price has returned, at most once in `rearmAfterMs`; otherwise the user rearms it. */
  repeats: boolean
  /** How often the user rearmed it, by which other processes of the profile see that; missing for never. */
  armedCount?: number | undefined
  state: WatchState
}

/** Minimum time between two alerts of a repeating watch, so that a price at its level does not ring all day. */
export const rearmAfterMs = 60_000

/** Longest snooze. */
export const snoozeMaxMs = dayMs

/** True when the price is past the level; at it only where the watch counts that. */
export const isBeyond = ({ comparison, level, orAt }: Watch, price: Decimal): boolean =>
  (comparison === '>' ? price.gt(level) : price.lt(level)) || (orAt === true && price.eq(level))

/** The state of a watch after a price at a time; the same object when unchanged. */
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

/** The watchable prices of a book; those of an empty side are missing. */
export function quoteOfBook(book: Book): Quote {
  const found = { bid: bestBid(book), ask: bestAsk(book), mid: midPrice(book), spread: spread(book) }
  const prices: Partial<Record<WatchedPrice, Decimal>> = {}
  for (const name of ['bid', 'ask', 'mid', 'spread'] as const) {
    const price = found[name]
    if (price !== null) prices[name] = price
  }
  return { symbol: book.symbol, prices }
}

/** A price with the symbol's decimals, and more if it has more digits. */
export const priceText = (price: Decimal, { priceScale }: Pick<Watch, 'priceScale'>): string =>
  formatGrouped(price, Math.max(priceScale, price.decimalPlaces()))

/** A watch as typed: `BTC-USD last > 70,000.00`. */
export const watchText = (watch: Watch): string =>
  `${watch.symbol} ${watch.price} ${watch.comparison}${watch.orAt ? '=' : ''} ${priceText(watch.level, watch)}`

/** The symbols whose books are needed by watches that can still fire, each once. */
export function symbolsOfBooks(watches: readonly Watch[]): string[] {
  const needed = watches.filter(({ price, state, repeats }) => price !== 'last' && (state.kind !== 'fired' || repeats))
  return [...new Set(needed.map(({ symbol }) => symbol))]
}

/** Standing alerts, on by default. */
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

/** The word for each, and its description. */
export const standingWords: Readonly<Record<StandingKind, { word: string; meaning: string }>> = {
  fill: { word: 'fills', meaning: 'an order is filled, in part or whole' },
  orderEnded: { word: 'orders', meaning: 'an order ends, unless you canceled it' },
  staleFeed: { word: 'stale', meaning: 'a feed on screen is stale' },
  transfer: { word: 'transfers', meaning: 'a withdrawal or deposit changes' },
  gatewayFailed: { word: 'gateway', meaning: 'a gateway order fails or is stuck' },
}

/** The kind of a typed word; undefined for other words. */
export const standingOf = (word: string): StandingKind | undefined =>
  standingKinds.find((kind) => standingWords[kind].word === word || standingWords[kind].word === `${word}s`)

/**
 * The present age of a feed: when its last answer came, how long the desk has waited since, not counting time it was
 * stopped, and whether that exceeds the limit.
 */
export type FeedAge = { feed: FeedName; answeredAtMs: number; waitedMs: number; isStale: boolean }

/** The stale feeds, and when each was found stale. */
export type StaleFeeds = ReadonlyMap<FeedName, number>

/**
 * Finds feeds whose staleness is news. An outage makes one feed after another stale, slow ones long after fast ones, so
 * a feed is news only if it still answered after every other stale one was found stale. The same map when unchanged.
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
