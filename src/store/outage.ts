import { emptyFeed, type Feed } from './feed.ts'
import { noted } from './log.ts'
import type { DeskState } from './state.ts'

/** The feeds by which an outage is told. */
const tellingFeeds = ['instruments', 'tickers', 'orders', 'fills', 'balances', 'fees', 'book'] as const
export type TellingFeed = (typeof tellingFeeds)[number]

// Only the shown symbol's book is polled: another one's failure is from before the switch.
const feedOf = (state: DeskState, name: TellingFeed): Feed<unknown> =>
  name === 'book' ? (state.books.get(state.symbol) ?? emptyFeed) : state[name]

/**
 * The feeds that fail still while another one, that failed until now, has been answered; none as long as none is
 * answered again.
 */
export function leftFailing(state: DeskState, before: DeskState): readonly TellingFeed[] {
  const hasFailed = (of: DeskState, name: TellingFeed) => feedOf(of, name).failure !== null
  if (!tellingFeeds.some((name) => hasFailed(before, name) && !hasFailed(state, name))) return []
  return tellingFeeds.filter((name) => hasFailed(state, name))
}

/** When the oldest failure of a feed began, or null while every feed answers; and what it says. */
export function failingSince(state: DeskState): { sinceMs: number; sentence: string } | null {
  const feeds = tellingFeeds.map((name) => feedOf(state, name))
  return feeds.reduce<{ sinceMs: number; sentence: string } | null>((oldest, { failure }) => {
    if (failure === null) return oldest
    return oldest === null || failure.sinceMs < oldest.sinceMs ? failure : oldest
  }, null)
}

/** Without an answer for so long, while something fails, what was measured of the connection is of the past. */
const silentAfterMs = 3_000

/** Whether nothing of the exchange has answered for a while, and something fails. */
export function isSilent(state: DeskState): boolean {
  if (failingSince(state) === null) return false
  const answered = tellingFeeds.map((name) => feedOf(state, name).atMs ?? Number.NEGATIVE_INFINITY)
  return state.nowMs - Math.max(...answered) > silentAfterMs
}

/** Writes the beginning and the end of an outage into the log: once each, however many feeds it takes. */
export function withOutageNoted(before: DeskState, after: DeskState, atMs: number): DeskState {
  const failedBefore = failingSince(before)
  const failsNow = failingSince(after)
  if (failedBefore === null && failsNow !== null) {
    return noted(after, 'warn', `Exchange failing: ${failsNow.sentence}.`, atMs)
  }
  if (failedBefore !== null && failsNow === null) {
    const seconds = Math.round((atMs - failedBefore.sinceMs) / 1000)
    return noted(after, 'good', `The exchange answers again after ${seconds} s.`, atMs)
  }
  return after
}
