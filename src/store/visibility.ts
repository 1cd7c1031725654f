import type { FeedName } from '../domain/desk/events.ts'
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

/** What these panes are made of. */
export const feedsOfPanes = (panes: readonly PaneName[]): readonly FeedName[] =>
  panes.flatMap((pane) => feedsOfPane[pane])

/** What the checks of an order or a withdrawal that is being written, moved or reviewed rest on. */
export const feedsOfDecision = ({
  ticket,
  move,
  overlay,
}: Pick<DeskState, 'ticket' | 'move' | 'overlay'>): readonly FeedName[] => [
  ...(ticket !== null || move !== null ? feedsOfTicket : []),
  ...(isWithdrawing(overlay) ? feedsOfWithdrawal : []),
]

/**
 * Feeds whose answers count now: those on screen, with an open ticket those its checks rest on, and
 * while money is on its way those that tell of it.
 */
export const feedsOnScreen = (state: DeskState): ReadonlySet<FeedName> =>
  new Set([...feedsOfPanes(state.screen.visiblePanes), ...feedsOfDecision(state), ...feedsUnderWay(state)])
