import { defaultIdleRules, type IdleRules, type Mode, mayCancel, nextMode } from '../domain/desk/mode.ts'
import { keyOf, noReboundKeys, type ReboundKeys } from '../domain/desk/session.ts'
import { type HubPerson, mayTradeAtHub } from '../domain/hub/person.ts'
import { may } from '../domain/hub/roles.ts'
import { defaultLimits, type Limits } from '../domain/limits.ts'
import { type NotedEvent, sayer } from './log.ts'
import type { SliceContext } from './slice.ts'

/** The refusal of a MONITOR desk to every write. */
export const monitorSentence = ({ hub }: Pick<ModeSlice, 'hub'>): string =>
  hub === null || mayTradeAtHub(hub)
    ? 'MONITOR is read only: start without --monitor.'
    : `Read only: the hub knows you as ${personText(hub)}, and ${may(hub.role, 'halt') ? byCommand : 'traders send.'}`

/** Admins act by command: their desk never writes. */
const byCommand = 'what you may do goes by command: pitdesk firm halt, pitdesk plan cancel.'

/**
 * Why only cancels are sent while the journal takes no write, and the remedy, as a clause; null while it does. Sending
 * resumes by itself: the desk retries the journal.
 */
export const journalRefusal = ({ isJournalDown }: Pick<ModeSlice, 'isJournalDown'>): string | null =>
  isJournalDown
    ? 'the journal cannot be written, nothing is sent: free space or restore its disk; sending resumes by itself'
    : null

/** `ann (viewer)` */
export const personText = ({ name, role }: HubPerson): string => `${name} (${role})`

/** Why the mode does not allow a cancel; null when it does. */
export const cancelRefusal = (state: Pick<ModeSlice, 'mode' | 'hub'>): string | null =>
  mayCancel(state.mode) ? null : monitorSentence(state)

/** Why the mode does not allow an order, and the key that changes it. */
export function modeSentence(state: Pick<ModeSlice, 'mode' | 'hub' | 'reboundKeys'>): string {
  const { mode, reboundKeys } = state
  const key = keyOf(reboundKeys, 'toggleArmed')
  switch (mode.kind) {
    case 'MONITOR':
      return monitorSentence(state)
    case 'HALTED':
      return `The desk is HALTED: only cancels go out. Press ${key} to arm it again.`
    case 'SAFE':
    case 'ARMED':
      return `The desk is SAFE: press ${key} to arm it first.`
  }
}

/** Why a sentence cannot make the desk ARMED, or SAFE again; null when it can. A halt ends only by its key. */
export function armingRefusal(isArmed: boolean, state: Pick<ModeSlice, 'mode' | 'hub' | 'reboundKeys'>) {
  const { mode, reboundKeys } = state
  const key = keyOf(reboundKeys, 'toggleArmed')
  if (mode.kind === 'MONITOR') return monitorSentence(state)
  if (mode.kind === 'HALTED')
    return isArmed
      ? `The desk is HALTED and stays so: this sentence does not end a halt. Press ${key} to arm it again.`
      : `The desk is HALTED and stays so: only cancels go out. There is nothing to disarm.`
  if (mode.kind === (isArmed ? 'ARMED' : 'SAFE')) return `The desk is ${mode.kind} already.`
  return null
}

/** How a halt ends: by no sentence, so that no line typed for something else does it. */
export const haltEnd = ({ reboundKeys }: Pick<ModeSlice, 'reboundKeys'>): string =>
  `a key here: press ${keyOf(reboundKeys, 'toggleArmed')} on the halted desk.`

/** The desk's exchange. PRACTICE and LIVE must be impossible to confuse. */
export type Venue = { profileName: string; kind: 'practice' | 'live' }

/** The venue, and what the desk may do there. */
export type ModeSlice = {
  venue: Venue
  mode: Mode
  /** The symbols whose cancel at a halt nobody took, and is retried; null stands for all of them. */
  untakenHalts: readonly (string | null)[]
  /** The journal takes no write, so that only cancels are sent. */
  isJournalDown: boolean
  /** The desk's person at a hub; null without one, or before its answer. */
  hub: HubPerson | null
  /** True when only the role at the hub makes it MONITOR. */
  isMonitorByHub: boolean
  idleRules: IdleRules
  /** When the user last pressed a key. */
  lastKeyAtMs: number
  limits: Limits
  reboundKeys: ReboundKeys
}

/** Limits and idle rules are the defaults of the kind of venue unless given. */
export type ModeStart = { venue: Venue; mode: Mode; limits?: Limits; idleRules?: IdleRules; reboundKeys?: ReboundKeys }

export const startMode = ({ venue, mode, limits, idleRules, reboundKeys }: ModeStart, nowMs: number): ModeSlice => ({
  venue,
  mode,
  untakenHalts: [],
  isJournalDown: false,
  hub: null,
  isMonitorByHub: false,
  idleRules: idleRules ?? defaultIdleRules[venue.kind],
  lastKeyAtMs: nowMs,
  limits: limits ?? defaultLimits[venue.kind],
  reboundKeys: reboundKeys ?? noReboundKeys,
})

/** True when the desk is HALTED, but the orders to cancel may still be working. */
export const isHaltUntaken = ({ mode, untakenHalts }: Pick<ModeSlice, 'mode' | 'untakenHalts'>): boolean =>
  mode.kind === 'HALTED' && untakenHalts.length > 0

export type ModeEvent =
  | { type: 'modeChanged'; mode: Mode; atMs: number }
  /** A hub has identified the desk's person. */
  | { type: 'hubKnown'; person: HubPerson; atMs: number }
  /** Any key: it counts as activity. */
  | { type: 'keyPressed'; atMs: number; wallMs?: number }

/** Says why a cancel cannot be sent in this mode; true when it can. */
export const cancelGuard = (context: SliceContext<Pick<ModeSlice, 'mode' | 'hub'>, NotedEvent>): (() => boolean) => {
  const say = sayer(context)
  return () => {
    const refusal = cancelRefusal(context.store.getState())
    if (refusal !== null) say(refusal)
    return refusal === null
  }
}

export type ModeCommands = {
  toggleArmed(): void
  /** ARMED from SAFE, or SAFE from ARMED; no effect in every other mode: it does not end a halt. */
  setArmed(isArmed: boolean): void
  /** Any key counts as activity, whatever it means. */
  keyPressed(): void
}

/** The wall clock, beside the desk's own time: see `Clock`. */
export type WallPort = { wallMs(): number }

export function createModeCommands({
  store,
  port,
}: SliceContext<ModeSlice, ModeEvent | NotedEvent, WallPort>): ModeCommands {
  const say = sayer({ store, port })
  return {
    toggleArmed() {
      const { mode } = store.getState()
      if (mode.kind === 'MONITOR') return say(modeSentence(store.getState()))
      const next = nextMode(mode, mode.kind === 'ARMED' ? 'makeSafe' : 'arm')
      store.dispatch({ type: 'modeChanged', mode: next, atMs: port.now() })
    },
    setArmed(isArmed) {
      const { mode } = store.getState()
      if (mode.kind !== (isArmed ? 'SAFE' : 'ARMED')) return
      store.dispatch({ type: 'modeChanged', mode: nextMode(mode, isArmed ? 'arm' : 'makeSafe'), atMs: port.now() })
    },
    keyPressed: () => store.dispatch({ type: 'keyPressed', atMs: port.now(), wallMs: port.wallMs() }),
  }
}
