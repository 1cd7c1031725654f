import type { FeedName } from '../domain/desk-events.ts'
import type { DeskState, PaneName } from './state.ts'

/** What each pane is made of. */
const feedsOfPane: Record<PaneName, readonly FeedName[]> = {
  ladder: ['book', 'orders', 'instruments'],
  ladder2: ['book', 'orders', 'instruments'],
  orders: ['orders'],
  fills: ['fills'],
  balances: ['balances'],
  tickers: ['tickers', 'instruments'],
  log: [],
  session: ['fees', 'fills'],
  chart: ['tickers', 'book', 'instruments', 'fills'],
}

/** What an order's checks rest on. */
const feedsOfTicket: readonly FeedName[] = ['book', 'balances', 'fees', 'orders', 'fills']

/** Feeds whose answers count now: those on screen, and with an open ticket those its checks rest on. */
export function feedsOnScreen(state: DeskState): ReadonlySet<FeedName> {
  const feeds = new Set<FeedName>(state.screen.visiblePanes.flatMap((pane) => feedsOfPane[pane]))
  if (state.ticket !== null || state.move !== null) for (const feed of feedsOfTicket) feeds.add(feed)
  return feeds
}
