/**
 * The mode of a desk. MONITOR: no writes at all. SAFE: reads and cancels, until armed. ARMED: writes are allowed.
 * HALTED: only cancels, until armed again.
 */
export type Mode = { kind: 'MONITOR' } | { kind: 'SAFE' } | { kind: 'ARMED' } | { kind: 'HALTED' }

/** True where orders and withdrawals may be sent. */
export const mayPlace = (mode: Mode): boolean => mode.kind === 'ARMED'
/** Why this mode prevents sending, as a clause; null when it does not, and for a program without modes. */
export const modeReason = (mode: Mode | null): string | null =>
  mode === null || mayPlace(mode) ? null : `the desk is ${mode.kind}`
/** True when cancels may be sent: they reduce risk, so in every mode that can write, also before arming. */
export const mayCancel = (mode: Mode): boolean => mode.kind !== 'MONITOR'

/** Events that change the mode: the user arms, disarms, halts or locks the desk, or it stays idle too long. */
export type ModeEvent = 'arm' | 'makeSafe' | 'halt' | 'lock' | 'idle'

/** Missing events leave the mode unchanged: nothing leads out of MONITOR, and idling never ends a halt. */
const nextModes: Record<Mode['kind'], Partial<Record<ModeEvent, Mode['kind']>>> = {
  MONITOR: {},
  SAFE: { arm: 'ARMED', halt: 'HALTED' },
  ARMED: { makeSafe: 'SAFE', halt: 'HALTED', lock: 'SAFE', idle: 'SAFE' },
  HALTED: { arm: 'ARMED' },
}

/** The mode after an event; the same object when unchanged. */
export function nextMode(mode: Mode, event: ModeEvent): Mode {
  const kind = nextModes[mode.kind][event]
  return kind === undefined ? mode : { kind }
}

/** Rules for an idle desk: ARMED becomes SAFE, and the screen locks. Null for never. Polls are not activity. */
export type IdleRules = { safeAfterMs: number | null; lockAfterMs: number | null }

export const defaultIdleRules: Readonly<Record<'practice' | 'live', IdleRules>> = {
  practice: { safeAfterMs: null, lockAfterMs: null },
  live: { safeAfterMs: 300_000, lockAfterMs: null },
}
/** Default idle time before the screen locks, if a lock is set up. */
export const lockAfterDefaultMs = 900_000

/** Remaining time from which the header counts down. */
export const countdownFromMs = 60_000
/** Remaining time at which the desk warns. */
const warnedAtMs = 30_000

/** Time until ARMED becomes SAFE by itself; 0 when due, null when it never does. */
export function safeInMs(mode: Mode, rules: IdleRules, lastKeyAtMs: number, nowMs: number): number | null {
  if (mode.kind !== 'ARMED' || rules.safeAfterMs === null) return null
  return Math.max(0, rules.safeAfterMs - Math.max(0, nowMs - lastKeyAtMs))
}

/** The effect of time between two moments. `warned` once, when the remaining time falls to `warnedAtMs`. */
type IdleStep = 'nothing' | 'warned' | 'safe'

/** What the time without a key between two moments does to the mode: see `IdleStep`. */
export function idleStep(mode: Mode, rules: IdleRules, lastKeyAtMs: number, fromMs: number, toMs: number): IdleStep {
  const before = safeInMs(mode, rules, lastKeyAtMs, fromMs)
  const left = safeInMs(mode, rules, lastKeyAtMs, toMs)
  if (before === null || left === null) return 'nothing'
  if (left === 0) return 'safe'
  return before > warnedAtMs && left <= warnedAtMs ? 'warned' : 'nothing'
}

/** What happens to working orders when the terminal hangs up: they stay, or all are canceled. */
export const hangUpRules = ['keep', 'cancel'] as const
export type HangUpRule = (typeof hangUpRules)[number]

/**
 * The desk's reaction when the terminal reports that it lost the keyboard focus. `guard`: it says so, and ignores keys
 * that send or cancel until the focus has been back for a moment; `safe`: it also becomes SAFE; `ignore`: it requests
 * no reports.
 */
export const focusRules = ['guard', 'safe', 'ignore'] as const
export type FocusRule = (typeof focusRules)[number]
