import { type FileHandle, open, stat } from 'node:fs/promises'

/** A file that is only appended to, and reports when lines are on disk. */
export type AppendFile = {
  /**
   * Appends whole lines. Lines given during a write go to disk together, with one sync. Rejects with the disk's error,
   * also when the file is no longer in its place, because a file that was removed or replaced records nothing, or lacks
   * what was written before.
   */
  append(lines: string): Promise<void>
  /** Bytes written so far. */
  size(): number
  /** Resolves when no write is pending. */
  idle(): Promise<void>
  /** Waits for pending writes, then closes. */
  close(): Promise<void>
}

/** The file is no longer in its place, or not what it was: what is appended to it would be found by nobody. */
export class RemovedFile extends Error {
  override readonly name = 'RemovedFile'
  readonly what: RemovedHow

  constructor(what: RemovedHow) {
    super(`its file ${what}`)
    this.what = what
  }
}

export type RemovedHow = 'was removed or replaced' | 'was cut short'

type Waiting = { lines: string; resolve: () => void; reject: (error: unknown) => void }

/** Creates the file at `path`, accessible by the owner alone; fails when it exists. */
export const createAppendFile = async (path: string): Promise<AppendFile> =>
  new GroupedFile(path, await open(path, 'ax', 0o600), 0, false)

/**
 * Opens or creates the file at `path` (owner only) for appending. New lines start on a new line when the last one is
 * incomplete. Only for a file that no one else writes to. `now` is where it is until it is moved to `path`.
 */
export async function continueAppendFile(path: string, now = path): Promise<AppendFile> {
  const handle = await open(now, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    return new GroupedFile(path, handle, size, size > 0 && last.toString('latin1') !== '\n')
  } catch (error) {
    await handle.close()
    throw error
  }
}

class GroupedFile implements AppendFile {
  readonly #path: string
  readonly #handle: FileHandle
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #size: number
  /** A failed write left a partial line that could not be removed, so the next write starts with a line end. */
  #isTorn: boolean

  constructor(path: string, handle: FileHandle, size: number, isTorn: boolean) {
    this.#path = path
    this.#handle = handle
    this.#size = size
    this.#isTorn = isTorn
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
    // Lines given in this turn of the event loop share the first sync.
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
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, written)
      written += bytesWritten
    }
    await this.#handle.datasync()
    const size = await this.#sizeInPlace()
    if (size === null) throw new RemovedFile('was removed or replaced')
    if (size < this.#size + bytes.length) {
      // Emptied by somebody, or an older copy was written over it: lines that are counted on are gone.
      await this.#handle.truncate(size - bytes.length)
      throw new RemovedFile('was cut short')
    }
    this.#isTorn = false
    this.#size = size
  }

  /** Removes a partial write, whose caller is told that it failed. An older partial line stays. */
  async #takeBack(): Promise<void> {
    try {
      const { size } = await this.#handle.stat()
      // One that was cut short is not filled up again, with zeros.
      if (size > this.#size) await this.#handle.truncate(this.#size)
    } catch {
      // A line end before the next line keeps it readable.
      this.#isTorn = true
    }
  }

  /** The size of the file, including what could not be removed; null when the file is not in its place. */
  async #sizeInPlace(): Promise<number | null> {
    try {
      const [own, there] = await Promise.all([this.#handle.stat(), stat(this.#path)])
      return own.ino === there.ino && own.dev === there.dev ? own.size : null
    } catch {
      return null
    }
  }
}
