import type { FeedEvent } from '../domain/desk/events.ts'
import { withTickers } from './bars.ts'
import type { DeskState } from './desk.ts'
import { withEquityPoint } from './equity.ts'
import { reduceFeed } from './feeds/reduce-feeds.ts'
import { withDroppedFills } from './history/history.ts'
import { withBook } from './ladder/ladder.ts'
import { reduceSession } from './session.ts'
import { withSymbolNews } from './symbol-news.ts'

/**
 * Applies an answer of a poll, and its effects beside the feeds: a first book sets the scale of its ladders, last
 * prices make bars, with balances they give the value of holdings, and fills without room stay in their history.
 */
export function reduceAnswer(before: DeskState, event: FeedEvent): DeskState {
  const state = reduceFeed(reduceSession(before, event), event)
  switch (event.type) {
    case 'instruments':
      return withSymbolNews(before, state, event.atMs)
    case 'book':
      return withBook(state, event.symbol)
    case 'tickers': {
      return withEquityPoint({ ...state, bars: withTickers(state, event) }, event)
    }
    case 'fills': {
      const { value: polled } = before.fills
      if (polled === state.fills.value) return state
      return {
        ...state,
        fillHistory: withDroppedFills(state.fillHistory, state.fills.value, [...(polled ?? []), ...event.fills]),
      }
    }
    case 'balances':
      return withEquityPoint(state, event)
    default:
      return state
  }
}
