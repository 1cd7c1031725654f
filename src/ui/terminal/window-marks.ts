import { plainText } from '../../base/plain-text.ts'
import { isLocked } from '../../domain/desk/lock.ts'
import type { DeskState } from '../../store/desk.ts'
import { type Environment, readGlyphSet } from './colors.ts'
import { command } from './signals.ts'

/** What a window's title and its mark of progress are made from. */
type Marked = Pick<DeskState, 'mode' | 'venue' | 'symbol' | 'lock' | 'unsettled' | 'looks' | 'terminal'>

const titleMax = 80
const nameMax = 40

/**
 * `LIVE ARMED main · BTC-USD`, without control characters. Behind the lock screen it says nothing of what is traded.
 */
export function windowTitle({ mode, venue, symbol, lock }: Marked, env: Environment): string {
  const word = venue.kind === 'practice' ? 'PRACTICE' : 'LIVE'
  const name = plainText(venue.profileName).trim().slice(0, nameMax)
  const named = name === '' || name.toUpperCase() === word ? '' : ` ${name}`
  const start = `${word} ${mode.kind}${named}`
  const between = readGlyphSet(env) === 'ascii' ? '-' : '·'
  return (isLocked(lock) ? `${start} ${between} locked` : `${start} ${between} ${plainText(symbol)}`).slice(0, titleMax)
}

const noProgress = '9;4;0;0'

/** Halted is a fault; a write without an answer is work without a known end. Neither: no mark. */
function progressOf({ mode, unsettled, looks }: Marked): string {
  if (mode.kind === 'HALTED') return '9;4;2;100'
  if (unsettled.length === 0) return noProgress
  // What has no known end runs to and fro: as paused it stands still.
  return looks.isMotionReduced ? '9;4;4;100' : '9;4;3;0'
}

/** WezTerm showed such a mark as a notification before. */
const wezTermMin = 20_250_209

/** Terminals that are known to show progress; others may show the same sequence as a notification. */
export function showsProgress(env: Environment): boolean {
  const { TERM = '', TERM_PROGRAM: program = '', TERM_PROGRAM_VERSION: version = '' } = env
  // What multiplexes terminals may be looked at in another one tomorrow.
  if (env.TMUX !== undefined || /^(?:screen|tmux)/.test(TERM)) return false
  if ((env.WT_SESSION ?? '') !== '' || env.ConEmuANSI === 'ON') return true
  if (program === 'WezTerm') return Number.parseInt(version, 10) >= wezTermMin
  return program === 'ghostty' || TERM === 'xterm-ghostty'
}

type WindowMarks = {
  /** What goes to a terminal that gives its screen to the desk: its title is put by, and set. */
  begin(): string
  /** What goes to it before it has its screen back: the title of before, no progress. */
  end(): string
  /** What goes to it as the desk changes; empty where it says so already, or is away. */
  change(): string
}

/** Title and progress of the window that the desk is in, as its settings want them and its terminal takes them. */
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
    // The title is of this terminal, or of tmux's own pane: it is never wrapped.
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
