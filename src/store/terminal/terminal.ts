import type { FocusRule, HangUpRule } from '../../domain/desk/mode.ts'

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

export type TerminalSlice = { terminal: TerminalState }

export type TerminalEvent =
  /** The terminal reported that its keyboard came or went. */
  | { type: 'keyboardMoved'; keyboard: Exclude<Keyboard, 'unknown'>; atMs: number }
  | { type: 'leavingAsked'; atMs: number }
  /** `hasStopped`: the desk slept; else there was no shell to go back to. */
  | { type: 'cameBack'; awayMs: number; hasStopped: boolean; atMs: number }
