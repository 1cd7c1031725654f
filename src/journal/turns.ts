import { JournalError } from './entry.ts'
import { type Lock, takeLock } from './instance-lock.ts'

/** How often, and how long each time, another process is waited for: it needs milliseconds for what it does. */
const triesMost = 300
const tryMs = 10

/** Turns that the parts of this process and other processes take, by a lock at `path`. */
export class Turns {
  readonly #path: string
  readonly #busy: string
  #last: Promise<unknown> = Promise.resolve()

  /** `busy` says what somebody else does whose turn does not end. */
  constructor(path: string, busy: string) {
    this.#path = path
    this.#busy = busy
  }

  /**
   * Runs while nothing else does under the same lock. Rejects with `JournalError`, and does not run, when the turn does
   * not come.
   */
  alone<T>(run: () => Promise<T>): Promise<T> {
    // One after the other in this process: the lock is for the others.
    const done = this.#last.then(async () => {
      const lock = await this.#take()
      try {
        return await run()
      } finally {
        lock.release()
      }
    })
    this.#last = done.catch(() => undefined)
    return done
  }

  async #take(): Promise<Lock> {
    for (let tries = 0; tries < triesMost; tries += 1) {
      const lock = takeLock(this.#path, tryMs)
      if (!lock.ok) throw new JournalError(`the journal cannot be locked: ${lock.error}`)
      if (lock.value !== null) return lock.value
      // What this process has to do meanwhile goes on in between.
      await new Promise((resolve) => setImmediate(resolve))
    }
    throw new JournalError(`another desk or command ${this.#busy}: try again`)
  }
}
