import type { CommandContext } from './command-context.ts'
import type { Commands } from './commands.ts'

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
