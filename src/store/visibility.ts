import type { FeedName } from '../domain/desk-events.ts'
import type { DeskState, PaneName } from './state.ts'

/** What each pane is made of. */
const feedsOfPane: Record<PaneName, readonly FeedName[]> = {
  ladder: ['book', 'orders', 'instruments'],
  orders: ['orders'],
  fills: ['fills'],
  balances: ['balances'],
  tickers: ['tickers', 'instruments'],
  log: [],
}

/** Feeds whose answers can be seen now; an open ticket shows the book, what is available and what it costs. */
export function feedsOnScreen(state: DeskState): ReadonlySet<FeedName> {
  const feeds = new Set<FeedName>(state.screen.visiblePanes.flatMap((pane) => feedsOfPane[pane]))
  if (state.ticket !== null) for (const feed of ['book', 'balances', 'fees'] as const) feeds.add(feed)
  return feeds
}
