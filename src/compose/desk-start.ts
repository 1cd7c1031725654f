import type { DeskOptions } from '../compose.ts'
import { defaultIdleRules, type IdleRules, lockAfterDefaultMs } from '../domain/desk/mode.ts'
import { noReboundKeys } from '../domain/desk/session.ts'
import { nothingFollowed } from '../domain/transfers/followed.ts'
import type { DeskLock } from '../lock/desk-lock.ts'
import { type DeskState, initialState } from '../store/desk.ts'
import type { GatewayStart } from '../store/gateway/gateway.ts'
import { covered } from '../store/lock.ts'
import { usualLooks } from '../store/looks.ts'
import type { Venue } from '../store/mode.ts'
import { usualTerminal } from '../store/terminal.ts'

type Start = Pick<
  DeskOptions,
  | 'clock'
  | 'isMonitor'
  | 'venue'
  | 'symbol'
  | 'limits'
  | 'idleRules'
  | 'looks'
  | 'alerts'
  | 'reboundKeys'
  | 'practice'
  | 'followed'
  | 'terminal'
> & { gateway: GatewayStart }

/**
 * What the desk begins with: play money is armed at once, a real account only by a person, and behind its lock where
 * one is set up.
 */
export function deskStart(
  {
    clock,
    isMonitor,
    venue,
    symbol,
    limits,
    idleRules,
    looks,
    alerts = {},
    reboundKeys = noReboundKeys,
    practice,
    followed = nothingFollowed,
    gateway,
    terminal,
  }: Start,
  lock: Pick<DeskLock, 'method'>,
): DeskState {
  const mode = isMonitor ? 'MONITOR' : venue.kind === 'practice' ? 'ARMED' : 'SAFE'
  const nowMs = clock.now()
  const state = initialState({
    nowMs,
    wallMs: clock.wallMs(),
    venue,
    mode: { kind: mode },
    symbol,
    idleRules: { ...usualIdleRules(venue, lock), ...idleRules },
    lockMethod: lock.method,
    alerts,
    looks: { ...usualLooks, ...looks },
    reboundKeys,
    followed,
    gateway,
    // Whatever is passed in: on a real exchange there is nothing to practise.
    practice: venue.kind === 'practice' && practice !== undefined ? practice : null,
    ...(terminal === undefined ? {} : { terminal: { ...usualTerminal, ...terminal } }),
    ...(limits === undefined ? {} : { limits }),
  })
  // Else ending it, by whatever signal, would be a way around the lock.
  return lock.method === 'none' ? state : covered(state, 'A desk with a lock starts locked.', nowMs)
}

/** A lock that was set up is there to be used: without further words the screen locks after a while. */
function usualIdleRules({ kind }: Venue, lock: Pick<DeskLock, 'method'>): IdleRules {
  const rules = defaultIdleRules[kind]
  return lock.method === 'none' ? rules : { ...rules, lockAfterMs: lockAfterDefaultMs }
}
