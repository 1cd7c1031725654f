import type { FeedName } from '../domain/desk-events.ts'
import type { DeskState, PaneName } from './state.ts'
import { feedsUnderWay } from './transfer-feeds.ts'

/** What each pane is made of. */
const feedsOfPane: Record<PaneName, readonly FeedName[]> = {
  ladder: ['book', 'orders', 'instruments'],
  ladder2: ['book', 'orders', 'instruments'],
  orders: ['orders'],
  fills: ['fills'],
  balances: ['balances'],
  transfers: ['withdrawals', 'deposits', 'whitelist'],
  gateway: [],
  tickers: ['tickers', 'instruments'],
  log: [],
  session: ['fees', 'fills'],
  chart: ['tickers', 'book', 'instruments', 'fills'],
}

/** What an order's checks rest on. */
const feedsOfTicket: readonly FeedName[] = ['book', 'balances', 'fees', 'orders', 'fills']

/** What the checks of a withdrawal rest on. */
const feedsOfWithdrawal: readonly FeedName[] = ['withdrawals', 'whitelist', 'balances', 'tickers', 'instruments']

/** The form is open, or a sentence that fills it is typed. */
const isWithdrawing = (overlay: DeskState['overlay']): boolean =>
  overlay?.kind === 'withdraw' ||
  overlay?.kind === 'withdrawReview' ||
  overlay?.kind === 'withdrawSecret' ||
  (overlay?.kind === 'palette' && overlay.line.trimStart().toLowerCase().startsWith('withdraw'))

/**
 * Feeds whose answers count now: those on screen, with an open ticket those its checks rest on, and
 * while money is on its way those that tell of it.
 */
export function feedsOnScreen(state: DeskState): ReadonlySet<FeedName> {
  const feeds = new Set<FeedName>(state.screen.visiblePanes.flatMap((pane) => feedsOfPane[pane]))
  if (state.ticket !== null || state.move !== null) for (const feed of feedsOfTicket) feeds.add(feed)
  if (isWithdrawing(state.overlay)) for (const feed of feedsOfWithdrawal) feeds.add(feed)
  for (const feed of feedsUnderWay(state)) feeds.add(feed)
  return feeds
}
