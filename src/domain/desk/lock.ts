/** What unlocks the screen: Enter only, a passphrase, or a time-based one-time code. */
export type LockMethod = 'none' | 'passphrase' | 'code'

/** The lock's rule for commands that place orders or send money: ask for its secret, or ignore it. */
export const lockRules = ['ask', 'allow'] as const

/**
 * The result of an unlock attempt. `waitMs` is the time until the next one is accepted; it grows with wrong tries.
 * `isUsed`: a code that was right, and has opened the lock before.
 */
export type LockAnswer =
  | { kind: 'opened' }
  | { kind: 'wrong'; waitMs: number; isUsed?: true }
  /** Too early after a wrong try; not checked. */
  | { kind: 'early'; waitMs: number }
  /** The lock's file cannot be read or written; it stays locked. */
  | { kind: 'broken'; sentence: string }

/** The result of an approver's attempt. */
export type ApprovalAnswer =
  | { kind: 'approved'; by: string }
  | Exclude<LockAnswer, { kind: 'opened' }>
  /** It also opens the desk's lock, so it does not prove who typed it. */
  | { kind: 'same' }
  /** No approver is set up. */
  | { kind: 'nobody' }

/** Describes a refused attempt in sentences. */
export function lockRefusal(answer: Exclude<ApprovalAnswer, { kind: 'approved' }>): string {
  const wait = (ms: number) => ` Wait ${Math.ceil(ms / 1000)} s before the next try.`
  switch (answer.kind) {
    case 'wrong':
      return (
        (answer.isUsed === true ? 'Code used already, or older: type the next one.' : 'Wrong passphrase or code.') +
        (answer.waitMs > 0 ? wait(answer.waitMs) : '')
      )
    case 'early':
      return `Too early after a wrong try: not checked.${wait(answer.waitMs)}`
    case 'broken':
      return answer.sentence
    case 'same':
      return "That passphrase opens the desk's lock as well: an approval needs the approver's own."
    case 'nobody':
      return 'No approver is set up: pitdesk lock approver setup.'
  }
}

/** The lock screen. Contains only the length of the typed text. */
export type LockState =
  | { kind: 'open' }
  | { kind: 'covered'; sentence: string }
  | { kind: 'typing'; length: number }
  | { kind: 'checking' }

export const isLocked = (lock: LockState): boolean => lock.kind !== 'open'
