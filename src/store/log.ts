import type { NewsLevel } from '../domain/desk-events.ts'
import type { DeskState, LogLine } from './state.ts'

const logMost = 500

/** Adds a line to the log alone: for what is shown in another way. */
export function logged(state: DeskState, level: NewsLevel, text: string, atMs: number): DeskState {
  const line: LogLine = { atMs, level, text }
  return { ...state, log: [...state.log.slice(-(logMost - 1)), line] }
}

/** Adds a line to the log and shows it as the notice. */
export function noted(state: DeskState, level: NewsLevel, text: string, atMs: number): DeskState {
  return { ...logged(state, level, text, atMs), notice: { atMs, level, text } }
}
