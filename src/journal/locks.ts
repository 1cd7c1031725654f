import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { nextTurn } from '../base/clock.ts'
import { diskReason, sqliteCode } from '../base/error-text.ts'
import { refuseOtherThanFile } from '../base/plain-file.ts'
import { err, ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import { JournalError } from './entry.ts'

/** A lock that this process holds. The operating system lets go of it when the process ends, in whatever way. */
export type Lock = { release(): void }

/**
 * Locks the file at `path`, which is made for the owner alone when it is not there. Null when another process, or
 * another part of this one, holds it. `waitMs` is how long the one who holds it is waited for, with this process
 * standing still. The error is what the disk says.
 */
export function takeLock(path: string, waitMs = 0): Result<Lock | null> {
  let database: DatabaseSync
  try {
    refuseOtherThanFile(path)
    // A known file is never opened by hand: closing it would let go of a lock that this process has on it.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    database = new DatabaseSync(path, { timeout: waitMs })
  } catch (error) {
    return err(diskReason(error))
  }
  try {
    // Nothing is ever written, beside the file neither: a disk that is full can be locked on as well.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    return ok({ release: () => database.close() })
  } catch (error) {
    database.close()
    return sqliteCode(error) === sqliteBusy ? ok(null) : err(diskReason(error))
  }
}

const sqliteBusy = 5

/** How often, and how long each time, another process is waited for: it needs milliseconds for what it does. */
const usualTries = 300
const tryMs = 10

/** Turns that the parts of this process and other processes take, by a lock at `path`. */
export class Turns {
  readonly #path: string
  readonly #busy: string
  readonly #triesMost: number
  // One after the other in this process: the lock is for the others.
  readonly #serial = createSerial()

  /** `busy` says what somebody else does whose turn does not end, and is waited for so often. */
  constructor(path: string, busy: string, triesMost = usualTries) {
    this.#path = path
    this.#busy = busy
    this.#triesMost = triesMost
  }

  /**
   * Runs while nothing else does under the same lock. Rejects with `JournalError`, and does not run, when the turn does
   * not come.
   */
  alone<T>(run: () => Promise<T>): Promise<T> {
    return this.#serial(async () => {
      const lock = await this.#take()
      try {
        return await run()
      } finally {
        lock.release()
      }
    })
  }

  async #take(): Promise<Lock> {
    for (let tries = 0; tries < this.#triesMost; tries += 1) {
      const lock = takeLock(this.#path, tryMs)
      if (!lock.ok) throw new JournalError(`the journal cannot be locked: ${lock.error}`, { isOfDisk: true })
      if (lock.value !== null) return lock.value
      // What this process has to do meanwhile goes on in between.
      await nextTurn()
    }
    throw new JournalError(`another desk or command ${this.#busy}: try again`)
  }
}
