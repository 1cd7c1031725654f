import { type FeedName, feeds } from '../../domain/desk/feeds.ts'
import type { UnreadableEntry } from '../../domain/listing.ts'
import type { Known } from '../../domain/orders/checks/check.ts'

/** A polled value with its age. A failed poll keeps the value, which is shown as old. */
export type Feed<T> = {
  value: T | null
  /** When the answer arrived, in desk time. */
  atMs: number | null
  /** Set while polls fail, until the next answer. `isUnknownSymbol`: the exchange says that there is none. */
  failure: { sinceMs: number; sentence: string; isUnknownSymbol?: true } | null
  /** The age at which it is stale, if not the usual one, because the user set longer pauses. */
  staleAfterMs?: number
}

/** The facts of every answer besides its value. */
type Arrival = { atMs: number; staleAfterMs?: number }

export const emptyFeed: Feed<never> = {
  value: null,
  atMs: null,
  failure: null,
}

/** The feed after an answer. */
export const arrived = <T>(value: T, atMs: number): Feed<T> => ({ value, atMs, failure: null })

/** The feed after an answer that may have a stale limit of its own. */
export const answered = <T>(value: T, { atMs, staleAfterMs }: Arrival): Feed<T> =>
  staleAfterMs === undefined ? arrived(value, atMs) : { ...arrived(value, atMs), staleAfterMs }

/** The feed after a failed poll: the value, its age, and the time of the first failure stay. */
export const failed = <T>(feed: Feed<T>, sentence: string, atMs: number, isUnknownSymbol = false): Feed<T> => ({
  ...feed,
  failure: {
    sinceMs: feed.failure?.sinceMs ?? atMs,
    sentence,
    ...(isUnknownSymbol ? { isUnknownSymbol } : {}),
  },
})

/** The feed with its answer and failure `byMs` older. */
export const aged = <T>(feed: Feed<T>, byMs: number): Feed<T> => ({
  ...feed,
  atMs: feed.atMs === null ? null : feed.atMs - byMs,
  failure: feed.failure === null ? null : { ...feed.failure, sinceMs: feed.failure.sinceMs - byMs },
})

export const ageMs = (feed: Feed<unknown>, nowMs: number): number | null =>
  feed.atMs === null ? null : Math.max(0, nowMs - feed.atMs)

export function isStale(feed: Feed<unknown>, name: FeedName, nowMs: number): boolean {
  return isOlderThan(feed, feed.staleAfterMs ?? feeds[name].staleAfterMs, nowMs)
}

/** True when a value polled beside the exchange's feeds is older than its limit. */
export function isOlderThan(feed: Feed<unknown>, staleAfterMs: number, nowMs: number): boolean {
  const age = ageMs(feed, nowMs)
  return age !== null && age > staleAfterMs
}

/**
 * The feed for checks: fresh, stale, or never loaded, by the usual limit, however long the pauses that the user set.
 */
export function known<T>(feed: Feed<T>, name: FeedName, nowMs: number): Known<T> {
  if (feed.value === null || feed.atMs === null) return { kind: 'missing' }
  return isOlderThan(feed, feeds[name].staleAfterMs, nowMs)
    ? { kind: 'stale', ageMs: nowMs - feed.atMs }
    : { kind: 'fresh', value: feed.value }
}

/** The unreadable part of a feed's last answer, and whether the answer was the whole list. */
export type FeedGaps = {
  entries: readonly UnreadableEntry[]
  isWhole: boolean
  /** Reported entries, each once; the oldest are forgotten. */
  toldKeys: readonly string[]
}

/** Feeds with unreadable entries now or before. */
export type UnreadableState = Readonly<Partial<Record<FeedName, FeedGaps>>>

export const nothingUnreadable: UnreadableState = {}
