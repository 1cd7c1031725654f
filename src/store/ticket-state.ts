import type { CheckRule } from '../domain/orders/checks/check.ts'
import type { TicketForm } from '../domain/orders/ticket.ts'
import { activeLadder } from './ladder/ladders.ts'
import type { DeskState } from './state.ts'

export type TicketField =
  | 'side'
  | 'type'
  | 'quantity'
  | 'stop'
  | 'price'
  | 'timeInForce'
  | 'expiry'
  | 'minimum'
  | 'postOnly'

/**
 * The ticket goes edit → review → sending; a review is armed a moment after it opened so that a repeat of Enter cannot
 * send.
 */
export type TicketState =
  | {
      stage: 'edit'
      form: TicketForm
      field: TicketField
      /**
       * Something was typed into the field since it was chosen; until then the first character takes the place of what
       * stands there.
       */
      isTyped?: true
    }
  | {
      stage: 'review'
      form: TicketForm
      field: TicketField
      reviewedAtMs: number
      /** Rules whose soft limits the person has confirmed for this order. */
      confirmed: readonly CheckRule[]
      /** The quantity typed once more, as far as it is typed: what confirms an unusual size. */
      retyped: string
    }
  | { stage: 'sending'; form: TicketForm; field: TicketField }

export type TicketEvent =
  | { type: 'ticketOpened'; form: TicketForm; field: TicketField }
  /** `isTyped` where a person edits the text itself, so that the next character goes on from it. */
  | { type: 'ticketChanged'; form: TicketForm; isTyped?: true }
  | { type: 'ticketFieldChosen'; field: TicketField }
  | { type: 'ticketReviewed'; atMs: number }
  | { type: 'ticketConfirmed'; rules: readonly CheckRule[] }
  | { type: 'ticketRetyped'; text: string }
  | { type: 'ticketBackToEdit' }
  | { type: 'ticketSending' }
  | { type: 'ticketClosed' }

/** The ticket after what a person did to it; what does not fit its stage changes nothing. */
function ticketAfter(ticket: TicketState | null, event: TicketEvent): TicketState | null {
  if (event.type === 'ticketOpened') return { stage: 'edit', form: event.form, field: event.field }
  if (ticket === null || event.type === 'ticketClosed') return null
  const { form, field, stage } = ticket
  switch (event.type) {
    case 'ticketChanged':
      if (stage !== 'edit') return ticket
      return event.isTyped === true
        ? { stage, form: event.form, field, isTyped: true }
        : { stage, form: event.form, field }
    case 'ticketFieldChosen':
      return stage === 'edit' ? { stage, form, field: event.field } : ticket
    case 'ticketReviewed':
      return stage === 'edit'
        ? { stage: 'review', form, field, reviewedAtMs: event.atMs, confirmed: [], retyped: '' }
        : ticket
    case 'ticketConfirmed':
      return stage === 'review' ? { ...ticket, confirmed: event.rules } : ticket
    case 'ticketRetyped':
      return stage === 'review' ? { ...ticket, retyped: event.text } : ticket
    case 'ticketBackToEdit':
      return { stage: 'edit', form, field }
    case 'ticketSending':
      return { stage: 'sending', form, field }
  }
}

export function reduceTicket(state: DeskState, event: TicketEvent): DeskState {
  const ticket = ticketAfter(state.ticket, event)
  if (ticket === state.ticket) return state
  return event.type === 'ticketOpened'
    ? {
        ...state,
        ticket,
        move: state.move?.stage === 'sending' ? state.move : null,
        focus: activeLadder(state),
        notice: null,
      }
    : { ...state, ticket }
}
