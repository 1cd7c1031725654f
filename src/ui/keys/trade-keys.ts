import { mayPlace } from '../../domain/desk/mode.ts'
import { namedKeys } from '../../domain/desk/session.ts'
import { anyUnusual, unconfirmed } from '../../domain/orders/checks/check.ts'
import { isBracket, readTicket } from '../../domain/orders/ticket.ts'
import type { DeskState } from '../../store/desk.ts'
import { goesOnWith } from '../../store/move/move.ts'
import { readMove } from '../../store/move/move-commands.ts'
import { selectedDraft } from '../../store/order-drafts/order-draft-commands.ts'
import { waitingOrders } from '../../store/order-drafts/order-drafts.ts'
import { ordersAtCursor, workingOrder } from '../../store/orders/order-selectors.ts'
import { checkContext } from '../../store/ticket/check-context.ts'
import { sendsAtOnce } from '../../store/ticket/ticket-reading.ts'
import { isTooSmall } from '../panes/layout/layout.ts'
import { focusedList } from '../panes/list-room.ts'
import { smallKeys, whyNoRow, whyNoSmallRow } from '../panes/small-page.ts'
import { scrolledTicket } from '../panes/ticket/edit-content.ts'
import { longMoveNow } from '../panes/ticket/move-form.ts'
import { shortReviewNow, whyDraftGone } from '../panes/ticket/review.ts'
import { type ActionInput, inScope, type Run, withKeys } from '../tables/key-bindings.ts'
import { columnsMin, isCompact, rowsMin } from '../text/cells.ts'
import { isScrolled, topAfter, unseenRefusal } from '../text/scrolled.ts'
import { buy, openPalette, sell, whyNoCanceling, whyNoPlacing } from './shared-actions.ts'

/** Rows that Page Up and Page Down scroll: one less than a page, so that one stays in view. */
const pageRows = ({ screen }: DeskState): number => Math.max(1, screen.ladderRowCount - 1)

const whyNoneInRow = (state: DeskState): string | null =>
  ordersAtCursor(state).length === 0 ? 'you have no order in the row' : null
const whyNoneChosen = (state: DeskState): string | null =>
  workingOrder(state, state.tables.views.orders.selectedKey ?? '') === undefined ? 'no working order is selected' : null

const hasRoomForMove = ({ screen }: DeskState): boolean => !isCompact(screen)

/** A move is chosen in the ladder and checked beside it: a compact screen cannot show both. */
export function onRoomForMove({ commands, state }: ActionInput, act: () => void): void {
  if (hasRoomForMove(state)) act()
  else commands.explain(`A move needs ${columnsMin}x${rowsMin} cells to show its checks. Cancel and place anew here.`)
}

const ladder = inScope('ladder')
const pointed = inScope('pointed')

