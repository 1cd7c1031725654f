import { type FeedName, type Need, type Needs, ofEachFeed } from '../domain/desk/feeds.ts'
import { isLocked } from '../domain/desk/lock.ts'
import { isCrossed } from '../domain/market/book.ts'
import { isHalted } from '../domain/market/instrument.ts'
import type { DeskState } from './desk.ts'
import { activeLadder, hasSecondLadder, ladderSymbol } from './ladder/ladder.ts'
import { ladderWants } from './ladder-wants.ts'
import { type PaneName, paneRow } from './view/panes.ts'

/** Feeds for an order's checks. */
const feedsOfTicket: readonly FeedName[] = ['book', 'balances', 'fees', 'orders', 'fills']

/** Feeds for a withdrawal's checks. */
const feedsOfWithdrawal: readonly FeedName[] = ['withdrawals', 'whitelist', 'balances', 'tickers', 'instruments']

/** True when the form, or a sentence that fills it, is open. */
const isWithdrawing = (overlay: DeskState['overlay']): boolean =>
  overlay?.kind === 'withdraw' ||
  overlay?.kind === 'withdrawReview' ||
  overlay?.kind === 'withdrawSecret' ||
  (overlay?.kind === 'palette' && overlay.line.trimStart().toLowerCase().startsWith('withdraw'))

/** Feeds of these panes. */
const feedsOfPanes = (panes: readonly PaneName[]): readonly FeedName[] => panes.flatMap((pane) => paneRow(pane).feeds)

/** Feeds for the checks of an order, plan or withdrawal being entered, moved or reviewed. */
const feedsOfDecision = ({
  ticket,
  move,
  overlay,
}: Pick<DeskState, 'ticket' | 'move' | 'overlay'>): readonly FeedName[] => [
  ...(ticket !== null || move !== null || overlay?.kind === 'planReview' ? feedsOfTicket : []),
  ...(isWithdrawing(overlay) ? feedsOfWithdrawal : []),
]

/**
 * Feeds in use now: those on screen, those for an open ticket's checks, and while money is in transit those that report
 * it.
 */
export const feedsOnScreen = (state: DeskState): ReadonlySet<FeedName> =>
  new Set([...feedsOfPanes(state.screen.visiblePanes), ...feedsOfDecision(state), ...feedsUnderWay(state)])

/** Feeds that report money in transit: as if they were on screen. */
function feedsUnderWay({ withdrawals, deposits, unknownWrites }: DeskState): readonly FeedName[] {
  const isOut =
    unknownWrites.some(({ kind }) => kind === 'withdrawal') ||
    (withdrawals.value ?? []).some(({ state }) => state === 'PENDING')
  const isIn = (deposits.value ?? []).some(({ state }) => state === 'UNCONFIRMED')
  return [...(isOut ? (['withdrawals'] as const) : []), ...(isIn ? (['deposits'] as const) : [])]
}

/**
 * True when a ladder on screen shows an auction: its symbol is halted, or its book is crossed as only in an auction.
 */
export function isAuctionShown(state: DeskState): boolean {
  const shown = [state.symbol, ...(hasSecondLadder(state) ? [ladderSymbol(state, 'ladder2')] : [])]
  return shown.some((symbol) => {
    const rules = state.instruments.value?.get(symbol ?? '')
    const book = state.books.get(symbol ?? '')?.value ?? null
    return (rules !== undefined && isHalted(rules)) || (book !== null && isCrossed(book))
  })
}

/** True when the panes show the present state: not behind a lock or while frozen. */
export const isPictureLive = ({ lock, picture }: DeskState): boolean => !isLocked(lock) && picture.kind === 'moving'

/** Feeds for the user's decisions, and orders while own ones may fill or are unresolved. A watch decides nothing. */
function criticalFeeds(state: DeskState): ReadonlySet<FeedName> {
  const { mode, lock, orders, unknownWrites } = state
  if (mode.kind === 'MONITOR') return new Set()
  const isWorking = (orders.value ?? []).length > 0
  const own: readonly FeedName[] = isWorking || unknownWrites.length > 0 ? ['orders'] : []
  return new Set([...(isLocked(lock) ? [] : feedsOfDecision(state)), ...own])
}

