import type { CallUse, FeedEvent, WriteEvent } from '../domain/desk/events.ts'
import type { TickedEvent } from './clock.ts'

/** What happened since this desk started. */
export type SessionState = {
  startedAtMs: number
  /** Orders and withdrawals that the exchange refused. */
  rejectCount: number
  lastReject: { atMs: number; reason: string } | null
  /** Writes without an answer, resolved since or not. */
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

export type SessionSlice = { session: SessionState }

const isSameUse = (left: CallUse, right: CallUse | null): boolean =>
  right !== null &&
  left.perSecond === right.perSecond &&
  left.perSecondMax === right.perSecondMax &&
  left.pausedMs === right.pausedMs &&
  left.retryCount === right.retryCount

/** The events that are counted. */
type CountedEvent = FeedEvent | WriteEvent | TickedEvent

function countedSession(session: SessionState, event: CountedEvent): SessionState {
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

/** Counts an event; the same state when it does not count. */
export function reduceSession<S extends SessionSlice>(state: S, event: CountedEvent): S {
  const session = countedSession(state.session, event)
  return session === state.session ? state : { ...state, session }
}
