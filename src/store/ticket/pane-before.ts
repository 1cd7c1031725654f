import { activeLadder, type LadderSlice } from '../ladder/ladder.ts'
import type { PaneName } from '../view/panes.ts'
import type { ViewSlice } from '../view/view.ts'
import type { TicketSlice } from './ticket.ts'

type Before = Pick<TicketSlice, 'ticket'> & Pick<ViewSlice, 'focus'>

/** The pane whose keys open a ticket, where that is no ladder; of a ticket over another one that of the first. */
export const paneBeforeTicket = ({ ticket, focus }: Before): PaneName | undefined =>
  ticket === null ? (focus === 'ladder' || focus === 'ladder2' ? undefined : focus) : ticket.paneBefore

/**
 * The desk back at the pane that a ticket was opened from, once it is left or sent: the next keys are about what is
 * chosen there, and at the ladder they would be about the row of its cursor. What comes later takes nobody elsewhere.
 */
export function atPaneBefore<S extends Before & ViewSlice & LadderSlice>({ ticket }: Before, state: S): S {
  const isOver = state.ticket === null || state.ticket.stage === 'sending'
  const isLeft = ticket !== null && ticket.stage !== 'sending' && isOver
  if (!isLeft || ticket.paneBefore === undefined || state.focus !== activeLadder(state)) return state
  return { ...state, focus: ticket.paneBefore }
}
