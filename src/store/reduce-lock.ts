import { isLocked, lockRefusal } from '../domain/desk/lock.ts'
import { nextMode } from '../domain/desk/mode.ts'
import { keyOf } from '../domain/desk/session.ts'
import type { StoreEvent } from './events.ts'
import { noted } from './log.ts'
import { withoutMoveReview } from './move/move-state.ts'
import type { DeskState } from './state.ts'

type LockEvent = Extract<
  StoreEvent,
  { type: 'lockCovered' | 'lockFound' | 'lockTyped' | 'lockChecking' | 'lockAnswered' }
>

/**
 * The desk behind its lock screen: not armed, no order under review, no question open. An order on its way stays on its
 * way.
 */
export function covered(state: DeskState, sentence: string, atMs: number): DeskState {
  if (isLocked(state.lock)) return state
  const { ticket } = state
  const left =
    ticket?.stage === 'review' ? ({ stage: 'edit', form: ticket.form, field: ticket.field } as const) : ticket
  const hidden: DeskState = {
    ...state,
    mode: nextMode(state.mode, 'lock'),
    lock: { kind: 'covered', sentence },
    overlay: null,
    ticket: left,
    move: withoutMoveReview(state.move),
  }
  return noted(hidden, 'info', `Locked. ${sentence}`.trim(), atMs)
}

/** The lock screen's steps. What was typed is never part of an event. */
export function reduceLock(state: DeskState, event: LockEvent): DeskState {
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
      const key = keyOf(state.reboundKeys, 'toggleArmed', 'L')
      const arm = state.mode.kind === 'SAFE' ? ` The desk is SAFE: press ${key} to arm it.` : ''
      return noted({ ...state, lock: { kind: 'open' } }, 'info', `Unlocked.${arm}`, atMs)
    }
  }
}
