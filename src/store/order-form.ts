import type { MoveSlice } from './move/move.ts'
import type { TicketSlice } from './ticket/ticket.ts'
import type { ViewSlice } from './view/view.ts'

/** True while an order is entered, reviewed, moved or being sent: it has its place on screen. */
export const hasOrderForm = ({ ticket, move }: TicketSlice & MoveSlice): boolean => ticket !== null || move !== null

/**
 * True when the wall is on screen: it has no cursor, so keys of panes have no effect. An order form or a zoomed pane
 * takes its place.
 */
export const isWallShown = (state: ViewSlice & TicketSlice & MoveSlice): boolean =>
  state.view.layout === 'monitor' &&
  !state.view.isZoomed &&
  !hasOrderForm(state) &&
  state.screen.layouts.includes('monitor')

/** True while an order, or its move, is being sent: its outcome is not known yet. */
export const isOrderSending = ({ ticket, move }: TicketSlice & MoveSlice): boolean =>
  ticket?.stage === 'sending' || move?.stage === 'sending'

/** True when the keys go to an order that is entered, reviewed or moved. */
export const isAtOrder = ({ ticket, move }: TicketSlice & MoveSlice): boolean =>
  (ticket !== null && ticket.stage !== 'sending') || (move !== null && move.stage !== 'sending')
