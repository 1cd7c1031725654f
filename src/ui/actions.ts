import type { Commands } from '../store/commands.ts'
import type { DeskState } from '../store/state.ts'
import type { DeskStore } from '../store/store.ts'
import { type ActionId, activeScopes, findBinding } from './keymap.ts'
import { layoutFor } from './layout.ts'
import { paneAfter } from './panes/pane-table.ts'
import type { InputEvent } from './terminal/key-sequences.ts'

/** What an action works on: the commands, the state as the key finds it, and the character typed. */
type ActionInput = { commands: Commands; state: DeskState; text: string }
type Action = (input: ActionInput) => void

/** Rows that Page Up and Page Down move: all but one, so that the eye keeps a row it knows. */
const pageRows = ({ screen }: DeskState): number => Math.max(1, screen.ladderRowCount - 1)
const ordersPage = 5

/** Every action as what it asks of the desk; the compiler asks for a line when an action is added. */
const actions: Readonly<Record<ActionId, Action>> = {
  focusLadder: ({ commands }) => commands.focusPane('ladder'),
  focusOrders: ({ commands }) => commands.focusPane('orders'),
  focusFills: ({ commands }) => commands.focusPane('fills'),
  focusBalances: ({ commands }) => commands.focusPane('balances'),
  focusLog: ({ commands }) => commands.focusPane('log'),
  focusTickers: ({ commands }) => commands.focusPane('tickers'),
  // Also to panes behind a tab, which the focus brings to the front.
  nextPane: ({ commands, state }) => commands.focusPane(paneAfter(state.focus, 1)),
  previousPane: ({ commands, state }) => commands.focusPane(paneAfter(state.focus, -1)),
  chooseSymbol: ({ commands }) => commands.openSymbols(),
  toggleArmed: ({ commands }) => commands.toggleArmed(),
  help: ({ commands }) => commands.openHelp(),
  quit: ({ commands }) => commands.quit(),
  quitNow: ({ commands }) => commands.confirmQuit(),
  askHalt: ({ commands }) => commands.askHalt(),
  lock: ({ commands }) => commands.lock(),
  cursorUp: ({ commands }) => commands.moveCursor(1),
  cursorDown: ({ commands }) => commands.moveCursor(-1),
  cursorPageUp: ({ commands, state }) => commands.moveCursor(pageRows(state)),
  cursorPageDown: ({ commands, state }) => commands.moveCursor(-pageRows(state)),
  centre: ({ commands }) => commands.centreLadder(),
  groupCoarser: ({ commands }) => commands.changeGroup(1),
  groupFiner: ({ commands }) => commands.changeGroup(-1),
  buy: ({ commands }) => commands.openTicket('BUY'),
  sell: ({ commands }) => commands.openTicket('SELL'),
  cancelAtCursor: ({ commands }) => commands.cancelAtCursor(),
  selectUp: ({ commands }) => commands.selectOrder(-1),
  selectDown: ({ commands }) => commands.selectOrder(1),
  selectPageUp: ({ commands }) => commands.selectOrder(-ordersPage),
  selectPageDown: ({ commands }) => commands.selectOrder(ordersPage),
  cancelSelected: ({ commands }) => commands.cancelSelectedOrder(),
  askUnsettled: ({ commands }) => commands.askUnsettled(),
  sayPlaced: ({ commands }) => commands.sayUnsettled('placed'),
  sayNotPlaced: ({ commands }) => commands.sayUnsettled('notPlaced'),
  nextField: ({ commands }) => commands.nextTicketField(1),
  previousField: ({ commands }) => commands.nextTicketField(-1),
  stepUp: ({ commands }) => commands.nudgeTicket(1),
  stepDown: ({ commands }) => commands.nudgeTicket(-1),
  tenUp: ({ commands }) => commands.nudgeTicket(10),
  tenDown: ({ commands }) => commands.nudgeTicket(-10),
  share: ({ commands }) => commands.shareOfAvailable(),
  typeInTicket: ({ commands, text }) => commands.typeIntoTicket(text),
  eraseInTicket: ({ commands }) => commands.eraseInTicket(),
  clearField: ({ commands }) => commands.clearTicketField(),
  review: ({ commands }) => commands.reviewTicket(),
  leaveTicket: ({ commands }) => commands.backFromTicket(),
  confirmSoftLimits: ({ commands }) => commands.confirmSoftLimits(),
  send: ({ commands }) => commands.sendTicket(),
  backToEdit: ({ commands }) => commands.backFromTicket(),
  typeInSymbols: ({ commands, text }) => commands.typeIntoSymbols(text),
  eraseInSymbols: ({ commands }) => commands.eraseInSymbols(),
  symbolUp: ({ commands }) => commands.moveInSymbols(-1),
  symbolDown: ({ commands }) => commands.moveInSymbols(1),
  takeSymbol: ({ commands }) => commands.chooseSymbol(),
  closeOverlay: ({ commands }) => commands.closeOverlay(),
  typeIntoHalt: ({ commands, text }) => commands.typeIntoHalt(text),
  eraseInHalt: ({ commands }) => commands.eraseInHalt(),
  confirmHalt: ({ commands }) => commands.confirmHalt(),
  beginUnlock: ({ commands }) => commands.beginUnlock(),
  typeIntoLock: ({ commands, text }) => commands.typeIntoLock(text),
  eraseInLock: ({ commands }) => commands.eraseInLock(),
  clearLock: ({ commands }) => commands.clearLock(),
  submitLock: ({ commands }) => commands.submitLock(),
  leaveLock: ({ commands }) => commands.leaveLock(),
  refuseToLeave: ({ commands }) => commands.refuseToLeave(),
  confirmQuit: ({ commands }) => commands.confirmQuit(),
}

/** A paste goes into the field that takes text, if there is one, and is never a key. */
function takePaste({ overlay, ticket, lock }: DeskState, isTooSmall: boolean, commands: Commands, text: string): void {
  if (lock.kind !== 'open') {
    if (overlay === null) commands.typeIntoLock(text.trim())
  } else if (isTooSmall) return
  else if (overlay?.kind === 'symbols') commands.typeIntoSymbols(text.trim())
  else if (overlay === null && ticket?.stage === 'edit') commands.pasteIntoTicket(text)
}

const isTooSmall = ({ screen: { columns, rows }, focus }: DeskState): boolean =>
  layoutFor(columns, rows, focus).kind === 'tooSmall'

/** What an event would do now; undefined for pastes and keys without a meaning. */
export function actionOf(event: InputEvent, state: DeskState): ActionId | undefined {
  if (event.kind === 'paste') return undefined
  return findBinding(activeScopes(state, isTooSmall(state)), event.key, event.text)?.action
}

/** Acts on one key or paste, in the state as the ones before it have left it. Keys without a meaning do nothing. */
export function handleInput(event: InputEvent, store: DeskStore, commands: Commands): void {
  const state = store.getState()
  if (event.kind === 'paste') takePaste(state, isTooSmall(state), commands, event.text)
  const action = actionOf(event, state)
  if (action !== undefined) actions[action]({ commands, state, text: event.text ?? '' })
}
