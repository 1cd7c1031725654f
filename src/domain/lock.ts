/** What opens the lock screen: nothing but Enter, a passphrase, or a time-based one-time code. */
export type LockMethod = 'none' | 'passphrase' | 'code'

/** The answer to what was typed. `waitMs` is how long nothing more is taken; a wrong try makes it longer. */
export type LockAnswer =
  | { kind: 'opened' }
  | { kind: 'wrong'; waitMs: number }
  /** Too early after a wrong try: it was not even looked at. */
  | { kind: 'early'; waitMs: number }
  /** The lock's file cannot be read or written: it stays shut. */
  | { kind: 'broken'; sentence: string }

/** The lock screen. What is typed is never part of it, only how long it is. */
export type LockState =
  | { kind: 'open' }
  | { kind: 'covered'; sentence: string }
  | { kind: 'typing'; length: number }
  | { kind: 'checking' }

export const isLocked = (lock: LockState): boolean => lock.kind !== 'open'
