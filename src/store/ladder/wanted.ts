import { isCrossed } from '../../domain/market/book.ts'
import { isHalted } from '../../domain/market/instrument.ts'
import type { DeskState } from '../state.ts'
import { hasSecondLadder, ladderSymbol } from './ladders.ts'

type Wants = { otherBook: string | null; queue: string | null; otherQueue: string | null }

/**
 * What is to be polled beside the first ladder's book: the book of the second ladder, or of an order in another symbol
 * that is being written or moved; and the queues of each ladder that shows them.
 */
export function ladderWants(state: DeskState): Wants {
  const { symbol, ladder, ladder2, screen, ticket, move } = state
  const second = hasSecondLadder(state) ? ladderSymbol(state, 'ladder2') : null
  const others = [second, ticket?.form.symbol ?? null, move?.order.symbol ?? null]
  const otherBook = others.find((each) => each !== null && each !== symbol) ?? null
  const queue = screen.visiblePanes.includes('ladder') && ladder.view === 'queues' ? symbol : null
  const isAsked = second !== null && ladder2.view === 'queues' && second !== queue
  return { otherBook, queue, otherQueue: isAsked ? second : null }
}

/**
 * Whether a ladder on screen shows an auction: its symbol is halted, or its book stands as only that of an auction can.
 */
export function isAuctionShown(state: DeskState): boolean {
  const shown = [state.symbol, ...(hasSecondLadder(state) ? [ladderSymbol(state, 'ladder2')] : [])]
  return shown.some((symbol) => {
    const rules = state.instruments.value?.get(symbol ?? '')
    const book = state.books.get(symbol ?? '')?.value ?? null
    return (rules !== undefined && isHalted(rules)) || (book !== null && isCrossed(book))
  })
}
