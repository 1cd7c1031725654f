import { isLocked, lockRefusal } from '../domain/desk/lock.ts'
import { nextMode } from '../domain/desk/mode.ts'
import { keyOf } from '../domain/desk/session.ts'
import type { LockEvent, LockSlice } from './lock.ts'
import { type Noting, noted } from './log.ts'
import type { ModeSlice } from './mode.ts'
import { type MoveSlice, withoutMoveReview } from './move/move.ts'
import type { Covering } from './slice.ts'
import { type TicketSlice, withoutTicketReview } from './ticket/ticket.ts'

/** The parts of the state that the lock screen covers. */
type Needs = ModeSlice & TicketSlice & MoveSlice & LockSlice & Noting & Covering

/**
 * Covers the desk with its lock screen: not ARMED, no order under review, no question open. An order that is being sent
 * stays so.
 */
export function covered<S extends Needs>(state: S, sentence: string, atMs: number): S {
  if (isLocked(state.lock)) return state
  const hidden: S = {
    ...state,
    mode: nextMode(state.mode, 'lock'),
    lock: { kind: 'covered', sentence },
    overlay: null,
    ticket: withoutTicketReview(state.ticket),
    move: withoutMoveReview(state.move),
  }
  return noted(hidden, 'info', `Locked. ${sentence}`.trim(), atMs)
}

/** The steps of the lock screen. The typed text is never part of an event. */
export function reduceLock<S extends Needs>(state: S, event: LockEvent): S {
  switch (event.type) {
    case 'lockCovered':
      return state.lock.kind === 'open'
        ? covered(state, event.sentence, event.atMs)
        : { ...state, lock: { kind: 'covered', sentence: event.sentence } }
    case 'lockFound':
      return { ...state, lockMethod: event.method }
    case 'lockTyped':
      return isLocked(state.lock) ? { ...state, lock: { kind: 'typing', length: event.length } } : state
    case 'lockChecking':
      return state.lock.kind === 'typing' ? { ...state, lock: { kind: 'checking' } } : state
    case 'lockAnswered': {
      const { answer, atMs } = event
      if (!isLocked(state.lock)) return state
      if (answer.kind !== 'opened') {
        const sentence = lockRefusal(answer)
        return noted({ ...state, lock: { kind: 'covered', sentence } }, 'warn', `Lock: ${sentence}`, atMs)
      }
      const key = keyOf(state.reboundKeys, 'toggleArmed')
      const arm = state.mode.kind === 'SAFE' ? ` The desk is SAFE: press ${key} to arm it.` : ''
      return noted({ ...state, lock: { kind: 'open' } }, 'info', `Unlocked.${arm}`, atMs)
    }
  }
}
