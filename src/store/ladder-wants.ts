import type { LadderWants } from '../domain/desk/feeds.ts'
import { hasSecondLadder, type LadderSlice, ladderSymbol } from './ladder/ladder.ts'
import type { MoveSlice } from './move/move.ts'
import type { TicketSlice } from './ticket/ticket.ts'
import type { ViewSlice } from './view/view.ts'

/** The state that says which books are needed: the ladders on screen, and an order being entered or moved. */
export type WantsFacts = ViewSlice & LadderSlice & TicketSlice & MoveSlice

/**
 * The answers to poll besides the first ladder's book: the book of the second ladder, or of an order in another symbol
 * that is being entered or moved; and the queues of each ladder that shows them.
 */
export function ladderWants(state: WantsFacts): LadderWants {
  const { symbol, ladder, ladder2, screen, ticket, move } = state
  const second = hasSecondLadder(state) ? ladderSymbol(state, 'ladder2') : null
  const others = [second, ticket?.form.symbol ?? null, move?.order.symbol ?? null]
  const otherBook = others.find((each) => each !== null && each !== symbol) ?? null
  const queue = screen.visiblePanes.includes('ladder') && ladder.view === 'queues' ? symbol : null
  const isAsked = second !== null && ladder2.view === 'queues' && second !== queue
  return { otherBook, queue, otherQueue: isAsked ? second : null }
}
