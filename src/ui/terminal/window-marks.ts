import { plainText } from '../../base/text/plain-text.ts'
import { isLocked } from '../../domain/desk/lock.ts'
import type { DeskState } from '../../store/desk.ts'
import { type Environment, readGlyphSet } from './colors.ts'
import { command } from './signals.ts'

/** The inputs of a window's title and progress mark. */
type Marked = Pick<DeskState, 'mode' | 'venue' | 'symbol' | 'lock' | 'unknownWrites' | 'looks' | 'terminal'>

const titleMax = 80
const nameMax = 40

/** `LIVE ARMED main · BTC-USD`, without control characters. Behind the lock screen it does not name the symbol. */
export function windowTitle({ mode, venue, symbol, lock }: Marked, env: Environment): string {
  const word = venue.kind === 'practice' ? 'PRACTICE' : 'LIVE'
  const name = plainText(venue.profileName).trim().slice(0, nameMax)
  const named = name === '' || name.toUpperCase() === word ? '' : ` ${name}`
  const start = `${word} ${mode.kind}${named}`
  const between = readGlyphSet(env) === 'ascii' ? '-' : '·'
  return (isLocked(lock) ? `${start} ${between} locked` : `${start} ${between} ${plainText(symbol)}`).slice(0, titleMax)
}

const noProgress = '9;4;0;0'

/** The progress mark: an error while halted, indeterminate while a write has no answer, otherwise none. */
function progressOf({ mode, unknownWrites, looks }: Marked): string {
  if (mode.kind === 'HALTED') return '9;4;2;100'
  if (unknownWrites.length === 0) return noProgress
  // Indeterminate progress is animated: with reduced motion the paused state stands in for it.
  return looks.isMotionReduced ? '9;4;4;100' : '9;4;3;0'
}

/** Older versions of WezTerm show the mark as a notification. */
const wezTermMin = 20_250_209

/** Terminals known to show progress; others may show the same sequence as a notification. */
export function showsProgress(env: Environment): boolean {
  const { TERM = '', TERM_PROGRAM: program = '', TERM_PROGRAM_VERSION: version = '' } = env
  // A multiplexer's session may be attached from a different terminal later.
  if (env.TMUX !== undefined || /^(?:screen|tmux)/.test(TERM)) return false
  if ((env.WT_SESSION ?? '') !== '' || env.ConEmuANSI === 'ON') return true
  if (program === 'WezTerm') return Number.parseInt(version, 10) >= wezTermMin
  return program === 'ghostty' || TERM === 'xterm-ghostty'
}

type WindowMarks = {
  /** Sent when the desk takes the terminal's screen: saves the window title and sets the desk's. */
  begin(): string
  /** Sent before the screen is given back: restores the title and clears the progress mark. */
  end(): string
  /** Sent as the desk changes; empty if nothing changed, or while the screen is not taken. */
  change(): string
}

/** Window title and progress mark, as far as the settings ask for them and the terminal supports them. */
export function createWindowMarks(env: Environment, stateOf: () => Marked): WindowMarks {
  let shown: { title: string; progress: string } | null = null
  const isTaking = command('', '', env) !== null
  const wants = () => {
    const { terminal, looks } = stateOf()
    const can = isTaking && !looks.isSpoken
    return { title: can && terminal.isTitled, progress: can && (terminal.hasProgress ?? showsProgress(env)) }
  }
  const change = (): string => {
    if (shown === null) return ''
    const state = stateOf()
    const next = { title: windowTitle(state, env), progress: progressOf(state) }
    const { title, progress } = wants()
    // The title belongs to this terminal, or to tmux's own pane: it is never wrapped.
    const titled = title && next.title !== shown.title ? `\u001b]2;${next.title}\u0007` : ''
    const marked = progress && next.progress !== shown.progress ? (command(next.progress, '\u001b\\', env) ?? '') : ''
    shown = next
    return titled + marked
  }
  return {
    begin() {
      shown = { title: '', progress: noProgress }
      return `${wants().title ? '\u001b[22;2t' : ''}${change()}`
    },
    change,
    end() {
      if (shown === null) return ''
      const { title, progress } = wants()
      const marked = progress && shown.progress !== noProgress ? (command(noProgress, '\u001b\\', env) ?? '') : ''
      shown = null
      return `${marked}${title ? '\u001b[23;2t' : ''}`
    },
  }
}