export const ladderKeys = [
  ladder.also([namedKeys.buy], buy, 'buy at cursor or bid', { foot: 'buy' }),
  ladder.also([namedKeys.sell], sell, 'sell at cursor or ask', { foot: 'sell' }),
  ladder(['x'], 'cancelAtCursor', 'cancel own in the row', ({ commands }) => commands.cancelAtCursor(), {
    foot: 'cancel',
    danger: 'acts',
    isWrite: true,
    unavailable: (state) => whyNoCanceling(state) ?? whyNoneInRow(state),
  }),
  ladder(['m'], 'moveAtCursor', 'move own in the row', (input) => onRoomForMove(input, input.commands.moveAtCursor), {
    foot: 'move',
    isOffered: hasRoomForMove,
    isWrite: true,
    unavailable: (state) => whyNoPlacing(state) ?? whyNoneInRow(state),
  }),
  ladder(['j', 'down'], 'cursorDown', 'move the cursor', ({ commands }) => commands.moveCursor(-1), {
    name: 'cursor down',
    foot: 'cursor',
    footLast: true,
    shown: 'j k Pg',
  }),
  ladder(['k', 'up'], 'cursorUp', 'move the cursor', ({ commands }) => commands.moveCursor(1), {
    name: 'cursor up',
    foot: 'cursor',
    footLast: true,
  }),
  ladder(['pgup'], 'cursorPageUp', 'move the cursor', ({ commands, state }) => commands.moveCursor(pageRows(state)), {
    name: 'cursor a page up',
  }),
  ladder(
    ['pgdn'],
    'cursorPageDown',
    'move the cursor',
    ({ commands, state }) => commands.moveCursor(-pageRows(state)),
    { name: 'cursor a page down' },
  ),
  pointed(['esc'], 'removeCursor', 'take the cursor away', ({ commands }) => commands.removeCursor(), {
    foot: 'no cursor',
    footLast: true,
  }),
  // Of the digits only this one is rebound here: in the ladder, level 3 is closer at hand than the third pane.
  ladder(['3'], 'toggleLadderView', 'level 3: the queues', ({ commands }) => commands.toggleLadderView(), {
    foot: 'level 3',
    footLast: true,
  }),
  ladder([namedKeys.center], 'center', 'center, no cursor', ({ commands }) => commands.centerLadder(), {
    name: 'center the ladder on the market',
    foot: 'center',
    footLast: true,
  }),
  ladder(['r'], 'toggleLadderPrices', 'prices or ticks', ({ commands }) => commands.toggleLadderPrices(), {
    name: 'ladder: prices, or ticks from the mid or the cursor',
    foot: 'ticks',
    footLast: true,
  }),
  ladder(['+', '='], 'groupCoarser', 'coarser, finer prices', ({ commands }) => commands.changeGroup(1), {
    name: 'group coarser prices',
    foot: 'group',
    footLast: true,
  }),
  ladder(['-'], 'groupFiner', 'coarser, finer prices', ({ commands }) => commands.changeGroup(-1), {
    name: 'group finer prices',
    foot: 'group',
    footLast: true,
  }),
]

/** Acts on the selected order unless a filter hides its row: only visible orders can be acted on. */
function onChosen({ commands, state }: ActionInput, act: () => void): void {
  const chosen = state.tables.views.orders.selectedKey
  const isSmall = isTooSmall(state)
  const listed = isSmall ? smallKeys(state) : focusedList(state)?.source.keys(state).keys
  const isSeen = listed === undefined || (chosen !== null && listed.includes(chosen))
  if (isSeen) act()
  else commands.explain((isSmall ? whyNoSmallRow : whyNoRow)(state))
}

/** The cancel key discards a draft, which was never sent. */
const cancelOrDiscard = ({ commands, state }: ActionInput): void =>
  selectedDraft(state) === undefined ? commands.cancelSelectedOrder() : commands.discardSelectedDraft()

const moveSelected: Run = (input) => onRoomForMove(input, () => onChosen(input, input.commands.moveSelectedOrder))

const orders = inScope('orders')

export const ordersKeys = [
  orders(['x'], 'cancelSelected', 'cancel selected order', (input) => onChosen(input, () => cancelOrDiscard(input)), {
    foot: 'cancel',
    danger: 'acts',
    isWrite: true,
    unavailable: (state) =>
      selectedDraft(state) === undefined ? (whyNoCanceling(state) ?? whyNoneChosen(state)) : null,
  }),
  orders(['d'], 'reviewOrderDraft', 'review, send a draft', ({ commands }) => commands.reviewOrderDraft(), {
    name: 'review a draft of an order and send it',
    foot: 'draft',
    isOffered: (state) => waitingOrders(state.orderDrafts).length > 0,
    unavailable: (state) =>
      whyNoPlacing(state) ?? (waitingOrders(state.orderDrafts).length === 0 ? 'no draft of an order waits' : null),
  }),
  orders([namedKeys.moveSelected], 'moveSelected', 'move selected order', moveSelected, {
    foot: 'move',
    isOffered: hasRoomForMove,
    isWrite: true,
    unavailable: (state) => whyNoPlacing(state) ?? whyNoneChosen(state),
  }),
]

/**
 * Whether the order under review exceeds a soft limit; an unusual size is confirmed by retyping its quantity, not by a
 * key.
 */
const isLimitAsked = (state: DeskState): boolean =>
  state.ticket?.stage !== 'review' ||
  unconfirmed(readTicket(state.ticket.form, checkContext(state, state.ticket.form.symbol)).checks, [anyUnusual])
    .length > 0

