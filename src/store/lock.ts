import type { Result } from '../base/result.ts'
import type { LockAnswer, LockMethod, LockState } from '../domain/desk/lock.ts'
import type { SliceContext } from './slice.ts'

/** The parts that its commands use. */
type Context = SliceContext<LockSlice, LockEvent, LockPort>

export type LockSlice = { lock: LockState; lockMethod: LockMethod }

export const startLock = (lockMethod: LockMethod = 'none'): LockSlice => ({ lock: { kind: 'open' }, lockMethod })

export type LockEvent =
  | { type: 'lockCovered'; sentence: string; atMs: number }
  /** A lock was set up while the desk ran. */
  | { type: 'lockFound'; method: LockMethod }
  | { type: 'lockTyped'; length: number }
  | { type: 'lockChecking' }
  | { type: 'lockAnswered'; answer: LockAnswer; atMs: number }

export type LockCommands = {
  /** Covers the screen and makes the desk SAFE. */
  lock(): void
  /** Starts typing the lock's secret; without a lock it opens at once. */
  beginUnlock(): void
  typeIntoLock(text: string): void
  eraseInLock(): void
  clearLock(): void
  submitLock(): void
  /** Typing → covered. */
  leaveLock(): void
  /** Says that keys do not leave a locked desk. */
  refuseToLeave(): void
}

const typedMax = 256
const noLock = 'No lock is set up: any Enter opens it (pitdesk lock setup).'

/**
 * Commands of the lock screen. The typed text stays in here: it is in no state, event or log, and is passed to the port
 * once.
 */
export function createLockCommands({ store, port }: Context): LockCommands {
  let typed = ''
  const keep = (text: string) => {
    typed = text.slice(0, typedMax)
    store.dispatch({ type: 'lockTyped', length: [...typed].length })
  }
  const isTyping = () => store.getState().lock.kind === 'typing'
  const cover = (sentence: string) => {
    typed = ''
    store.dispatch({ type: 'lockCovered', sentence, atMs: port.now() })
  }
  /** Applies a lock that another program has set up since; `onNone` is called without a lock. */
  const renew = (onNone: () => void) =>
    port.renewLock((method) => {
      if (store.getState().lock.kind !== 'covered') return
      if (!method.ok) return cover(method.error)
      if (method.value === 'none') return onNone()
      store.dispatch({ type: 'lockFound', method: method.value })
      cover('A lock was set up while this desk ran: it applies from now on.')
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

export type LockPort = {
  /** Compares the typed text with the lock; the answer arrives as an event. */
  openLock(typed: string): void
  /** Looks for a lock set up since the desk began; one that cannot be trusted is an error. */
  renewLock(then: (method: Result<LockMethod>) => void): void
}
