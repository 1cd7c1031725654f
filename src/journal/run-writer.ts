import { mkdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nextTurn } from '../base/clock.ts'
import { diskReason } from '../base/error-text.ts'
import { JournalError } from './entry.ts'
import { fileName, type JournalFile, lockName, syncFolder } from './files.ts'
import { putAway } from './instance.ts'
import { type Lock, takeLock } from './locks.ts'
import { type JournalRecord, journalVersion, recordLine } from './record.ts'

export type RunWriterOptions = {
  folder: string
  exchange: string
  run: string
  now: () => number
  /** A file larger than this is continued in another. */
  rotateBytes: number
  /** Called before the first file is made; rejects when this program may not write here. */
  before: () => Promise<void>
  /** What the next file has to begin with: the records of every entry that is not ended on disk. */
  carry: () => readonly JournalRecord[]
  /** Told what happened that stops nothing, in sentences. */
  onTrouble: (sentence: string) => void
  /** Called when a file was filled and put away. */
  onRotated: () => void
}

/** The lock that says that the run lives, and the file that it writes to. */
type Own = { lock: Lock; file: AppendFile; listed: JournalFile }

/**
 * Writes the files of one run. They are made when something is first written, so that a disk that refuses can be tried
 * again.
 */
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

  /** Makes the first file unless it is there. Rejects with `JournalError`. */
  async open(): Promise<void> {
    await this.#opened()
  }

  /** Adds records: on disk when it resolves. Rejects with `JournalError` when they are not, or not known to be. */
  async append(records: readonly JournalRecord[]): Promise<void> {
    while (this.#rotating !== null) await this.#rotating
    const { file } = await this.#opened()
    try {
      await file.append(records.map(recordLine).join(''))
    } catch (error) {
      throw new JournalError(`the journal cannot be written: ${diskReason(error)}`)
    }
    if (file === this.#own?.file && file.size() >= this.#rotateBytes) this.#rotating ??= this.#rotate(this.#own)
  }

  /**
   * Lets what is being written reach the disk, and gives the file up. `isSettled` says, after that, whether nothing in
   * it is left for the next desk: then it is put away, and stays where it is otherwise. Never rejects.
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
      mkdirSync(folder, { recursive: true, mode: 0o700 })
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

  /** Goes on in a new file. Until it stands, what comes waits; should it fail, the old one is used on. */
  async #rotate(old: Own): Promise<void> {
    const { folder, carry, onTrouble, onRotated } = this.#options
    try {
      const next = await this.#nextFile()
      await old.file.idle()
      // Whoever waited for the last of these writes takes note of it first: what it ended is not carried over as open.
      await nextTurn()
      const carried = carry()
      if (carried.length > 0) await next.file.append(carried.map(recordLine).join(''))
      this.#own = { lock: old.lock, ...next }
      // Where what is open fills a file by itself, the next one has room for as much again.
      this.#rotateBytes = Math.max(this.#options.rotateBytes, 2 * next.file.size())
    } catch (error) {
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
      // An empty file would be all that is left of it.
      rmSync(path, { force: true })
      await file.close()
      throw error
    }
    return { file, listed: { instance: run, number, path } }
  }
}

/** A file that lines are added to, and that says when they are on disk. */
type AppendFile = {
  /**
   * Adds whole lines. Lines given while an earlier write is under way go to disk together, with one sync. Rejects with
   * what the disk says, also when the file is no more where it was made: what is written to a file that was removed or
   * replaced is on no record.
   */
  append(lines: string): Promise<void>
  /** Bytes written so far. */
  size(): number
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Lets what is under way end, then closes. */
  close(): Promise<void>
}

type Waiting = { lines: string; resolve: () => void; reject: (error: unknown) => void }

/** Makes the file at `path`, for the owner alone; one that is there already is an error. */
async function createAppendFile(path: string): Promise<AppendFile> {
  return new GroupedFile(path, await open(path, 'ax', 0o600))
}

class GroupedFile implements AppendFile {
  readonly #path: string
  readonly #handle: FileHandle
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #size = 0
  /**
   * A write that failed left part of a line that could not be taken away: the next one begins with a line end, to stay
   * apart from it.
   */
  #isTorn = false

  constructor(path: string, handle: FileHandle) {
    this.#path = path
    this.#handle = handle
  }

  append(lines: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ lines, resolve, reject })
      this.#writing ??= this.#writeAll()
    })
  }

  size(): number {
    return this.#size
  }

  async idle(): Promise<void> {
    await this.#writing
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#handle.close()
  }

  async #writeAll(): Promise<void> {
    // Those that come in this turn of the event loop share the first sync.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        await this.#write((this.#isTorn ? '\n' : '') + group.map(({ lines }) => lines).join(''))
        for (const { resolve } of group) resolve()
      } catch (error) {
        await this.#takeBack()
        for (const { reject } of group) reject(error)
      }
    }
    this.#writing = null
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'utf8')
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, written)
      written += bytesWritten
    }
    await this.#handle.datasync()
    if (!(await this.#isInPlace())) throw new Error('its file was removed or replaced')
    this.#isTorn = false
    this.#size += bytes.length
  }

  /** What was not written whole is taken away again: whoever asked for it hears that it is not there. */
  async #takeBack(): Promise<void> {
    try {
      await this.#handle.truncate(this.#size)
      this.#isTorn = false
    } catch {
      // The line end before the next line does the same for whoever reads it.
      this.#isTorn = true
    }
  }

  async #isInPlace(): Promise<boolean> {
    try {
      const [own, there] = await Promise.all([this.#handle.stat(), stat(this.#path)])
      return own.ino === there.ino && own.dev === there.dev
    } catch {
      return false
    }
  }
}
