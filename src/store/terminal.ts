import { type FocusRule, type HangUpRule, mayCancel, nextMode } from '../domain/desk/mode.ts'
import { type NotedEvent, type Noting, noted } from './log.ts'
import type { ModeSlice } from './mode.ts'
import { type MoveSlice, withoutMoveReview } from './move/move.ts'
import { isOrderSending } from './order-form.ts'
import type { UnknownWriteOverlay } from './orders/order-commands.ts'
import { type Covering, isOverlay, type SliceContext } from './slice.ts'
import { type TicketSlice, withoutTicketReview } from './ticket/ticket.ts'
import { withoutSending } from './transfers/withdraw.ts'

/** Where the keyboard is, as far as the terminal reports it; many never do. */
type Keyboard = 'unknown' | 'here' | 'elsewhere'

/** The desk's terminal: what a person set about it, and what it reports. */
export type TerminalState = {
  hangUp: HangUpRule
  focusRule: FocusRule
  /** The window's title tells mode, venue and symbol. */
  isTitled: boolean
  /** The window tells of a halt and of unsettled writes; null: where the terminal is known to show it. */
  hasProgress: boolean | null
  /** Clicks and the wheel are the desk's. */
  hasMouse: boolean
  /** A terminal that can tells a key that is held from one that is pressed. */
  areKeysCoded: boolean
  /** Where a transaction of a currency can be looked at: addresses with `{hash}` in them, by currency. */
  links: Readonly<Record<string, string>>
  keyboard: Keyboard
  /** When the keyboard, or the whole desk, came back here; null while it has never been away. */
  backAtMs: number | null
  /** `leaving`: the terminal goes back to the shell, and the desk sleeps. */
  presence: 'here' | 'leaving'
  /** How often a button of the mouse was pressed: whoever waits for nothing to be pressed sees it by that. */
  clicks: number
}

export const usualTerminal: TerminalState = {
  hangUp: 'keep',
  focusRule: 'guard',
  isTitled: true,
  hasProgress: null,
  hasMouse: false,
  areKeysCoded: true,
  links: {},
  keyboard: 'unknown',
  backAtMs: null,
  presence: 'here',
  clicks: 0,
}

export type TerminalSlice = { terminal: TerminalState }

export type TerminalEvent =
  /** The terminal reported that its keyboard came or went. */
  | { type: 'keyboardMoved'; keyboard: Exclude<Keyboard, 'unknown'>; atMs: number }
  | { type: 'clicked' }
  | { type: 'leavingAsked'; atMs: number }
  /** `hasStopped`: the desk slept; else there was no shell to go back to. */
  | { type: 'cameBack'; awayMs: number; hasStopped: boolean; atMs: number }

/** What its commands work with. */
type Context = SliceContext<TicketSlice & MoveSlice, TerminalEvent | NotedEvent>

/** What a keyboard that comes or goes touches. */
type KeyboardNeeds = ModeSlice & TerminalSlice & Noting

/** What may wait for one key. */
type Reviewed = TicketSlice & MoveSlice & Covering

/** What the terminal touches. */
type Needs = ModeSlice & TicketSlice & MoveSlice & TerminalSlice & Noting & Covering

/** What a hang-up does to orders here: a desk that only watches can take none back. */
export const hangUpOf = ({ terminal, mode }: Pick<ModeSlice, 'mode'> & TerminalSlice): HangUpRule =>
  mayCancel(mode) ? terminal.hangUp : 'keep'

/** Whoever set it so finds the desk SAFE after having been elsewhere. */
function withModeElsewhere<S extends KeyboardNeeds>(state: S, atMs: number): S {
  const { mode, terminal } = state
  if (terminal.focusRule !== 'safe' || terminal.keyboard !== 'elsewhere') return state
  const next = nextMode(mode, 'makeSafe')
  if (next === mode) return state
  return noted({ ...state, mode: next }, 'warn', 'Keyboard focus lost: the desk is SAFE.', atMs)
}

function withKeyboard<S extends KeyboardNeeds>(state: S, keyboard: Exclude<Keyboard, 'unknown'>, atMs: number): S {
  const { terminal } = state
  if (terminal.keyboard === keyboard || terminal.focusRule === 'ignore') return state
  const isBack = keyboard === 'here' && terminal.keyboard === 'elsewhere'
  const backAtMs = isBack ? atMs : terminal.backAtMs
  return withModeElsewhere({ ...state, terminal: { ...terminal, keyboard, backAtMs } }, atMs)
}

/** Questions that are answered by a key which does something that cannot be taken back. */
const questions: ReadonlySet<string> = new Set(['halt', 'confirmCancel', 'confirmQuit', 'unsettled'])

/**
 * Nothing that raises risk, and no word on an unsettled write, waits for one key any more: it is looked at anew before
 * it goes. Questions that can only lower it stay: halting, and taking orders back.
 */
export function withoutReviews<S extends Reviewed>(state: S): S {
  const { ticket, move, overlay } = state
  return {
    ...state,
    ticket: withoutTicketReview(ticket),
    move: withoutMoveReview(move),
    overlay: isOverlay<UnknownWriteOverlay>(overlay, 'unsettled') ? null : withoutSending(overlay),
  }
}

/** Who comes back from the shell finds no question open at all. */
function withoutQuestions<S extends Reviewed>(before: S): S {
  const state = withoutReviews(before)
  const { overlay } = state
  return overlay !== null && questions.has(overlay.kind) ? { ...state, overlay: null } : state
}

function withReturn<S extends TerminalSlice & Noting>(
  state: S,
  { awayMs, hasStopped, atMs }: Extract<TerminalEvent, { type: 'cameBack' }>,
): S {
  const back: S = { ...state, terminal: { ...state.terminal, presence: 'here', backAtMs: atMs } }
  const text = hasStopped
    ? `Back after ${Math.max(0, Math.round(awayMs / 1000))} s suspended: no polls or alerts meanwhile.`
    : 'Not suspended: no shell to resume it.'
  return noted(back, hasStopped ? 'info' : 'warn', text, atMs)
}

/** What happens to the terminal, and what it means for the desk; the same state when it is not news. */
export function reduceTerminal<S extends Needs>(state: S, event: TerminalEvent): S {
  switch (event.type) {
    case 'keyboardMoved':
      return withKeyboard(state, event.keyboard, event.atMs)
    case 'clicked':
      return { ...state, terminal: { ...state.terminal, clicks: state.terminal.clicks + 1 } }
    case 'leavingAsked': {
      const left = withoutQuestions(state)
      return { ...left, terminal: { ...left.terminal, presence: 'leaving' } }
    }
    case 'cameBack':
      return withReturn(state, event)
  }
}

export type TerminalCommands = {
  /** The terminal goes back to the shell, and the desk sleeps until it is called to the foreground again. */
  leaveForShell(): void
}

/** What a person does about the terminal itself. */
export function createTerminalCommands({ store, port }: Context): TerminalCommands {
  return {
    leaveForShell() {
      const atMs = port.now()
      // Its answer would come to a desk that does not listen, and be taken for none.
      if (isOrderSending(store.getState())) {
        const text = 'Wait: an order has no answer yet.'
        return store.dispatch({ type: 'noted', level: 'warn', text, atMs })
      }
      store.dispatch({ type: 'leavingAsked', atMs })
    },
  }
}
