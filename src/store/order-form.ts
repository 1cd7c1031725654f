import type { MoveSlice } from './move/move.ts'
import type { TicketSlice } from './ticket/ticket.ts'
import type { ViewSlice } from './view/view.ts'

/** An order is written, reviewed, moved or on its way: it has its place on screen. */
export const hasOrderForm = ({ ticket, move }: TicketSlice & MoveSlice): boolean => ticket !== null || move !== null

/**
 * The wall is on screen: nothing on it has a cursor, so keys of panes mean nothing. While an order is written or a pane
 * stands alone it is not.
 */
export const isWallShown = (state: ViewSlice & TicketSlice & MoveSlice): boolean =>
  state.view.layout === 'monitor' &&
  !state.view.isZoomed &&
  !hasOrderForm(state) &&
  state.screen.layouts.includes('monitor')

/** An order, or its move, is on its way: what it comes to is not known yet. */
export const isOrderSending = ({ ticket, move }: TicketSlice & MoveSlice): boolean =>
  ticket?.stage === 'sending' || move?.stage === 'sending'

/** The keys go to an order that is written, reviewed or moved. */
export const isAtOrder = ({ ticket, move }: TicketSlice & MoveSlice): boolean =>
  (ticket !== null && ticket.stage !== 'sending') || (move !== null && move.stage !== 'sending')
