import { type FocusRule, type HangUpRule, mayCancel, nextMode } from '../domain/desk/mode.ts'
import { type NotedEvent, type Noting, noted } from './log.ts'
import type { ModeSlice } from './mode.ts'
import { type MoveSlice, withoutMoveReview } from './move/move.ts'
import { isOrderSending } from './order-form.ts'
import type { ConfirmCancelOverlay } from './orders/cancel-question.ts'
import type { HaltOverlay, UnknownWriteOverlay } from './orders/order-commands.ts'
import type { QuitOverlay } from './quit.ts'
import { type Covering, isOverlay, type SliceContext } from './slice.ts'
import { type TicketSlice, withoutTicketReview } from './ticket/ticket.ts'
import { withoutSending } from './transfers/withdraw.ts'

/** Where the keyboard focus is, if the terminal reports it; many never do. */
type Keyboard = 'unknown' | 'here' | 'elsewhere'

/** The desk's terminal: the user's settings for it, and its reports. */
export type TerminalState = {
  hangUp: HangUpRule
  focusRule: FocusRule
  /** The window's title shows mode, venue and symbol. */
  isTitled: boolean
  /** The window shows a halt and unknown writes; null: where the terminal is known to support it. */
  hasProgress: boolean | null
  /** The desk takes clicks and the wheel. */
  hasMouse: boolean
  /** A terminal that supports it distinguishes a held key from a pressed one. */
  areKeysCoded: boolean
  /** Pages that show a transaction of a currency: addresses with `{hash}` in them, by currency. */
  links: Readonly<Record<string, string>>
  keyboard: Keyboard
  /** When the keyboard, or the whole desk, came back; null when it has never been away. */
  backAtMs: number | null
  /** `leaving`: the terminal goes back to the shell, and the desk sleeps. */
  presence: 'here' | 'leaving'
  /** The number of presses of a mouse button: an Enter that came with a click sends nothing. */
  clicks: number
  /** How often the user asked for the screen to be drawn again. */
  redraws: number
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
  redraws: 0,
}

export type TerminalSlice = { terminal: TerminalState }

export type TerminalEvent =
  /** The terminal reported that its keyboard came or went. */
  | { type: 'keyboardMoved'; keyboard: Exclude<Keyboard, 'unknown'>; atMs: number }
  | { type: 'clicked' }
  /** Something else wrote on the screen: all of it is to be drawn again. */
  | { type: 'redrawAsked' }
  | { type: 'leavingAsked'; atMs: number }
  /** `hasStopped`: the desk slept; else there was no shell to go back to. */
  | { type: 'cameBack'; awayMs: number; hasStopped: boolean; atMs: number }

/** The parts that its commands use. */
type Context = SliceContext<TicketSlice & MoveSlice, TerminalEvent | NotedEvent>

/** The parts that a change of the keyboard focus affects. */
type KeyboardNeeds = ModeSlice & TerminalSlice & Noting

/** The parts that may wait for one key. */
type Reviewed = TicketSlice & MoveSlice & Covering

/** The parts that the terminal affects. */
type Needs = ModeSlice & TicketSlice & MoveSlice & TerminalSlice & Noting & Covering

/** The effect of a hang-up on orders: a desk that may not cancel keeps them. */
export const hangUpOf = ({ terminal, mode }: Pick<ModeSlice, 'mode'> & TerminalSlice): HangUpRule =>
  mayCancel(mode) ? terminal.hangUp : 'keep'

/** With the rule `safe`, a desk that loses the keyboard focus is SAFE. */
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

type Question = HaltOverlay | ConfirmCancelOverlay | QuitOverlay | UnknownWriteOverlay
/** Questions in which a key does something irreversible. */
const questions: Readonly<Record<Question['kind'], true>> = {
  halt: true,
  confirmCancel: true,
  confirmQuit: true,
  unknownWrite: true,
}

/**
 * After this, nothing that raises risk, and no answer about an unknown write, waits for one key: the user reviews it
 * again. Questions that only lower risk stay: halting and canceling.
 */
export function withoutReviews<S extends Reviewed>(state: S): S {
  const { ticket, move, overlay } = state
  return {
    ...state,
    ticket: withoutTicketReview(ticket),
    move: withoutMoveReview(move),
    overlay: isOverlay<UnknownWriteOverlay>(overlay, 'unknownWrite') ? null : withoutSending(overlay),
  }
}

/** After a return from the shell no question is open. */
function withoutQuestions<S extends Reviewed>(before: S): S {
  const state = withoutReviews(before)
  const { overlay } = state
  return overlay !== null && Object.hasOwn(questions, overlay.kind) ? { ...state, overlay: null } : state
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

/** The state after an event of the terminal; the same state when nothing changed. */
export function reduceTerminal<S extends Needs>(state: S, event: TerminalEvent): S {
  switch (event.type) {
    case 'keyboardMoved':
      return withKeyboard(state, event.keyboard, event.atMs)
    case 'clicked':
      return { ...state, terminal: { ...state.terminal, clicks: state.terminal.clicks + 1 } }
    case 'redrawAsked':
      return { ...state, terminal: { ...state.terminal, redraws: state.terminal.redraws + 1 } }
    case 'leavingAsked': {
      const left = withoutQuestions(state)
      return { ...left, terminal: { ...left.terminal, presence: 'leaving' } }
    }
    case 'cameBack':
      return withReturn(state, event)
  }
}

export type TerminalCommands = {
  /** Returns the terminal to the shell, and the desk sleeps until it is called to the foreground again. */
  leaveForShell(): void
  /** Draws the whole screen again, whatever another program has written on it. */
  redraw(): void
}

/** The user's commands for the terminal itself. */
export function createTerminalCommands({ store, port }: Context): TerminalCommands {
  return {
    leaveForShell() {
      const atMs = port.now()
      // The answer would reach a sleeping desk, and count as no answer.
      if (isOrderSending(store.getState())) {
        const text = 'Wait: an order has no answer yet.'
        return store.dispatch({ type: 'noted', level: 'warn', text, atMs })
      }
      store.dispatch({ type: 'leavingAsked', atMs })
    },
    redraw: () => store.dispatch({ type: 'redrawAsked' }),
  }
}
