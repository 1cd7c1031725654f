import { fstatSync, statSync, close as systemClose, write as systemWrite } from 'node:fs'
import { devNull } from 'node:os'
import { diskReason, errorCode } from './error-text.ts'

/** Writes all of the bytes to one place; rejects with the system's error. */
type Sink = {
  write(bytes: Uint8Array): Promise<void>
  /** Gives the place up: what a disk or a network file system says only now counts too. */
  close(): Promise<void>
}

/** A stream that leaves the program: whole and in order, however slowly it is read, with little of it in memory. */
export type Output = {
  /**
   * Adds text. Resolves when there is room for more, so that whoever awaits it keeps memory flat; at once when nothing
   * can be written any more. Never rejects.
   */
  write(text: string): Promise<void>
  /** Whether what was added last ends within a line. */
  isMidLine(): boolean
  /**
   * Adds text that must not block the caller, such as a log line; it is dropped, and counted, while too much waits.
   */
  offer(text: string): void
  /**
   * Resolves when all of it is written or nothing can be: null, or why not, as a clause. A reader that left early is
   * not a failure.
   */
  written(): Promise<string | null>
  /** Waits like `written`, then closes the output. */
  end(): Promise<string | null>
  /** Aborted when what is written reaches nobody any more: the reader has left, or the disk is full. */
  readonly unread: AbortSignal
}

/** Characters queued before `write` makes its caller wait; one write to the system takes as many. */
const roomChars = 65_536
/** Characters queued before `offer` drops lines. */
const offeredMost = 1_048_576

/** The reader has left: `| head`, or a socket whose other side is closed. */
const goneCodes: readonly unknown[] = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

export const createOutput = (sink: Sink): Output => new GroupedOutput(sink)

/** What is added while a write is under way goes out with the next one, so that many small rows are few writes. */
class GroupedOutput implements Output {
  readonly #sink: Sink
  readonly #over = new AbortController()
  readonly unread: AbortSignal = this.#over.signal
  #waiting = ''
  #writing: Promise<void> | null = null
  /** Settled when what waits has been taken for writing. */
  #taken = Promise.withResolvers<void>()
  #leftOut = 0
  #isMidLine = false
  #failure: string | null = null

  constructor(sink: Sink) {
    this.#sink = sink
  }

  write(text: string): Promise<void> {
    if (this.unread.aborted || text === '') return Promise.resolve()
    this.#isMidLine = !text.endsWith('\n')
    this.#waiting += text
    this.#writing ??= this.#writeAll()
    return this.#waiting.length < roomChars ? Promise.resolve() : this.#taken.promise
  }

  isMidLine(): boolean {
    return this.#isMidLine
  }

  offer(text: string): void {
    if (this.#waiting.length > offeredMost) this.#leftOut += 1
    else void this.write(text)
  }

  async written(): Promise<string | null> {
    await this.#writing
    return this.#failure
  }

  async end(): Promise<string | null> {
    await this.#writing
    if (!this.unread.aborted) await this.#sink.close().catch((error: unknown) => this.#end(error))
    return this.#failure
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting !== '' && !this.unread.aborted) {
      const text = this.#waiting
      this.#waiting = this.#leftOut === 0 ? '' : `${this.#leftOut} lines left out: they were read too slowly.\n`
      this.#leftOut = 0
      this.#taken.resolve()
      this.#taken = Promise.withResolvers<void>()
      try {
        await this.#sink.write(Buffer.from(text, 'utf8'))
      } catch (error) {
        this.#end(error)
      }
    }
    this.#writing = null
  }

  #end(error: unknown): void {
    if (!goneCodes.includes(errorCode(error))) this.#failure = diskReason(error)
    this.#waiting = ''
    this.#over.abort()
    this.#taken.resolve()
  }
}

/** A pipe, a socket or a terminal: the stream itself waits for its reader. */
const streamSink = (stream: NodeJS.WritableStream): Sink => ({
  write: (bytes) =>
    new Promise((resolve, reject) => {
      stream.write(bytes, (error) => {
        if (error) reject(error)
        else resolve()
      })
    }),
  close: () => Promise.resolve(),
})

/**
 * A file or a device. Node's own stream for these takes a write that the system did only in part for whole, which on a
 * disk that fills up loses the rest without a word.
 */
const fileSink = (fd: number): Sink => ({
  async write(bytes) {
    for (let written = 0; written < bytes.length; ) written += await writeSome(fd, bytes, written)
  },
  close: () =>
    new Promise((resolve, reject) => {
      systemClose(fd, (error) => {
        if (error) reject(error)
        else resolve()
      })
    }),
})

const writeSome = (fd: number, bytes: Uint8Array, from: number): Promise<number> =>
  new Promise((resolve, reject) => {
    systemWrite(fd, bytes, from, bytes.length - from, null, (error, count) => {
      if (error) reject(error)
      else resolve(count)
    })
  })

/** The way to write to a standard stream, whatever it leads to. */
export function standardSink(stream: NodeJS.WriteStream & { fd: number }): Sink {
  const { fd } = stream
  if (stream.isTTY) return streamSink(stream)
  const stat = fstatSync(fd)
  return stat.isFIFO() || stat.isSocket() ? streamSink(stream) : fileSink(fd)
}

/** Whether nobody ever sees what a standard stream takes: it leads to /dev/null, as Node has it where it was closed. */
export function leadsNowhere(stream: object): boolean {
  const nowhere = statSync(devNull, { throwIfNoEntry: false })
  if (!('fd' in stream) || typeof stream.fd !== 'number' || nowhere === undefined) return false
  const place = fstatSync(stream.fd)
  return place.isCharacterDevice() && place.rdev === nowhere.rdev
}