/** The review of an order or a move on screen that is longer than its place. */
const longNow = (state: DeskState) => shortReviewNow(state) ?? longMoveNow(state)

/** What the user approves in a review must have been on screen, even if there are too few lines for all of it. */
function onSeenReview({ commands, state, bindings }: ActionInput, act: () => void): void {
  const gone = whyDraftGone(state)
  const long = longNow(state)
  const down = state.move === null ? '{reviewDown}' : '{moveReviewDown}'
  const unseen = long === null ? null : unseenRefusal(long, withKeys(down, bindings))
  const refusal = gone === null ? unseen : `Not sent. ${gone}`
  if (refusal === null) act()
  else commands.explain(refusal)
}

/** Scrolls a review that is longer than its place, by one line less than it shows. */
const scrollReview =
  (direction: 1 | -1): Run =>
  ({ commands, state }) => {
    const long = longNow(state)
    if (long === null) return
    const scroll = state.move === null ? commands.scrollReview : commands.scrollMove
    scroll(topAfter(long, direction * Math.max(1, long.shownCount - 1)))
  }
/** Pages through a ticket's checks if lines are few, and wraps at the end. */
const moreChecks: Run = ({ commands, state }) => {
  const scrolled = scrolledTicket(state)
  if (scrolled === null) return
  const page = Math.max(1, scrolled.shownCount - 1)
  commands.scrollReview(scrolled.hiddenBelow === 0 ? 0 : topAfter(scrolled, page))
}

const isReviewLong = (state: DeskState): boolean => {
  const long = longNow(state)
  return long !== null && isScrolled(long)
}

/** An order is reviewed in the ticket, a plan in a dialog of its own. */
const reviewForm: Run = ({ commands, state }) =>
  state.ticket !== null && isBracket(state.ticket.form) ? commands.reviewTicketPlan() : commands.reviewTicket()

const ticket = inScope('ticket')
const oneKey = inScope('oneKey')

/** The preset sizes from the settings, by the keys that take them. */
const presetKeys = [
  { action: 'takeSize1', key: 'f5', index: 0 },
  { action: 'takeSize2', key: 'f6', index: 1 },
  { action: 'takeSize3', key: 'f7', index: 2 },
  { action: 'takeSize4', key: 'f8', index: 3 },
] as const
const review = inScope('review')

