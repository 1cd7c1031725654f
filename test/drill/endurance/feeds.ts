import type { DeskState } from '../../../src/store/desk.ts'

export type ArrivedFeed = { name: string; atMs: number | null; isFailing: boolean }

/** Everything that is polled whatever is on screen, with the time of its last answer. */
export function arrivedFeeds(state: DeskState): ArrivedFeed[] {
  const { instruments, tickers, orders, fills, balances, fees, withdrawals, deposits, whitelist } = state
  const feeds = { instruments, tickers, orders, fills, balances, fees, withdrawals, deposits, whitelist }
  const book = state.books.get(state.symbol)
  return [...Object.entries(feeds), ...(book === undefined ? [] : [['book', book] as const])].map(([name, feed]) => ({
    name,
    atMs: feed.atMs,
    isFailing: feed.failure !== null,
  }))
}

/** The feeds that were not answered since `sinceMs`. */
export const silentSince = (state: DeskState, sinceMs: number): string[] =>
  arrivedFeeds(state)
    .filter(({ atMs, isFailing }) => isFailing || atMs === null || atMs < sinceMs)
    .map(({ name }) => name)
