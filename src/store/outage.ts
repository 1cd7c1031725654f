import { emptyFeed } from './feed.ts'
import { noted } from './log.ts'
import type { DeskState } from './state.ts'

/** When the oldest failure of a feed began, or null while every feed answers; and what it says. */
export function failingSince(state: DeskState): { sinceMs: number; sentence: string } | null {
  const { instruments, tickers, orders, fills, balances, fees } = state
  // Only the shown symbol's book is polled: another one's failure is from before the switch.
  const feeds = [instruments, tickers, orders, fills, balances, fees, state.books.get(state.symbol) ?? emptyFeed]
  return feeds.reduce<{ sinceMs: number; sentence: string } | null>((oldest, { failure }) => {
    if (failure === null) return oldest
    return oldest === null || failure.sinceMs < oldest.sinceMs ? failure : oldest
  }, null)
}

/** Writes the beginning and the end of an outage into the log: once each, however many feeds it takes. */
export function withOutageNoted(before: DeskState, after: DeskState, atMs: number): DeskState {
  const failedBefore = failingSince(before)
  const failsNow = failingSince(after)
  if (failedBefore === null && failsNow !== null) {
    return noted(after, 'warn', `The exchange does not answer as it should: ${failsNow.sentence}.`, atMs)
  }
  if (failedBefore !== null && failsNow === null) {
    const seconds = Math.round((atMs - failedBefore.sinceMs) / 1000)
    return noted(after, 'good', `The exchange answers again after ${seconds} s.`, atMs)
  }
  return after
}
