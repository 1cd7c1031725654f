import { plainText } from '../../base/plain-text.ts'
import type { FiredAlert } from '../../domain/alerts/news.ts'
import { isLocked } from '../../domain/desk/lock.ts'
import { newlyFired } from '../../store/alerts/alert-changes.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import type { Environment } from './colors.ts'

/**
 * Whether alerts ring the terminal's bell, and whether they become notifications; null: unless a screen reader is used.
 */
export type SignalSettings = { bell: boolean | null; notify: boolean | null }

/** However much fires, the bell rings at most once in this time; what came meanwhile is told together after it. */
export const bellPauseMs = 5_000

const bell = '\u0007'
const textMax = 200

/**
 * An operating system command as the terminal of `env` takes it; null for a terminal that would print it instead.
 * `end` is BEL or `ESC \`.
 */
export function command(body: string, end: string, { TERM, TMUX }: Environment): string | null {
  if (TERM === 'dumb' || TERM === 'linux' || TERM === undefined) return null
  const sequence = `\u001b]${body}${end}`
  // tmux keeps to itself what is not wrapped for the terminal around it.
  return TMUX === undefined ? sequence : `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`
}

/**
 * The sequence that most terminals turn into a notification of the desktop (OSC 9). Nothing in the text can end it
 * early or steer the terminal, and it moves no cursor. Null for a terminal that would print it instead.
 */
export const notification = (text: string, env: Environment): string | null =>
  // The name in front also keeps a text that begins with a number from being one of the sequence's other uses.
  command(`9;pitdesk: ${plainText(text).slice(0, textMax)}`, '\u001b\\', env)

/** Several alerts as one text; behind a lock screen only that there are some. */
function textOf(fired: readonly FiredAlert[], isHidden: boolean): string {
  const [first, ...others] = fired
  if (first === undefined) return ''
  if (isHidden) return `${fired.length === 1 ? 'an alert' : `${fired.length} alerts`} behind the lock screen`
  return others.length === 0 ? first.text : `${first.text} (+${others.length} more)`
}

type AlertSignals = {
  store: DeskStore
  /**
   * Writes to the terminal that the screen is drawn on. The drawing writes whole pictures, so this never falls into
   * one.
   */
  write: (bytes: string) => void
  settings: SignalSettings
  env: Environment
}

/** Rings and notifies when alerts fire. Returns how to end it. */
export function followSignals({ store, write, settings, env }: AlertSignals): () => void {
  let waiting: readonly FiredAlert[] = []
  let rungAtMs = Number.NEGATIVE_INFINITY
  const ring = ({ lock, looks }: DeskState, nowMs: number) => {
    const isUsual = !looks.isSpoken
    const isBell = settings.bell ?? isUsual
    const sequence = (settings.notify ?? isUsual) ? notification(textOf(waiting, isLocked(lock)), env) : null
    waiting = []
    rungAtMs = nowMs
    const bytes = `${isBell ? bell : ''}${sequence ?? ''}`
    if (bytes !== '') write(bytes)
  }
  return store.subscribe((state, before) => {
    const fired = newlyFired(before, state)
    if (fired.length > 0) waiting = [...waiting, ...fired]
    if (waiting.length === 0) return
    const nowMs = Math.max(state.nowMs, waiting.at(-1)?.atMs ?? 0)
    if (nowMs - rungAtMs >= bellPauseMs) ring(state, nowMs)
  })
}

/**
 * The sequence by which a terminal takes text into the clipboard of the machine one sits at (OSC 52), also through SSH.
 * Whether it does so cannot be asked. Null for a terminal that would print it instead.
 */
export const clipboardSequence = (text: string, env: Environment): string | null =>
  command(`52;c;${Buffer.from(text, 'utf8').toString('base64')}`, bell, env)

/**
 * Copies a text by writing to the terminal that the screen is drawn on; false where nothing was written that could copy
 * it.
 */
export const createCopy =
  (write: (bytes: string) => void, env: Environment) =>
  (text: string): boolean => {
    const sequence = clipboardSequence(text, env)
    if (sequence === null) return false
    write(sequence)
    return true
  }
