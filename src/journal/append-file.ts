import { type FileHandle, open } from 'node:fs/promises'

/** A file that lines are added to, and that says when they are on disk. */
export type AppendFile = {
  /** Adds whole lines. Lines given while an earlier write is under way go to disk together, with one sync. */
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
export async function createAppendFile(path: string): Promise<AppendFile> {
  return new GroupedFile(await open(path, 'ax', 0o600))
}

class GroupedFile implements AppendFile {
  readonly #handle: FileHandle
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #size = 0
  /** A write that failed may have left part of a line: the next one begins with a line end, so that the two stay apart. */
  #isTorn = false

  constructor(handle: FileHandle) {
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
        this.#isTorn = true
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
    this.#isTorn = false
    this.#size += bytes.length
  }
}
