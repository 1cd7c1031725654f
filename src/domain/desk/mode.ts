/**
 * How far the desk may go. MONITOR: no write can leave the process. SAFE: reads and cancels, until a person arms it.
 * ARMED: writes are allowed. HALTED: only cancels, until a person arms it again.
 */
export type Mode = { kind: 'MONITOR' } | { kind: 'SAFE' } | { kind: 'ARMED' } | { kind: 'HALTED' }

export const mayPlace = (mode: Mode): boolean => mode.kind === 'ARMED'
/** Why nothing is sent in this mode, as a clause; null when it may be, and for a program without modes. */
export const modeReason = (mode: Mode | null): string | null =>
  mode === null || mayPlace(mode) ? null : `the desk is ${mode.kind}`
/** A cancel lowers risk: it is allowed in every mode that can write at all, also before arming. */
export const mayCancel = (mode: Mode): boolean => mode.kind !== 'MONITOR'

/** What changes a mode: the user arms, disarms, halts or locks the desk, or it stays idle for too long. */
export type ModeEvent = 'arm' | 'makeSafe' | 'halt' | 'lock' | 'idle'

/** What is not here leaves the mode as it is: nothing ever leads out of MONITOR, and idling never lifts a halt. */
const nextModes: Record<Mode['kind'], Partial<Record<ModeEvent, Mode['kind']>>> = {
  MONITOR: {},
  SAFE: { arm: 'ARMED', halt: 'HALTED' },
  ARMED: { makeSafe: 'SAFE', halt: 'HALTED', lock: 'SAFE', idle: 'SAFE' },
  HALTED: { arm: 'ARMED' },
}

/** The mode after an event; the same one when the event means nothing to it. */
export function nextMode(mode: Mode, event: ModeEvent): Mode {
  const kind = nextModes[mode.kind][event]
  return kind === undefined ? mode : { kind }
}

/** What happens on an idle desk: ARMED becomes SAFE, the screen locks. Null: never. Polls are not activity. */
export type IdleRules = { safeAfterMs: number | null; lockAfterMs: number | null }

export const defaultIdleRules: Readonly<Record<'practice' | 'live', IdleRules>> = {
  practice: { safeAfterMs: null, lockAfterMs: null },
  live: { safeAfterMs: 300_000, lockAfterMs: null },
}
/** Where a lock is set up and nothing else is said, the screen locks after this long without a key. */
export const lockAfterDefaultMs = 900_000

/** From here on the header counts down. */
export const countdownFromMs = 60_000
/** Here the desk says that it is about to be made safe. */
const warnedAtMs = 30_000

/** Time until ARMED becomes SAFE by itself, 0 when it is due; null when it never does. */
export function safeInMs(mode: Mode, rules: IdleRules, lastKeyAtMs: number, nowMs: number): number | null {
  if (mode.kind !== 'ARMED' || rules.safeAfterMs === null) return null
  return Math.max(0, rules.safeAfterMs - Math.max(0, nowMs - lastKeyAtMs))
}

/** What time brings about between two moments. `warned` once, when the rest of the time falls to `warnedAtMs`. */
type IdleStep = 'nothing' | 'warned' | 'safe'

export function idleStep(mode: Mode, rules: IdleRules, lastKeyAtMs: number, fromMs: number, toMs: number): IdleStep {
  const before = safeInMs(mode, rules, lastKeyAtMs, fromMs)
  const left = safeInMs(mode, rules, lastKeyAtMs, toMs)
  if (before === null || left === null) return 'nothing'
  if (left === 0) return 'safe'
  return before > warnedAtMs && left <= warnedAtMs ? 'warned' : 'nothing'
}

/** What becomes of working orders when the terminal hangs up: they stay, or every one is taken back. */
export const hangUpRules = ['keep', 'cancel'] as const
export type HangUpRule = (typeof hangUpRules)[number]

/**
 * What the desk does when the terminal reports that its keyboard is elsewhere. `guard`: it says so, and keys that send
 * or cancel are not taken before the keyboard has been back for a moment; `safe`: the desk also becomes SAFE; `ignore`:
 * it does not ask for reports.
 */
export const focusRules = ['guard', 'safe', 'ignore'] as const
export type FocusRule = (typeof focusRules)[number]
