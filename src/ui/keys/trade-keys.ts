import { rowKeysOf } from '../../domain/desk/session.ts'
import type { DeskState } from '../../store/desk.ts'
import { isTooSmall } from '../panes/layout/layout.ts'
import { focusedList } from '../panes/list-room.ts'
import { type ActionInput, type Actions, type Binding, inScope } from '../tables/key-bindings.ts'
import type { DeskAction } from './desk-keys.ts'

/** Rows that Page Up and Page Down move: all but one, so that the eye keeps a row it knows. */
const pageRows = ({ screen }: DeskState): number => Math.max(1, screen.ladderRowCount - 1)

/** What the keys do on the ladder: every action as what it asks of the desk. */
export const ladderActions = {
  buy: ({ commands }) => commands.openTicket('BUY'),
  sell: ({ commands }) => commands.openTicket('SELL'),
  cancelAtCursor: ({ commands }) => commands.cancelAtCursor(),
  moveAtCursor: ({ commands }) => commands.moveAtCursor(),
  toggleLadderView: ({ commands }) => commands.toggleLadderView(),
  cursorDown: ({ commands }) => commands.moveCursor(-1),
  cursorUp: ({ commands }) => commands.moveCursor(1),
  cursorPageUp: ({ commands, state }) => commands.moveCursor(pageRows(state)),
  cursorPageDown: ({ commands, state }) => commands.moveCursor(-pageRows(state)),
  centre: ({ commands }) => commands.centreLadder(),
  groupCoarser: ({ commands }) => commands.changeGroup(1),
  groupFiner: ({ commands }) => commands.changeGroup(-1),
} satisfies Actions
export type LadderAction = keyof typeof ladderActions

const ladder = inScope<LadderAction>('ladder')

export const ladderKeys: readonly Binding<LadderAction>[] = [
  ladder(['b'], 'buy', 'buy at the cursor', { foot: 'buy' }),
  ladder(['s'], 'sell', 'sell at the cursor', { foot: 'sell' }),
  ladder(['x'], 'cancelAtCursor', 'cancel own in the row', { foot: 'cancel', danger: true }),
  ladder(['m'], 'moveAtCursor', 'move own in the row', { foot: 'move' }),
  ladder(['j', 'down'], 'cursorDown', 'move the cursor', { foot: 'cursor', footLast: true, shown: 'j k Pg' }),
  ladder(['k', 'up'], 'cursorUp', 'move the cursor', { foot: 'cursor', footLast: true }),
  ladder(['pgup'], 'cursorPageUp', 'move the cursor'),
  ladder(['pgdn'], 'cursorPageDown', 'move the cursor'),
  // Of the digits this one alone means something else here: in the ladder level 3 is nearer than the third pane.
  ladder(['3'], 'toggleLadderView', 'level 3: the queues', { foot: 'level 3', footLast: true }),
  ladder(['c'], 'centre', 'centre on the market', { foot: 'centre', footLast: true }),
  ladder(['+', '='], 'groupCoarser', 'coarser, finer prices', { foot: 'group', footLast: true }),
  ladder(['-'], 'groupFiner', 'coarser, finer prices', { foot: 'group', footLast: true }),
]

/** Acts on the chosen order. A filter may have taken its row off the screen: nobody acts on what he does not see. */
function onChosen({ commands, state }: ActionInput, act: () => void): void {
  const chosen = state.tables.views.orders.selectedKey
  const listed = isTooSmall(state.screen) ? null : focusedList(state)
  const isSeen = listed === null || (chosen !== null && listed.source.keys(state).keys.includes(chosen))
  if (isSeen) act()
  else commands.explain(`The chosen order is not in the list: ${rowKeysOf(state.reboundKeys)} choose one that is.`)
}

/**
 * What the keys do in the list of orders, and about a write that is not settled: every action as what it asks of the
 * desk.
 */
export const ordersActions = {
  cancelSelected: (input) => onChosen(input, () => input.commands.cancelSelectedOrder()),
  moveSelected: (input) => {
    if (isTooSmall(input.state.screen))
      return input.commands.explain('A move needs a larger terminal: it is checked there.')
    onChosen(input, () => input.commands.moveSelectedOrder())
  },
  unsettledUp: ({ commands }) => commands.moveInUnsettled(-1),
  unsettledDown: ({ commands }) => commands.moveInUnsettled(1),
  sayNotPlaced: ({ commands }) => commands.sayUnsettled('notPlaced'),
  sayPlaced: ({ commands }) => commands.sayUnsettled('placed'),
} satisfies Actions
export type OrdersAction = keyof typeof ordersActions

const orders = inScope<OrdersAction | DeskAction>('orders')
const unsettled = inScope<OrdersAction | DeskAction>('unsettled')

export const ordersKeys: readonly Binding<OrdersAction | DeskAction>[] = [
  orders(['x'], 'cancelSelected', 'cancel the chosen one', { foot: 'cancel', danger: true }),
  orders(['m'], 'moveSelected', 'move the chosen one', { foot: 'move' }),
  unsettled(['k', 'up'], 'unsettledUp', 'choose which to settle', { foot: 'choose' }),
  unsettled(['j', 'down'], 'unsettledDown', 'choose which to settle', { foot: 'choose' }),
  unsettled(['n'], 'sayNotPlaced', 'settle an unknown one', { foot: 'it was not placed', danger: true }),
  unsettled(['p'], 'sayPlaced', 'settle an unknown one', { foot: 'it was placed' }),
  unsettled(['esc'], 'closeOverlay', 'settle an unknown one', { foot: 'not yet' }),
]

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

const pageSteps = 10

/** What the keys do while an own order is moved to another price: every action as what it asks of the desk. */
export const moveActions = {
  reviewMove: ({ commands }) => commands.reviewMove(),
  moveUp: ({ commands }) => commands.stepMove(1),
  moveDown: ({ commands }) => commands.stepMove(-1),
  movePageUp: ({ commands }) => commands.stepMove(pageSteps),
  movePageDown: ({ commands }) => commands.stepMove(-pageSteps),
  nextToMove: ({ commands }) => commands.moveAtCursor(),
  leaveMove: ({ commands }) => commands.backFromMove(),
  sendMove: ({ commands }) => commands.sendMove(),
  confirmMoveLimits: ({ commands }) => commands.confirmMoveLimits(),
  backToPrice: ({ commands }) => commands.backFromMove(),
} satisfies Actions
export type MoveAction = keyof typeof moveActions

const move = inScope<MoveAction>('move')
const moveReview = inScope<MoveAction>('moveReview')

export const moveKeys: readonly Binding<MoveAction>[] = [
  move(['enter'], 'reviewMove', 'review the move', { foot: 'review' }),
  move(['k', 'up'], 'moveUp', 'choose the new price', { foot: 'price', shown: 'j k Pg' }),
  move(['j', 'down'], 'moveDown', 'choose the new price', { foot: 'price' }),
  move(['pgup'], 'movePageUp', 'choose the new price'),
  move(['pgdn'], 'movePageDown', 'choose the new price'),
  move(['m'], 'nextToMove', 'next own in the row', { foot: 'next own' }),
  move(['esc'], 'leaveMove', 'leave it, review: back', { foot: 'leave it' }),
  moveReview(['enter'], 'sendMove', 'in review: SEND', { foot: 'SEND', danger: true }),
  moveReview(['Y', 'y'], 'confirmMoveLimits', 'review: over a limit', { foot: 'over limit', shown: 'Y' }),
  moveReview(['esc'], 'backToPrice', 'leave it, review: back', { foot: 'back' }),
]
