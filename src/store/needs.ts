import type { FeedName } from '../domain/desk/events.ts'
import type { Need, Needs } from '../domain/desk/feeds.ts'
import { isLocked } from '../domain/desk/lock.ts'
import { activeLadder, hasSecondLadder } from './ladder/ladders.ts'
import { ladderWants } from './ladder/wanted.ts'
import type { DeskState } from './state.ts'
import { feedsUnderWay } from './transfer-feeds.ts'
import { feedsOfDecision, feedsOfPanes } from './visibility.ts'

/** Whether the panes show how things stand now: they do not behind a lock, nor while the picture is frozen. */
export const isPictureLive = ({ lock, picture }: DeskState): boolean => !isLocked(lock) && picture.kind === 'moving'

/**
 * What a decision of a person rests on, and the orders while some of one's own may fill or are not settled. A desk that
 * only watches decides nothing.
 */
function pressingFeeds(state: DeskState): ReadonlySet<FeedName> {
  const { mode, lock, orders, unsettled } = state
  if (mode.kind === 'MONITOR') return new Set()
  const isWorking = (orders.value ?? []).length > 0
  const own: readonly FeedName[] = isWorking || unsettled.length > 0 ? ['orders'] : []
  return new Set([...(isLocked(lock) ? [] : feedsOfDecision(state)), ...own])
}

/** What is on screen; and, wherever it is, money that is under way and last prices that alerts wait for. */
function shownFeeds(state: DeskState): ReadonlySet<FeedName> {
  const onScreen = isPictureLive(state) ? feedsOfPanes(state.screen.visiblePanes) : []
  const isLastWatched = state.alerts.watches.some(({ price, state: { kind } }) => price === 'last' && kind !== 'fired')
  const watched: readonly FeedName[] = isLastWatched ? ['tickers'] : []
  return new Set([...onScreen, ...feedsUnderWay(state), ...watched])
}

/**
 * The two books on screen: that of the ladder a person is at comes first, and whatever a decision rests on before it.
 */
function booksNeeded(state: DeskState, feed: Need): Pick<Needs, 'book' | 'otherBook'> {
  const { symbol, ticket, move } = state
  const { otherBook } = ladderWants(state)
  const decidedOn = ticket?.form.symbol ?? move?.order.symbol ?? null
  if (feed === 'pressing') {
    const shown = isPictureLive(state) ? 'beside' : 'behind'
    if (otherBook !== null && decidedOn === otherBook) return { book: shown, otherBook: 'pressing' }
    return { book: 'pressing', otherBook: otherBook === null ? 'none' : shown }
  }
  if (otherBook === null || otherBook === symbol) return { book: feed, otherBook: 'none' }
  if (feed !== 'shown') return { book: feed, otherBook: feed }
  const isAtSecond = hasSecondLadder(state) && activeLadder(state) === 'ladder2'
  return isAtSecond ? { book: 'beside', otherBook: 'shown' } : { book: 'shown', otherBook: 'beside' }
}

/** How much each thing that is polled is needed now. */
export function feedNeeds(state: DeskState): Needs {
  const pressing = pressingFeeds(state)
  const shown = shownFeeds(state)
  const needOf = (feed: FeedName): Need => (pressing.has(feed) ? 'pressing' : shown.has(feed) ? 'shown' : 'behind')
  const { queue, otherQueue } = ladderWants(state)
  const ofAccount = (feed: 'orders' | 'fills' | 'balances'): Need => {
    const need = needOf(feed)
    return need === 'shown' && state.mode.kind === 'MONITOR' ? 'beside' : need
  }
  const queueNeed: Need = isPictureLive(state) ? 'shown' : 'behind'
  return {
    instruments: needOf('instruments'),
    ...booksNeeded(state, needOf('book')),
    queue: queue === null ? 'none' : queueNeed,
    otherQueue: otherQueue === null ? 'none' : queueNeed === 'shown' ? 'beside' : queueNeed,
    tickers: needOf('tickers'),
    orders: ofAccount('orders'),
    fills: ofAccount('fills'),
    balances: ofAccount('balances'),
    fees: needOf('fees'),
    withdrawals: needOf('withdrawals'),
    deposits: needOf('deposits'),
    whitelist: needOf('whitelist'),
  }
}

/** What needs are made of: while none of it changes they stay as they are. */
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
  'unsettled',
] as const satisfies readonly (keyof DeskState)[]

/** Whether needs may differ between two states. Cheap, because it is asked at every change of the store. */
export const mayNeedOthers = (state: DeskState, before: DeskState): boolean =>
  grounds.some((name) => state[name] !== before[name]) ||
  state.ladder.view !== before.ladder.view ||
  state.ladder2.view !== before.ladder2.view ||
  state.orders.value !== before.orders.value ||
  state.withdrawals.value !== before.withdrawals.value ||
  state.deposits.value !== before.deposits.value
