import { type Actions, type Binding, inScope } from './binding.ts'
import type { DeskAction } from './desk.ts'

/** What the keys do while an order is written and reviewed: every action as what it asks of the desk. */
export const ticketActions = {
  review: ({ commands }) => commands.reviewTicket(),
  leaveTicket: ({ commands }) => commands.backFromTicket(),
  nextField: ({ commands }) => commands.nextTicketField(1),
  previousField: ({ commands }) => commands.nextTicketField(-1),
  stepUp: ({ commands }) => commands.nudgeTicket(1),
  stepDown: ({ commands }) => commands.nudgeTicket(-1),
  tenUp: ({ commands }) => commands.nudgeTicket(10),
  tenDown: ({ commands }) => commands.nudgeTicket(-10),
  share: ({ commands }) => commands.shareOfAvailable(),
  eraseInTicket: ({ commands }) => commands.eraseInTicket(),
  clearField: ({ commands }) => commands.clearTicketField(),
  typeInTicket: ({ commands, text }) => commands.typeIntoTicket(text),
  send: ({ commands }) => commands.sendTicket(),
  confirmSoftLimits: ({ commands }) => commands.confirmSoftLimits(),
  retypeQuantity: ({ commands, text }) => commands.retypeQuantity(text),
  eraseRetyped: ({ commands }) => commands.eraseRetyped(),
  clearRetyped: ({ commands }) => commands.clearRetyped(),
  backToEdit: ({ commands }) => commands.backFromTicket(),
} satisfies Actions
export type TicketAction = keyof typeof ticketActions

const ticket = inScope<TicketAction | DeskAction>('ticket')
const review = inScope<TicketAction>('review')

export const ticketKeys: readonly Binding<TicketAction | DeskAction>[] = [
  ticket(['enter'], 'review', 'review the order', { foot: 'review' }),
  ticket(['esc'], 'leaveTicket', 'close, review: back', { foot: 'close' }),
  ticket(['tab'], 'nextField', 'field after, before', { foot: 'field', shown: 'Tab S-Tab' }),
  ticket(['shift+tab'], 'previousField', 'field after, before'),
  ticket(['up', 'right'], 'stepUp', 'one or ten steps', { foot: 'step', shown: 'arrows Pg' }),
  ticket(['down', 'left'], 'stepDown', 'one or ten steps', { foot: 'step' }),
  ticket(['pgup'], 'tenUp', 'one or ten steps'),
  ticket(['pgdn'], 'tenDown', 'one or ten steps'),
  ticket(['%'], 'share', '25-100% of available', { foot: 'share' }),
  ticket(['backspace', 'delete'], 'eraseInTicket', 'erase a digit, all', { shown: 'Bksp C-U' }),
  ticket(['ctrl+u', 'ctrl+w'], 'clearField', 'erase a digit, all', { foot: 'clear' }),
  ticket([':'], 'openPalette', 'do anything, in words'),
  ticket([], 'typeInTicket', 'an amount, a choice', { takesText: true, shown: '0-9 a-z' }),
  review(['enter'], 'send', 'in review: SEND', { foot: 'SEND', danger: true }),
  review(['Y', 'y'], 'confirmSoftLimits', 'review: over a limit', { foot: 'over limit', shown: 'Y' }),
  review([], 'retypeQuantity', 'review: unusual size', { takesText: true, shown: '0-9 .' }),
  review(['backspace', 'delete'], 'eraseRetyped', 'review: unusual size'),
  review(['ctrl+u', 'ctrl+w'], 'clearRetyped', 'review: unusual size'),
  review(['esc'], 'backToEdit', 'close, review: back', { foot: 'back' }),
]
