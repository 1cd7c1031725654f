/** What opens the lock screen: nothing but Enter, a passphrase, or a time-based one-time code. */
export type LockMethod = 'none' | 'passphrase' | 'code'

/** What a lock means for commands that place orders or send money: they ask for what opens it, or pass by it. */
export const lockRules = ['ask', 'allow'] as const

/** The answer to what was typed. `waitMs` is how long nothing more is taken; a wrong try makes it longer. */
export type LockAnswer =
  | { kind: 'opened' }
  | { kind: 'wrong'; waitMs: number }
  /** Too early after a wrong try: it was not even looked at. */
  | { kind: 'early'; waitMs: number }
  /** The lock's file cannot be read or written: it stays shut. */
  | { kind: 'broken'; sentence: string }

/** The answer to what the person who approves typed. */
export type ApprovalAnswer =
  | { kind: 'approved'; by: string }
  | Exclude<LockAnswer, { kind: 'opened' }>
  /** It opens the desk's own lock too, so that it says nothing about who typed it. */
  | { kind: 'same' }
  /** No such person is set up. */
  | { kind: 'nobody' }

/** What a refused try means, in sentences. */
export function lockRefusal(answer: Exclude<ApprovalAnswer, { kind: 'approved' }>): string {
  const wait = (ms: number) => ` Wait ${Math.ceil(ms / 1000)} s before the next try.`
  switch (answer.kind) {
    case 'wrong':
      return `Wrong passphrase or code.${answer.waitMs > 0 ? wait(answer.waitMs) : ''}`
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

/** The lock screen. What is typed is never part of it, only how long it is. */
export type LockState =
  | { kind: 'open' }
  | { kind: 'covered'; sentence: string }
  | { kind: 'typing'; length: number }
  | { kind: 'checking' }

export const isLocked = (lock: LockState): boolean => lock.kind !== 'open'
