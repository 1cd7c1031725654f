import { accessSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { nextTurn } from '../base/clock.ts'
import { refuseOtherThanFile } from '../base/files/plain-file.ts'
import { databaseReason } from '../base/files/sqlite-file.ts'
import { err, ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import { sqliteCode } from '../base/text/error-text.ts'
import { JournalError } from './entry.ts'

/** A lock held by this process. The operating system releases it when the process ends in any way. */
export type Lock = { release(): void }

/**
 * Locks the file at `path`, creating it (owner only) if needed. Null when another process, or another part of this one,
 * holds the lock for longer than `waitMs`, which blocks this process meanwhile. The error is what the disk says, with
 * the lock's name: the sentences around it name the file that it guards.
 */
export function takeLock(path: string, waitMs = 0): Result<Lock | null> {
  const lock = lookAtLock(path, waitMs)
  if (!lock.ok || lock.value === null) return lock
  try {
    // Of a file that cannot be written SQLite gives every process a lock, and none of them has it alone.
    accessSync(path, constants.W_OK)
    return lock
  } catch (error) {
    lock.value.release()
    return err(refusal(path, error))
  }
}

/** The same to see whether another holds the lock, on a read-only disk too. What it gives is to be released at once. */
export function lookAtLock(path: string, waitMs = 0): Result<Lock | null> {
  let database: DatabaseSync
  try {
    refuseOtherThanFile(path)
    // Never opens an existing file directly: closing it would release a lock that this process holds on it.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    database = new DatabaseSync(path, { timeout: waitMs })
  } catch (error) {
    return err(refusal(path, error))
  }
  try {
    // Writes nothing, not even another file, so that locking works on a full disk.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
    return ok({ release: () => database.close() })
  } catch (error) {
    database.close()
    return sqliteCode(error) === sqliteBusy ? ok(null) : err(refusal(path, error))
  }
}

const sqliteBusy = 5

/** A lock's error with the lock's folder, for a sentence that names no other file. */
export const withFolder = (path: string, reason: string): string => `${dirname(path)}/${reason}`

const refusal = (path: string, error: unknown): string => `${basename(path)}: ${databaseReason(path, error)}`

/** Number of tries and pause in ms while another process has its turn, which takes milliseconds. */
const usualTries = 300
const tryMs = 10

/** Gives exclusive turns to parts of this process and to other processes, by a lock at `path`. */
export class Turns {
  readonly #path: string
  readonly #busy: string
  readonly #triesMax: number
  // Serializes this process; the lock is for other processes.
  readonly #serial = createSerial()

  /** `busy` describes the holder of an endless turn, for the error; `triesMax` is the number of tries. */
  constructor(path: string, busy: string, triesMax = usualTries) {
    this.#path = path
    this.#busy = busy
    this.#triesMax = triesMax
  }

  /**
   * Runs while nothing else runs under this lock. Rejects with `JournalError`, without running, when its turn does not
   * come.
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

  #unlockable(reason: string): JournalError {
    return new JournalError(`the journal cannot be locked: ${withFolder(this.#path, reason)}`, { isOfDisk: true })
  }

  async #take(): Promise<Lock> {
    for (let tries = 0; tries < this.#triesMax; tries += 1) {
      const lock = takeLock(this.#path, tryMs)
      if (!lock.ok) throw this.#unlockable(lock.error)
      if (lock.value !== null) return lock.value
      // Lets other work of this process run between tries.
      await nextTurn()
    }
    throw new JournalError(`another desk or command ${this.#busy}: try again`)
  }
}
