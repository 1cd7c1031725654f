import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { nextTurn } from '../base/clock.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import { diskReason } from '../base/text/error-text.ts'
import { type AppendFile, createAppendFile, RemovedFile } from './append-file.ts'
import { JournalError } from './entry.ts'
import { fileName, type JournalFile, lockName, removedText, syncFolder } from './files.ts'
import { putAway } from './instance.ts'
import { type Lock, takeLock } from './locks.ts'
import { type JournalRecord, journalVersion, recordLine } from './record.ts'

export type RunWriterOptions = {
  folder: string
  exchange: string
  run: string
  now: () => number
  /** A file larger than this is continued in a new one. */
  rotateBytes: number
  /** Called before the first file is created; rejects when this program must not write here. */
  before: () => Promise<void>
  /** The records a new file must start with: those of every entry without an end on disk. */
  carry: () => readonly JournalRecord[]
  /** Receives sentences about trouble that stops nothing. */
  onTrouble: (sentence: string) => void
  /** Called when a full file was moved to the closed ones. */
  onRotated: () => void
}

/** The lock that marks the run as alive, and its current file. */
type Own = { lock: Lock; file: AppendFile; listed: JournalFile }

/** Writes the files of one run. Creates them on the first write, so that a failing disk can be tried again. */
export class RunWriter {
  readonly #options: RunWriterOptions
  #own: Own | null = null
  #opening: Promise<Own> | null = null
  #rotating: Promise<void> | null = null
  #isClosed = false
  #rotateBytes: number
  #nextNumber = 1

  constructor(options: RunWriterOptions) {
    this.#options = options
    this.#rotateBytes = options.rotateBytes
  }

  get isOpen(): boolean {
    return this.#own !== null
  }

  /** Creates the first file if needed. Rejects with `JournalError`. */
  async open(): Promise<void> {
    await this.#opened()
  }

  /**
   * Appends records; resolves when they are on disk. Rejects with `JournalError` when they are not, or not known to be.
   */
  async append(records: readonly JournalRecord[]): Promise<void> {
    for (let last: Promise<void> | null = null; last !== this.#rotating; ) {
      last = this.#rotating
      await last
    }
    const { file } = await this.#opened()
    try {
      await file.append(records.map(recordLine).join(''))
    } catch (error) {
      if (error instanceof RemovedFile) throw new JournalError(removedText(this.#options.folder, error.what))
      throw new JournalError(`the journal cannot be written: ${diskReason(error)}`)
    }
    if (file === this.#own?.file && file.size() >= this.#rotateBytes) this.#rotating ??= this.#rotate(this.#own)
  }

  /**
   * Waits for pending writes and closes the file. Moves it to the closed ones if `isSettled`, called last, returns
   * true: nothing in it is left for the next desk. Never rejects.
   */
  async close(isSettled: () => boolean): Promise<void> {
    this.#isClosed = true
    await this.#rotating
    const own = this.#own ?? (await this.#opening?.catch(() => null)) ?? null
    this.#own = null
    if (own === null) return
    const { folder, run } = this.#options
    try {
      await own.file.close()
      if (isSettled()) {
        putAway(folder, new Map([[own.listed, null]]))
        rmSync(join(folder, lockName(run)), { force: true })
      }
    } catch (error) {
      this.#options.onTrouble(`The journal of this run could not be put away: ${diskReason(error)}`)
    } finally {
      own.lock.release()
    }
  }

  #opened(): Promise<Own> {
    if (this.#isClosed) return Promise.reject(new JournalError('the journal is closed'))
    if (this.#own !== null) return Promise.resolve(this.#own)
    this.#opening ??= this.#openNow().finally(() => {
      this.#opening = null
    })
    return this.#opening
  }

  async #openNow(): Promise<Own> {
    const { folder, run, before } = this.#options
    let lock: Lock | null = null
    try {
      makeFolder(folder)
      await before()
      const taken = takeLock(join(folder, lockName(run)))
      if (!taken.ok) throw new JournalError(`the journal in ${folder} cannot be opened: ${taken.error}`)
      lock = taken.value
      if (lock === null) throw new JournalError(`the lock of run ${run} is taken`)
      this.#own = { lock, ...(await this.#nextFile()) }
      return this.#own
    } catch (error) {
      if (lock !== null) rmSync(join(folder, lockName(run)), { force: true })
      lock?.release()
      if (error instanceof JournalError) throw error
      throw new JournalError(`the journal in ${folder} cannot be opened: ${diskReason(error)}`)
    }
  }

  /** Continues in a new file. Writes wait for it; if it fails, the old file stays in use. */
  async #rotate(old: Own): Promise<void> {
    const { folder, carry, onTrouble, onRotated } = this.#options
    let next: Omit<Own, 'lock'> | null = null
    try {
      next = await this.#nextFile()
      await old.file.idle()
      // Lets the callers of the last writes run first, so that entries they ended are not carried over as open.
      await nextTurn()
      await next.file.append(carry().map(recordLine).join(''))
      this.#own = { lock: old.lock, ...next }
      // When open entries alone fill a file, the next one gets room for as much again.
      this.#rotateBytes = Math.max(this.#options.rotateBytes, 2 * next.file.size())
    } catch (error) {
      // It is tried again at the next write: the files of failed tries must not stay.
      if (next !== null) await discard(next.file, next.listed.path).catch(() => undefined)
      onTrouble(`The journal could not be continued in a new file: ${diskReason(error)}`)
      return
    } finally {
      this.#rotating = null
    }
    try {
      await old.file.close()
      putAway(folder, new Map([[old.listed, null]]))
      onRotated()
    } catch (error) {
      onTrouble(`A full file of the journal could not be put away: ${diskReason(error)}`)
    }
  }

  async #nextFile(): Promise<Omit<Own, 'lock'>> {
    const { folder, exchange, run, now } = this.#options
    const number = this.#nextNumber
    this.#nextNumber += 1
    const path = join(folder, fileName(run, number))
    const file = await createAppendFile(path)
    try {
      await file.append(recordLine({ record: 'desk', at: now(), version: journalVersion, exchange }))
      syncFolder(folder)
    } catch (error) {
      // Otherwise an empty file would be left behind.
      await discard(file, path)
      throw error
    }
    return { file, listed: { instance: run, number, path } }
  }
}

/** Removes and closes a new file that is not used. */
async function discard(file: AppendFile, path: string): Promise<void> {
  try {
    rmSync(path, { force: true })
  } finally {
    await file.close()
  }
}