export const ticketKeys = [
  ticket(['enter'], 'review', 'review the order', reviewForm, {
    foot: 'review',
    caution: 'towardsSending',
    isOffered: (state) =>
      mayPlace(state.mode) && (state.ticket?.stage !== 'edit' || !sendsAtOnce(state, state.ticket.form)),
  }),
  ticket(['esc'], 'leaveTicket', 'close, review: back', ({ commands }) => commands.backFromTicket(), {
    name: 'close the ticket',
    foot: 'close',
  }),
  ticket(['tab'], 'nextField', 'next, previous field', ({ commands }) => commands.nextTicketField(1), {
    name: 'next field of the ticket',
    foot: 'field',
    shown: 'Tab S-Tab',
  }),
  ticket(['shift+tab'], 'previousField', 'next, previous field', ({ commands }) => commands.nextTicketField(-1), {
    name: 'previous field of the ticket',
  }),
  ticket(['up', 'right'], 'stepUp', 'one or ten steps', ({ commands }) => commands.nudgeTicket(1), {
    name: 'ticket: a step up',
    foot: 'step',
    shown: 'arrows Pg',
  }),
  ticket(['down', 'left'], 'stepDown', 'one or ten steps', ({ commands }) => commands.nudgeTicket(-1), {
    name: 'ticket: a step down',
    foot: 'step',
  }),
  ticket(['pgup'], 'tenUp', 'one or ten steps', ({ commands }) => commands.nudgeTicket(10), {
    name: 'ticket: ten steps up',
  }),
  ticket(['pgdn'], 'tenDown', 'one or ten steps', ({ commands }) => commands.nudgeTicket(-10), {
    name: 'ticket: ten steps down',
  }),
  ticket([namedKeys.moreChecks], 'moreChecks', 'more of the checks', moreChecks, {
    name: 'the checks of the ticket that have no room',
    isOffered: (state) => scrolledTicket(state) !== null,
  }),
  ticket([namedKeys.share], 'share', '25-100% of available', ({ commands }) => commands.shareOfAvailable(), {
    name: 'share of the available balance',
    foot: 'share',
  }),
  ticket(['='], 'sizeCurrency', 'quantity or money', ({ commands }) => commands.toggleSizeCurrency(), {
    name: 'ticket: the quantity in the other currency',
    foot: 'money',
  }),
  ...presetKeys.map(({ action, key, index }) =>
    ticket([key], action, 'sizes at hand', ({ commands }) => commands.takePreset(index), {
      name: `ticket: size ${index + 1} of the settings`,
      shown: 'F5-F8',
    }),
  ),
  ticket(['f4'], 'protect', 'stop and target', ({ commands }) => commands.toggleProtection(), {
    name: 'ticket: a stop and a target for what fills',
    foot: 'stop+target',
  }),
  ticket([namedKeys.takeRemedy], 'takeRemedy', 'value that passes', ({ commands }) => commands.takeRemedy(), {
    name: 'ticket: take the value that would pass',
  }),
  ticket(['backspace', 'delete'], 'eraseInTicket', 'erase a digit, all', ({ commands }) => commands.eraseInTicket(), {
    name: 'erase a digit in the ticket',
    shown: 'Bksp C-U',
  }),
  ticket(['ctrl+u', 'ctrl+w'], 'clearField', 'erase a digit, all', ({ commands }) => commands.clearTicketField(), {
    name: 'erase the field of the ticket',
    foot: 'clear',
  }),
  ticket.also([':'], openPalette, 'command palette'),
  ticket([], 'typeInTicket', 'an amount, a choice', ({ commands, text }) => commands.typeIntoTicket(text), {
    takesText: true,
    pasted: ({ commands, text }) => commands.pasteIntoTicket(text),
    shown: '0-9 a-z',
  }),
  oneKey(['enter'], 'sendAtOnce', 'ONE-KEY: SEND', (input) => onSeenReview(input, input.commands.sendTicketAtOnce), {
    name: 'send the order without a review',
    foot: 'SEND',
    danger: 'sends',
    caution: 'towardsSending',
    unavailable: () => 'Enter in the ticket sends',
  }),
  review(['enter'], 'send', 'in review: SEND', (input) => onSeenReview(input, input.commands.sendTicket), {
    name: 'send the order',
    isOffered: (state) => whyDraftGone(state) === null,
    foot: 'SEND',
    danger: 'sends',
  }),
  review(
    [namedKeys.confirmSoftLimits, 'y'],
    'confirmSoftLimits',
    'review: over a limit',
    (input) => onSeenReview(input, input.commands.confirmSoftLimits),
    {
      name: 'confirm the limits an order exceeds',
      isOffered: isLimitAsked,
      foot: 'over limit',
      shown: 'Y',
    },
  ),
  review([], 'retypeQuantity', 'review: unusual size', ({ commands, text }) => commands.retypeQuantity(text), {
    takesText: true,
    shown: '0-9 .',
  }),
  review(['backspace', 'delete'], 'eraseRetyped', 'review: unusual size', ({ commands }) => commands.eraseRetyped(), {
    name: 'erase a digit of the typed size',
  }),
  review(['ctrl+u', 'ctrl+w'], 'clearRetyped', 'review: unusual size', ({ commands }) => commands.clearRetyped(), {
    name: 'erase the typed size',
  }),
  review(['down', 'pgdn'], 'reviewDown', 'review: more lines', scrollReview(1), {
    name: 'review: the lines below',
    isOffered: isReviewLong,
    foot: 'more',
    footKept: 'always',
  }),
  review(['up', 'pgup'], 'reviewUp', 'review: more lines', scrollReview(-1), { name: 'review: the lines above' }),
  review(['x'], 'discardDraft', 'review: discard draft', ({ commands }) => commands.discardReviewedDraft(), {
    name: 'discard the draft of an order under review',
    isOffered: (state) => state.ticket?.drafted !== undefined && whyDraftGone(state) === null,
    foot: 'discard',
  }),
  review(['esc'], 'backToEdit', 'close, review: back', ({ commands }) => commands.backFromTicket(), {
    name: 'back from the review of an order',
    foot: 'back',
  }),
]

