import { type FeedName, feeds } from '../../domain/desk/feeds.ts'
import type { UnreadableEntry } from '../../domain/listing.ts'
import type { Known } from '../../domain/orders/checks/check.ts'

/** A polled value with its age. The value stays when a poll fails: it is shown as what it is, old. */
export type Feed<T> = {
  value: T | null
  /** When the answer arrived, in desk time. */
  atMs: number | null
  /** Set while polls fail; cleared by the next answer. `isUnknownSymbol`: the exchange answers that there is none. */
  failure: { sinceMs: number; sentence: string; isUnknownSymbol?: true } | null
  /** The age from which on it looks stale, where that is not the usual one: a person asked for longer pauses. */
  staleAfterMs?: number
}

/** What every answer tells beside what it brought. */
type Arrival = { atMs: number; staleAfterMs?: number }

export const emptyFeed: Feed<never> = {
  value: null,
  atMs: null,
  failure: null,
}

/** The feed after an answer. */
export const arrived = <T>(value: T, atMs: number): Feed<T> => ({ value, atMs, failure: null })

/** The feed after an answer that may bring a limit of its own along. */
export const answered = <T>(value: T, { atMs, staleAfterMs }: Arrival): Feed<T> =>
  staleAfterMs === undefined ? arrived(value, atMs) : { ...arrived(value, atMs), staleAfterMs }

/** The feed after a poll without an answer: the value and its age stay, the first failure's time too. */
export const failed = <T>(feed: Feed<T>, sentence: string, atMs: number, isUnknownSymbol = false): Feed<T> => ({
  ...feed,
  failure: {
    sinceMs: feed.failure?.sinceMs ?? atMs,
    sentence,
    ...(isUnknownSymbol ? { isUnknownSymbol } : {}),
  },
})

/** The feed with its answer and its failure `byMs` longer ago. */
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

/** Whether what is polled beside the exchange's feeds, each with a limit of its own, is older than that limit. */
export function isOlderThan(feed: Feed<unknown>, staleAfterMs: number, nowMs: number): boolean {
  const age = ageMs(feed, nowMs)
  return age !== null && age > staleAfterMs
}

/**
 * The feed as the checks take it: fresh, stale, or never seen. They rest on what is young, however long the pauses that
 * somebody asked for.
 */
export function known<T>(feed: Feed<T>, name: FeedName, nowMs: number): Known<T> {
  if (feed.value === null || feed.atMs === null) return { kind: 'missing' }
  return isOlderThan(feed, feeds[name].staleAfterMs, nowMs)
    ? { kind: 'stale', ageMs: nowMs - feed.atMs }
    : { kind: 'fresh', value: feed.value }
}

/** What of a feed's last answer cannot be read, and whether the answer was the whole list. */
export type FeedGaps = {
  entries: readonly UnreadableEntry[]
  isWhole: boolean
  /** Entries that have been reported, each once; the oldest are forgotten. */
  toldKeys: readonly string[]
}

/** Feeds that have, or had, entries which cannot be read. */
export type UnreadableState = Readonly<Partial<Record<FeedName, FeedGaps>>>

export const nothingUnreadable: UnreadableState = {}
