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
}

export const usualTerminal: TerminalState = { hangUp: 'keep', focusRule: 'guard', keyboard: 'unknown' }

/** What a hang-up does to orders here: a desk that only watches can take none back. */
export const hangUpOf = ({ terminal, mode }: Pick<DeskState, 'terminal' | 'mode'>): HangUpRule =>
  mayCancel(mode) ? terminal.hangUp : 'keep'

/** The terminal reported that its keyboard came or went. */
export type TerminalEvent = { type: 'keyboardMoved'; keyboard: Exclude<Keyboard, 'unknown'>; atMs: number }

/** Whoever set it so finds the desk SAFE after having been elsewhere. */
function withModeElsewhere(state: DeskState, atMs: number): DeskState {
  const { mode, terminal } = state
  if (terminal.focusRule !== 'safe' || terminal.keyboard !== 'elsewhere') return state
  const next = nextMode(mode, 'makeSafe')
  if (next === mode) return state
  return noted({ ...state, mode: next }, 'warn', 'The keyboard went elsewhere: the desk is SAFE.', atMs)
}

/** What a report of the terminal means for the desk; the same state when it is no news. */
export function reduceTerminal(state: DeskState, { keyboard, atMs }: TerminalEvent): DeskState {
  if (state.terminal.keyboard === keyboard) return state
  return withModeElsewhere({ ...state, terminal: { ...state.terminal, keyboard } }, atMs)
}
