import type { FeedName } from '../desk-events.ts'

/** A feed as it stands now: when its last answer came, and whether that is longer ago than its limit. */
export type FeedAge = { feed: FeedName; answeredAtMs: number; isStale: boolean }

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
  const isSame = feeds.every(({ feed, isStale }) => before.has(feed) === isStale) && before.size <= feeds.length
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
