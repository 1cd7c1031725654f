import type { LockMethod, LockState } from '../domain/desk/lock.ts'
import { isLocked, lockRefusal } from '../domain/desk/lock.ts'
import { nextMode } from '../domain/desk/mode.ts'
import { keyOf } from '../domain/desk/session.ts'
import type { Commands } from './commands.ts'
import type { CommandContext } from './context.ts'
import type { StoreEvent } from './events.ts'
import type { Noting } from './log.ts'
import { noted } from './log.ts'
import type { ModeSlice } from './mode.ts'
import type { MoveSlice } from './move/move.ts'
import { withoutMoveReview } from './move/move.ts'
import type { Covering } from './slice.ts'
import type { TicketSlice } from './ticket/ticket.ts'

/** What the lock screen covers. */
type Needs = ModeSlice & TicketSlice & MoveSlice & LockSlice & Noting & Covering

export type LockSlice = { lock: LockState; lockMethod: LockMethod }

export const startLock = (lockMethod: LockMethod = 'none'): LockSlice => ({ lock: { kind: 'open' }, lockMethod })

type LockEvent = Extract<
  StoreEvent,
  { type: 'lockCovered' | 'lockFound' | 'lockTyped' | 'lockChecking' | 'lockAnswered' }
>

/**
 * The desk behind its lock screen: not armed, no order under review, no question open. An order on its way stays on its
 * way.
 */
export function covered<S extends Needs>(state: S, sentence: string, atMs: number): S {
  if (isLocked(state.lock)) return state
  const { ticket } = state
  const left =
    ticket?.stage === 'review' ? ({ stage: 'edit', form: ticket.form, field: ticket.field } as const) : ticket
  const hidden: S = {
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
      const key = keyOf(state.reboundKeys, 'toggleArmed', 'L')
      const arm = state.mode.kind === 'SAFE' ? ` The desk is SAFE: press ${key} to arm it.` : ''
      return noted({ ...state, lock: { kind: 'open' } }, 'info', `Unlocked.${arm}`, atMs)
    }
  }
}

type LockCommands = Pick<
  Commands,
  'lock' | 'beginUnlock' | 'typeIntoLock' | 'eraseInLock' | 'clearLock' | 'submitLock' | 'leaveLock' | 'refuseToLeave'
>

const typedMost = 256
const noLock = 'No lock is set up: any Enter opens it (pitdesk lock setup).'

/**
 * The lock screen. What is typed stays in here, for as long as it takes: it is in no state, no event and no log, and is
 * handed to the port once.
 */
export function createLockCommands({ store, port }: CommandContext): LockCommands {
  let typed = ''
  const keep = (text: string) => {
    typed = text.slice(0, typedMost)
    store.dispatch({ type: 'lockTyped', length: [...typed].length })
  }
  const isTyping = () => store.getState().lock.kind === 'typing'
  const cover = (sentence: string) => {
    typed = ''
    store.dispatch({ type: 'lockCovered', sentence, atMs: port.now() })
  }
  /** A lock that was set up since, by another program, counts at once: `onNone` is for where there is none. */
  const renew = (onNone: () => void) =>
    port.renewLock((method) => {
      if (store.getState().lock.kind !== 'covered') return
      if (!method.ok) return cover(method.error)
      if (method.value === 'none') return onNone()
      store.dispatch({ type: 'lockFound', method: method.value })
      cover('A lock was set up since this desk began: it counts from now on.')
    })
  return {
    lock() {
      cover('')
      if (store.getState().lockMethod === 'none') renew(() => cover(noLock))
    },
    beginUnlock() {
      const { lock, lockMethod } = store.getState()
      if (lock.kind !== 'covered') return
      if (lockMethod !== 'none') return keep('')
      renew(() => store.dispatch({ type: 'lockAnswered', answer: { kind: 'opened' }, atMs: port.now() }))
    },
    typeIntoLock(text) {
      if (isTyping()) keep(typed + text)
    },
    eraseInLock() {
      if (isTyping()) keep([...typed].slice(0, -1).join(''))
    },
    clearLock() {
      if (isTyping()) keep('')
    },
    submitLock() {
      if (!isTyping() || typed === '') return
      const attempt = typed
      typed = ''
      store.dispatch({ type: 'lockChecking' })
      port.openLock(attempt)
    },
    leaveLock() {
      if (isTyping()) cover('')
    },
    refuseToLeave: () => cover('The desk is locked: open it first to quit.'),
  }
}