const pageSteps = 10

const isMoveLimitAsked = (state: DeskState): boolean =>
  state.move?.stage !== 'review' || unconfirmed(readMove(state, state.move).checks, []).length > 0

/** After digits, the letters for thousands and millions belong to the amount: `64k`. */
const typedOr =
  (run: Run): Run =>
  (input) => {
    const { move } = input.state
    if (move !== null && goesOnWith(move, input.text)) input.commands.typeIntoMove(input.text)
    else run(input)
  }

const move = inScope('move')
const moveReview = inScope('moveReview')

export const moveKeys = [
  move(['enter'], 'reviewMove', 'review the move', ({ commands }) => commands.reviewMove(), {
    name: 'review the move',
    caution: 'towardsSending',
    foot: 'review',
  }),
  move(
    ['k', 'up'],
    'moveUp',
    'choose the new price',
    typedOr(({ commands }) => commands.stepMove(1)),
    {
      name: 'move to a higher price',
      foot: 'price',
      shown: 'j k Pg',
    },
  ),
  move(['j', 'down'], 'moveDown', 'choose the new price', ({ commands }) => commands.stepMove(-1), {
    name: 'move to a lower price',
    foot: 'price',
  }),
  move(['pgup'], 'movePageUp', 'choose the new price', ({ commands }) => commands.stepMove(pageSteps), {
    name: 'move to a price a page up',
  }),
  move(['pgdn'], 'movePageDown', 'choose the new price', ({ commands }) => commands.stepMove(-pageSteps), {
    name: 'move to a price a page down',
  }),
  move(
    ['m'],
    'nextToMove',
    'next own in the row',
    typedOr(({ commands }) => commands.moveAtCursor()),
    {
      foot: 'next own',
    },
  ),
  move(['tab', 'shift+tab'], 'nextMoveField', 'price, quantity', ({ commands }) => commands.nextMoveField(), {
    name: 'move: price or quantity',
    foot: 'field',
  }),
  move([namedKeys.widenMove], 'widenMove', 'its row, its side too', ({ commands }) => commands.widenMove(), {
    name: 'move all of the row, of the side',
    foot: 'all',
  }),
  move([], 'typeIntoMove', 'price, +2t, quantity', ({ commands, text }) => commands.typeIntoMove(text), {
    takesText: true,
    pasted: ({ commands, text }) => commands.pasteIntoMove(text),
    shown: '0-9 + t',
  }),
  move(['backspace', 'delete'], 'eraseInMove', 'erase a digit, all', ({ commands }) => commands.eraseInMove(), {
    name: 'erase a digit in the move',
    shown: 'Bksp C-U',
  }),
  move(['ctrl+u', 'ctrl+w'], 'clearMoveField', 'erase a digit, all', ({ commands }) => commands.clearMoveField(), {
    name: 'clear what was typed in the move',
  }),
  move(['esc'], 'leaveMove', 'close, review: back', ({ commands }) => commands.backFromMove(), {
    name: 'close the move',
    foot: 'close',
  }),
  moveReview(['enter'], 'sendMove', 'in review: SEND', (input) => onSeenReview(input, input.commands.sendMove), {
    name: 'send the move',
    foot: 'SEND',
    danger: 'sends',
  }),
  moveReview(
    [namedKeys.confirmMoveLimits, 'y'],
    'confirmMoveLimits',
    'review: over a limit',
    (input) => onSeenReview(input, input.commands.confirmMoveLimits),
    { name: 'confirm the limits a move exceeds', isOffered: isMoveLimitAsked, foot: 'over limit', shown: 'Y' },
  ),
  moveReview(['down', 'pgdn'], 'moveReviewDown', 'review: more lines', scrollReview(1), {
    name: 'review of a move: the lines below',
    isOffered: isReviewLong,
    foot: 'more',
    footKept: 'always',
  }),
  moveReview(['up', 'pgup'], 'moveReviewUp', 'review: more lines', scrollReview(-1), {
    name: 'review of a move: the lines above',
  }),
  moveReview(['esc'], 'backToPrice', 'close, review: back', ({ commands }) => commands.backFromMove(), {
    name: 'back from the review of a move',
    foot: 'back',
  }),
]
