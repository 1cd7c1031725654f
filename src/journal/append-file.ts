import { type FileHandle, open, stat } from 'node:fs/promises'

/** A file that lines are added to, and that says when they are on disk. */
export type AppendFile = {
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
export const createAppendFile = async (path: string): Promise<AppendFile> =>
  new GroupedFile(path, await open(path, 'ax', 0o600), 0, false)

/**
 * Opens the file at `path`, or makes it for the owner alone, to go on after what it has; a last line that never got
 * whole stays apart from what follows. For a file that nobody else writes to.
 */
export async function continueAppendFile(path: string): Promise<AppendFile> {
  const handle = await open(path, 'a+', 0o600)
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
  /**
   * A write that failed left part of a line that could not be taken away: the next one begins with a line end, to stay
   * apart from it.
   */
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
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#handle.write(bytes, written)
      written += bytesWritten
    }
    await this.#handle.datasync()
    const size = await this.#sizeInPlace()
    if (size === null) throw new Error('its file was removed or replaced')
    this.#isTorn = false
    this.#size = size
  }

  /**
   * What was not written whole is taken away again: whoever asked for it hears that it is not there. What was torn
   * before is so still.
   */
  async #takeBack(): Promise<void> {
    try {
      await this.#handle.truncate(this.#size)
    } catch {
      // The line end before the next line does the same for whoever reads it.
      this.#isTorn = true
    }
  }

  /** How long the file is, what could not be taken away included; null where it is no more in its place. */
  async #sizeInPlace(): Promise<number | null> {
    try {
      const [own, there] = await Promise.all([this.#handle.stat(), stat(this.#path)])
      return own.ino === there.ino && own.dev === there.dev ? own.size : null
    } catch {
      return null
    }
  }
}
