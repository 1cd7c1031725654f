import { defaultIdleRules, type IdleRules, type Mode } from '../domain/desk/mode.ts'
import { keyOf, noReboundKeys, type ReboundKeys } from '../domain/desk/session.ts'
import { defaultLimits, type Limits } from '../domain/limits.ts'

/** Why the mode does not take an order, and the key that changes it. */
export function modeSentence({ mode, reboundKeys }: Pick<ModeSlice, 'mode' | 'reboundKeys'>): string {
  const key = keyOf(reboundKeys, 'toggleArmed', 'L')
  switch (mode.kind) {
    case 'MONITOR':
      return 'MONITOR is read only: start without --monitor.'
    case 'HALTED':
      return `The desk is HALTED: only cancels go out. Press ${key} to arm it again.`
    case 'SAFE':
    case 'ARMED':
      return `The desk is SAFE: press ${key} to arm it first.`
  }
}

/** Where the desk is connected. PRACTICE and LIVE must be impossible to mistake for one another. */
export type Venue = { profileName: string; kind: 'practice' | 'live' }

/** Where the desk trades, and what it may do there. */
export type ModeSlice = {
  venue: Venue
  mode: Mode
  idleRules: IdleRules
  /** When a person last pressed a key. */
  lastKeyAtMs: number
  limits: Limits
  reboundKeys: ReboundKeys
}

/** Limits and idle rules are the defaults of the kind of venue unless given. */
export type ModeStart = { venue: Venue; mode: Mode; limits?: Limits; idleRules?: IdleRules; reboundKeys?: ReboundKeys }

export const startMode = ({ venue, mode, limits, idleRules, reboundKeys }: ModeStart, nowMs: number): ModeSlice => ({
  venue,
  mode,
  idleRules: idleRules ?? defaultIdleRules[venue.kind],
  lastKeyAtMs: nowMs,
  limits: limits ?? defaultLimits[venue.kind],
  reboundKeys: reboundKeys ?? noReboundKeys,
})
