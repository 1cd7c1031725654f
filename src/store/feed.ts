import type { FeedName } from '../domain/desk-events.ts'
import type { Known } from '../domain/known.ts'

/** A polled value with its age. The value stays when a poll fails: it is shown as what it is, old. */
export type Feed<T> = {
  value: T | null
  /** When the answer arrived, by the desk's clock. */
  atMs: number | null
  /** Set while polls fail; cleared by the next answer. */
  failure: { sinceMs: number; sentence: string } | null
}

/** Past its limit a feed looks stale and blocks what depends on it. Rules, fees and transfers change rarely: theirs is longer. */
export const staleAfterMs: Record<FeedName, number> = {
  book: 5_000,
  queue: 5_000,
  tickers: 15_000,
  orders: 10_000,
  fills: 15_000,
  balances: 15_000,
  instruments: 60_000,
  fees: 600_000,
  withdrawals: 60_000,
  deposits: 60_000,
  whitelist: 300_000,
}

export const emptyFeed: Feed<never> = {
  value: null,
  atMs: null,
  failure: null,
}

/** The feed after an answer. */
export const arrived = <T>(value: T, atMs: number): Feed<T> => ({
  value,
  atMs,
  failure: null,
})

/** The feed after a poll without an answer: the value and its age stay, the first failure's time too. */
export const failed = <T>(feed: Feed<T>, sentence: string, atMs: number): Feed<T> => ({
  ...feed,
  failure: { sinceMs: feed.failure?.sinceMs ?? atMs, sentence },
})

export const ageMs = (feed: Feed<unknown>, nowMs: number): number | null =>
  feed.atMs === null ? null : Math.max(0, nowMs - feed.atMs)

export function isStale(feed: Feed<unknown>, name: FeedName, nowMs: number): boolean {
  return isOlderThan(feed, staleAfterMs[name], nowMs)
}

/** The same for what is polled beside the exchange's feeds, each with a limit of its own. */
export function isOlderThan(feed: Feed<unknown>, staleAfterMs: number, nowMs: number): boolean {
  const age = ageMs(feed, nowMs)
  return age !== null && age > staleAfterMs
}

/** The feed as the checks take it: fresh, stale, or never seen. */
export function known<T>(feed: Feed<T>, name: FeedName, nowMs: number): Known<T> {
  if (feed.value === null || feed.atMs === null) return { kind: 'missing' }
  return isStale(feed, name, nowMs) ? { kind: 'stale', ageMs: nowMs - feed.atMs } : { kind: 'fresh', value: feed.value }
}