/** Feeds on screen; and always money in transit, and last prices that alerts wait for. */
function shownFeeds(state: DeskState): ReadonlySet<FeedName> {
  const onScreen = isPictureLive(state) ? feedsOfPanes(state.screen.visiblePanes) : []
  const isLastWatched = state.alerts.watches.some(({ price, state: { kind } }) => price === 'last' && kind !== 'fired')
  const watched: readonly FeedName[] = isLastWatched ? ['tickers'] : []
  return new Set([...onScreen, ...feedsUnderWay(state), ...watched])
}

/** How much the two books on screen are needed: a decision's book first, then that of the focused ladder. */
function booksNeeded(state: DeskState, feed: Need): Pick<Needs, 'book' | 'otherBook'> {
  const { symbol, ticket, move, overlay } = state
  const { otherBook } = ladderWants(state)
  const plan = overlay?.kind === 'planReview' ? overlay.terms : null
  const decidedOn = plan?.symbol ?? ticket?.form.symbol ?? move?.order.symbol ?? null
  if (feed === 'critical') {
    const shown = isPictureLive(state) ? 'secondary' : 'hidden'
    if (otherBook !== null && decidedOn === otherBook) return { book: shown, otherBook: 'critical' }
    return { book: 'critical', otherBook: otherBook === null ? 'none' : shown }
  }
  if (otherBook === null || otherBook === symbol) return { book: feed, otherBook: 'none' }
  if (feed !== 'visible') return { book: feed, otherBook: feed }
  const isAtSecond = hasSecondLadder(state) && activeLadder(state) === 'ladder2'
  return isAtSecond ? { book: 'secondary', otherBook: 'visible' } : { book: 'visible', otherBook: 'secondary' }
}

/** Symbols of a plan under review whose book no ladder requests, but its checks need. */
export function reviewedSymbols(state: DeskState): readonly string[] {
  if (state.overlay?.kind !== 'planReview') return []
  const { symbol } = state.overlay.terms
  return symbol === state.symbol || symbol === ladderWants(state).otherBook ? [] : [symbol]
}

/** How much each polled answer is needed now. */
export function feedNeeds(state: DeskState): Needs {
  const critical = criticalFeeds(state)
  const shown = shownFeeds(state)
  const needOf = (feed: FeedName): Need => (critical.has(feed) ? 'critical' : shown.has(feed) ? 'visible' : 'hidden')
  const { queue, otherQueue } = ladderWants(state)
  const ofAccount = (feed: 'orders' | 'fills' | 'balances'): Need => {
    const need = needOf(feed)
    return need === 'visible' && state.mode.kind === 'MONITOR' ? 'secondary' : need
  }
  const queueNeed: Need = isPictureLive(state) ? 'visible' : 'hidden'
  return {
    ...ofEachFeed(needOf),
    ...booksNeeded(state, needOf('book')),
    queue: queue === null ? 'none' : queueNeed,
    otherQueue: otherQueue === null ? 'none' : queueNeed === 'visible' ? 'secondary' : queueNeed,
    orders: ofAccount('orders'),
    fills: ofAccount('fills'),
    balances: ofAccount('balances'),
  }
}

/** The state that needs depend on: they stay the same while it does. */
const grounds = [
  'screen',
  'focus',
  'symbol',
  'symbol2',
  'ticket',
  'move',
  'overlay',
  'mode',
  'lock',
  'picture',
  'alerts',
  'unknownWrites',
] as const satisfies readonly (keyof DeskState)[]

/** True when needs may differ between two states. Cheap, because it is called at every change of the store. */
export const mayNeedOthers = (state: DeskState, before: DeskState): boolean =>
  grounds.some((name) => state[name] !== before[name]) ||
  state.ladder.view !== before.ladder.view ||
  state.ladder2.view !== before.ladder2.view ||
  state.orders.value !== before.orders.value ||
  state.withdrawals.value !== before.withdrawals.value ||
  state.deposits.value !== before.deposits.value
