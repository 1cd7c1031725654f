import type { Clock } from '../clock.ts'
import type { FeedEvent, FeedName } from '../domain/desk-events.ts'

/** What every polling service is given. */
export type ServiceContext = {
  clock: Clock
  random: () => number
  signal: AbortSignal
  emit: (event: FeedEvent) => void
  /** Whether a pane on screen, or an open ticket, shows what the feed brings. */
  isShown: (feed: FeedName) => boolean
  /** Pauses on screen that were asked for in place of the usual ones. */
  pollMs?: Readonly<Partial<Record<FeedName, number | undefined>>>
}

/** Pause between polls while the feed is on screen and while it is not. */
export type Pace = { shownMs: number; hiddenMs: number }

/** Small enough that a person sees a live market, large enough for a venue that allows ten calls a second. */
export const defaultPace: Record<FeedName, Pace> = {
  book: { shownMs: 500, hiddenMs: 2_000 },
  queue: { shownMs: 500, hiddenMs: 60_000 },
  tickers: { shownMs: 2_000, hiddenMs: 10_000 },
  instruments: { shownMs: 5_000, hiddenMs: 20_000 },
  orders: { shownMs: 1_000, hiddenMs: 3_000 },
  fills: { shownMs: 1_500, hiddenMs: 5_000 },
  balances: { shownMs: 2_000, hiddenMs: 5_000 },
  fees: { shownMs: 60_000, hiddenMs: 120_000 },
  withdrawals: { shownMs: 2_000, hiddenMs: 20_000 },
  deposits: { shownMs: 3_000, hiddenMs: 20_000 },
  whitelist: { shownMs: 10_000, hiddenMs: 120_000 },
}

/** The pause before the next poll of a feed. One that is hidden is never polled faster than one that is shown. */
export function pauseMs(feed: FeedName, { isShown, pollMs }: Pick<ServiceContext, 'isShown' | 'pollMs'>): number {
  const { shownMs, hiddenMs } = defaultPace[feed]
  const wantedMs = pollMs?.[feed] ?? shownMs
  return isShown(feed) ? wantedMs : Math.max(hiddenMs, wantedMs)
}

/** A venue that is down is asked again at least this often. */
export const intervalMaxMs = 15_000
