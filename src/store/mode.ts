import { defaultIdleRules, type IdleRules, type Mode, mayCancel, nextMode } from '../domain/desk/mode.ts'
import { keyOf, noReboundKeys, type ReboundKeys } from '../domain/desk/session.ts'
import { type HubPerson, mayTradeAtHub } from '../domain/hub/person.ts'
import { may } from '../domain/hub/roles.ts'
import { defaultLimits, type Limits } from '../domain/limits.ts'
import { type NotedEvent, sayer } from './log.ts'
import type { SliceContext } from './slice.ts'

/** What a desk that only watches says to everything that would write. */
export const monitorSentence = ({ hub }: Pick<ModeSlice, 'hub'>): string =>
  hub === null || mayTradeAtHub(hub)
    ? 'MONITOR is read only: start without --monitor.'
    : `Read only: the hub knows you as ${personText(hub)}, and ${may(hub.role, 'halt') ? byCommand : 'traders send.'}`

/** What an admin may do goes by command: their desk never writes. */
const byCommand = 'what you may do goes by command: pitdesk firm halt, pitdesk plan cancel.'

/**
 * Why nothing but a cancel goes out while the journal takes no write, and what ends that, as a clause; null while it
 * does. No send is needed to end it: the desk itself tries the journal.
 */
export const journalRefusal = ({ isJournalDown }: Pick<ModeSlice, 'isJournalDown'>): string | null =>
  isJournalDown
    ? 'the journal cannot be written, nothing is sent: free space or restore its disk; sending resumes by itself'
    : null

/** `ann (viewer)` */
export const personText = ({ name, role }: HubPerson): string => `${name} (${role})`

/** Why the mode does not take a cancel; null when it does. */
export const cancelRefusal = (state: Pick<ModeSlice, 'mode' | 'hub'>): string | null =>
  mayCancel(state.mode) ? null : monitorSentence(state)

/** Why the mode does not take an order, and the key that changes it. */
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

/** Why a sentence cannot make the desk ARMED, or SAFE again; null when it can. A halt ends by its key alone. */
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

/** Where the desk is connected. PRACTICE and LIVE must be impossible to mistake for one another. */
export type Venue = { profileName: string; kind: 'practice' | 'live' }

/** Where the desk trades, and what it may do there. */
export type ModeSlice = {
  venue: Venue
  mode: Mode
  /** A halt whose cancel of these orders has not left, and is tried again; null while there is none. */
  unsentHalt: { symbol: string | null } | null
  /** The journal takes no write, so that nothing but cancels goes out. */
  isJournalDown: boolean
  /** As whom a hub knows the desk; null where there is none, or it has not said so yet. */
  hub: HubPerson | null
  /** True where it is MONITOR for the role at the hub alone. */
  isMonitorByHub: boolean
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
  unsentHalt: null,
  isJournalDown: false,
  hub: null,
  isMonitorByHub: false,
  idleRules: idleRules ?? defaultIdleRules[venue.kind],
  lastKeyAtMs: nowMs,
  limits: limits ?? defaultLimits[venue.kind],
  reboundKeys: reboundKeys ?? noReboundKeys,
})

/** Whether the desk is HALTED and the orders that were to be canceled by it may be working all the same. */
export const isHaltUnsent = ({ mode, unsentHalt }: Pick<ModeSlice, 'mode' | 'unsentHalt'>): boolean =>
  mode.kind === 'HALTED' && unsentHalt !== null

export type ModeEvent =
  | { type: 'modeChanged'; mode: Mode; atMs: number }
  /** A hub has said as whom it knows the desk. */
  | { type: 'hubKnown'; person: HubPerson; atMs: number }
  /** Any key: what counts as activity. */
  | { type: 'keyPressed'; atMs: number; wallMs?: number }

/** Says why a cancel cannot go out in this mode; true when it can. */
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
  /** ARMED from SAFE, or SAFE from ARMED; in every other mode nothing: a halt does not end by this. */
  setArmed(isArmed: boolean): void
  /** Any key counts as activity, whatever it means. */
  keyPressed(): void
}

/** What the wall clock says, beside the desk's own time: see `Clock`. */
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
