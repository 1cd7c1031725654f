import type { FeedName } from './events.ts'

/** Everything that is polled by itself: the feeds, and those of a second symbol. */
export type PolledName = FeedName | 'otherBook' | 'otherQueue'

/** How much an answer is needed now. */
export type Need =
  /** A decision rests on it, or something of one's own is under way. */
  | 'critical'
  /** It is on screen. */
  | 'visible'
  /** It is on screen, and nobody acts on it: a ladder that nobody is at, the account of a desk that only watches. */
  | 'secondary'
  /** Nobody sees it; news, alerts and the next look rest on it. */
  | 'hidden'
  /** Nothing rests on it. */
  | 'none'

export type Needs = Readonly<Record<PolledName, Need>>

/** The feed that an answer belongs to. */
export const feedOfPolled = (name: PolledName): FeedName =>
  name === 'otherBook' ? 'book' : name === 'otherQueue' ? 'queue' : name

/**
 * Past its limit a feed looks stale and blocks what depends on it. Rules, fees and transfers change rarely: theirs is
 * longer.
 */
export const staleAfterMs: Readonly<Record<FeedName, number>> = {
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

/** What an answer may take beyond its pause. */
const answerMs = 2_000

/**
 * The age from which on a feed looks stale that is asked for after pauses of `pauseMs`: its usual limit, or where such
 * pauses are too long for it, the age at which two polls in a row have brought nothing. Never less than the usual
 * limit.
 */
export const staleLimitMs = (feed: FeedName, pauseMs: number): number =>
  Math.max(staleAfterMs[feed], 2 * (pauseMs + answerMs))
