import { plainText } from '../../base/text/plain-text.ts'
import type { FiredAlert } from '../../domain/alerts/news.ts'
import { isLocked } from '../../domain/desk/lock.ts'
import { newlyFired } from '../../store/alerts/alert-changes.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import type { Environment } from './colors.ts'

/**
 * Whether alerts ring the terminal's bell, and whether they become notifications; null: yes, except with a screen
 * reader.
 */
export type SignalSettings = { bell: boolean | null; notify: boolean | null }

/** Minimum time in ms between bells; alerts in the meantime are reported together afterwards. */
export const bellPauseMs = 5_000

const bell = '\u0007'
const textMax = 200

/**
 * An operating system command (OSC) for the terminal of `env`; null if that terminal would print it. `end` is BEL or
 * `ESC \`.
 */
export function command(body: string, end: string, { TERM, TMUX }: Environment): string | null {
  if (TERM === 'dumb' || TERM === 'linux' || TERM === undefined) return null
  const sequence = `\u001b]${body}${end}`
  // tmux keeps a sequence to itself unless it is wrapped for the outer terminal.
  return TMUX === undefined ? sequence : `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`
}

/**
 * The sequence that most terminals turn into a desktop notification (OSC 9). Control characters are removed, so the
 * text can neither end it early nor steer the terminal; it does not move the cursor. Null for a terminal that would
 * print it.
 */
export const notification = (text: string, env: Environment): string | null =>
  // The prefix also keeps a text starting with a number from being read as another OSC 9 command.
  command(`9;pitdesk: ${plainText(text).slice(0, textMax)}`, '\u001b\\', env)

/** Several alerts as one text; behind the lock screen only their count. */
function textOf(fired: readonly FiredAlert[], isHidden: boolean, wordsOf: (alert: FiredAlert) => string): string {
  const [first, ...others] = fired
  if (first === undefined) return ''
  if (isHidden) return `${fired.length === 1 ? 'an alert' : `${fired.length} alerts`} behind the lock screen`
  return others.length === 0 ? wordsOf(first) : `${wordsOf(first)} (+${others.length} more)`
}

type AlertSignals = {
  store: DeskStore
  /**
   * Writes to the terminal that the screen is drawn on. Each screen update is a single write, so this never lands
   * within one.
   */
  write: (bytes: string) => void
  settings: SignalSettings
  env: Environment
  /** An alert's text; a notification is on the screen as well, so in privacy mode it has no amount of the account. */
  wordsOf: (alert: FiredAlert, isPrivate: boolean) => string
}

/** Rings and notifies when alerts fire. Call the result to stop. */
export function followSignals({ store, write, settings, env, wordsOf }: AlertSignals): () => void {
  let waiting: readonly FiredAlert[] = []
  let rungAtMs = Number.NEGATIVE_INFINITY
  const ring = ({ lock, looks }: DeskState, nowMs: number) => {
    const isUsual = !looks.isSpoken
    const isBell = settings.bell ?? isUsual
    const text = textOf(waiting, isLocked(lock), (alert) => wordsOf(alert, looks.isPrivate))
    const sequence = (settings.notify ?? isUsual) ? notification(text, env) : null
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
 * The sequence that puts text on the clipboard of the user's machine (OSC 52), even through SSH. Whether the terminal
 * supports it cannot be queried. Null for a terminal that would print it.
 */
export const clipboardSequence = (text: string, env: Environment): string | null =>
  command(`52;c;${Buffer.from(text, 'utf8').toString('base64')}`, bell, env)

/** Copies text by writing to the terminal that the screen is drawn on; false if the terminal cannot take it. */
export const createCopy =
  (write: (bytes: string) => void, env: Environment) =>
  (text: string): boolean => {
    const sequence = clipboardSequence(text, env)
    if (sequence === null) return false
    write(sequence)
    return true
  }
