import type { CallUse } from '../domain/desk/events.ts'
import type { StoreEvent } from './events.ts'
import type { DeskState } from './state.ts'

/** What happened since this desk started. */
export type SessionState = {
  startedAtMs: number
  /** Orders and withdrawals that the service refused. */
  rejectCount: number
  lastReject: { atMs: number; reason: string } | null
  /** Writes that had no answer, settled since or not. */
  unknownCount: number
  /** Null until the first answer. */
  calls: CallUse | null
}

export const initialSession = (startedAtMs: number): SessionState => ({
  startedAtMs,
  rejectCount: 0,
  lastReject: null,
  unknownCount: 0,
  calls: null,
})

const isSameUse = (left: CallUse, right: CallUse | null): boolean =>
  right !== null &&
  left.perSecond === right.perSecond &&
  left.perSecondMost === right.perSecondMost &&
  left.pausedMs === right.pausedMs &&
  left.retryCount === right.retryCount

function next(session: SessionState, event: StoreEvent): SessionState {
  switch (event.type) {
    case 'answered':
    case 'ticked':
      return event.calls === undefined || isSameUse(event.calls, session.calls)
        ? session
        : { ...session, calls: event.calls }
    case 'orderOutcome':
    case 'withdrawalOutcome': {
      const { outcome, atMs } = event
      if (outcome.kind === 'unknown') return { ...session, unknownCount: session.unknownCount + 1 }
      if (outcome.kind !== 'rejected') return session
      const lastReject = { atMs, reason: outcome.reason }
      return { ...session, rejectCount: session.rejectCount + 1, lastReject }
    }
    case 'cancelOutcome':
    case 'cancelAllOutcome':
      return event.outcome.kind === 'unknown' ? { ...session, unknownCount: session.unknownCount + 1 } : session
    default:
      return session
  }
}

/** Counts what an event means for the session; the same state when it means nothing. */
export function reduceSession(state: DeskState, event: StoreEvent): DeskState {
  const session = next(state.session, event)
  return session === state.session ? state : { ...state, session }
}
