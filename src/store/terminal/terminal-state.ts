import { mayCancel, nextMode } from '../../domain/mode.ts'
import type { FocusRule, HangUpRule } from '../../domain/terminal-rules.ts'
import { noted } from '../log.ts'
import type { DeskState } from '../state.ts'

/** Where the keyboard is, as far as the terminal reports it; many never do. */
export type Keyboard = 'unknown' | 'here' | 'elsewhere'

/** The desk's terminal: what a person set about it, and what it reports. */
export type TerminalState = {
  hangUp: HangUpRule
  focusRule: FocusRule
  keyboard: Keyboard
  /** When the keyboard, or the whole desk, came back here; null while it has never been away. */
  backAtMs: number | null
  /** `leaving`: the terminal goes back to the shell, and the desk sleeps. */
  presence: 'here' | 'leaving'
}

export const usualTerminal: TerminalState = {
  hangUp: 'keep',
  focusRule: 'guard',
  keyboard: 'unknown',
  backAtMs: null,
  presence: 'here',
}

/** What a hang-up does to orders here: a desk that only watches can take none back. */
export const hangUpOf = ({ terminal, mode }: Pick<DeskState, 'terminal' | 'mode'>): HangUpRule =>
  mayCancel(mode) ? terminal.hangUp : 'keep'

export type TerminalEvent =
  /** The terminal reported that its keyboard came or went. */
  | { type: 'keyboardMoved'; keyboard: Exclude<Keyboard, 'unknown'>; atMs: number }
  | { type: 'leavingAsked'; atMs: number }
  /** `hasStopped`: the desk slept; else there was no shell to go back to. */
  | { type: 'cameBack'; awayMs: number; hasStopped: boolean; atMs: number }

/** Whoever set it so finds the desk SAFE after having been elsewhere. */
function withModeElsewhere(state: DeskState, atMs: number): DeskState {
  const { mode, terminal } = state
  if (terminal.focusRule !== 'safe' || terminal.keyboard !== 'elsewhere') return state
  const next = nextMode(mode, 'makeSafe')
  if (next === mode) return state
  return noted({ ...state, mode: next }, 'warn', 'The keyboard went elsewhere: the desk is SAFE.', atMs)
}

function withKeyboard(state: DeskState, keyboard: Exclude<Keyboard, 'unknown'>, atMs: number): DeskState {
  const { terminal } = state
  if (terminal.keyboard === keyboard || terminal.focusRule === 'ignore') return state
  const isBack = keyboard === 'here' && terminal.keyboard === 'elsewhere'
  const backAtMs = isBack ? atMs : terminal.backAtMs
  return withModeElsewhere({ ...state, terminal: { ...terminal, keyboard, backAtMs } }, atMs)
}

/** Questions that are answered by a key which does something that cannot be taken back. */
const questions: ReadonlySet<string> = new Set(['halt', 'confirmCancel', 'confirmQuit', 'unsettled'])

/** The amount of a withdrawal is typed once more after a pause too. */
function withoutQuestion(overlay: DeskState['overlay']): DeskState['overlay'] {
  if (overlay?.kind === 'withdrawReview') return { ...overlay, retyped: '' }
  return overlay !== null && questions.has(overlay.kind) ? null : overlay
}

/** Nothing waits for one key any more: what comes back is looked at anew before it is sent. */
function withoutReviews(state: DeskState): DeskState {
  const { ticket, move, overlay } = state
  return {
    ...state,
    ticket: ticket?.stage === 'review' ? { stage: 'edit', form: ticket.form, field: ticket.field } : ticket,
    move: move?.stage === 'review' ? { stage: 'choose', order: move.order, price: move.price } : move,
    overlay: withoutQuestion(overlay),
  }
}

function withReturn(state: DeskState, { awayMs, hasStopped, atMs }: Extract<TerminalEvent, { type: 'cameBack' }>) {
  const back: DeskState = { ...state, terminal: { ...state.terminal, presence: 'here', backAtMs: atMs } }
  const text = hasStopped
    ? `Back after ${Math.max(0, Math.round(awayMs / 1000))} s asleep: nothing was asked for or told of meanwhile.`
    : 'No shell stands behind this desk that could call it back: it stays.'
  return noted(back, hasStopped ? 'info' : 'warn', text, atMs)
}

/** What happens to the terminal, and what it means for the desk; the same state when it is no news. */
export function reduceTerminal(state: DeskState, event: TerminalEvent): DeskState {
  switch (event.type) {
    case 'keyboardMoved':
      return withKeyboard(state, event.keyboard, event.atMs)
    case 'leavingAsked': {
      const left = withoutReviews(state)
      return { ...left, terminal: { ...left.terminal, presence: 'leaving' } }
    }
    case 'cameBack':
      return withReturn(state, event)
  }
}
