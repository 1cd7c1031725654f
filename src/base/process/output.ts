import { fstatSync, statSync, close as systemClose, write as systemWrite } from 'node:fs'
import { devNull } from 'node:os'
import { diskReason, errorCode } from '../text/error-text.ts'

/** Writes all bytes to one destination; rejects with the system's error. */
type Sink = {
  write(bytes: Uint8Array): Promise<void>
  /** Closes the destination: disks and network file systems may report errors only here. */
  close(): Promise<void>
}

/** An output stream: complete and in order however slowly it is read, with little of it in memory. */
export type Output = {
  /**
   * Queues text. Resolves when there is room for more, so awaiting it bounds memory; at once when nothing can be
   * written any more. Never rejects.
   */
  write(text: string): Promise<void>
  /** True when the text queued last does not end with a newline. */
  isMidLine(): boolean
  /**
   * Queues text without making the caller wait, such as a log line; drops and counts it while too much is queued. After
   * a failure of the disk each text is a new try.
   */
  offer(text: string): void
  /**
   * After a failure of the disk: writes text after all, and goes on from there when that works. False when it does not,
   * or when the reader has left. For a log, which lasts longer than a full disk.
   */
  again(text: string): Promise<boolean>
  /**
   * Resolves when everything is written or nothing more can be: with null, or the reason as a clause. A reader that
   * left early is not a failure.
   */
  written(): Promise<string | null>
  /** Waits like `written`, then closes the output. */
  end(): Promise<string | null>
  /** Aborted when output no longer reaches anyone: the reader has left, or the disk is full. */
  readonly unread: AbortSignal
}

/** Characters queued before `write` makes its caller wait; also the size of one write to the system. */
const roomChars = 65_536
/** Characters queued before `offer` drops lines. */
const offeredMax = 1_048_576

/** Errors of a reader that has left: `| head`, or a socket closed by the other side. */
const goneCodes: readonly unknown[] = ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED']

export const createOutput = (sink: Sink): Output => new GroupedOutput(sink)

/** Groups the text queued during a write into the next write, so that many small rows need few writes. */
class GroupedOutput implements Output {
  readonly #sink: Sink
  #over = new AbortController()
  #waiting = ''
  #writing: Promise<void> | null = null
  /** Resolves when the queued text has been taken for writing. */
  #taken = Promise.withResolvers<void>()
  #leftOut = 0
  #isMidLine = false
  #failure: string | null = null

  constructor(sink: Sink) {
    this.#sink = sink
  }

  get unread(): AbortSignal {
    return this.#over.signal
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
    if (this.#waiting.length > offeredMax) this.#leftOut += 1
    else if (this.unread.aborted) void this.again(text)
    else void this.write(text)
  }

  async again(text: string): Promise<boolean> {
    await this.#writing
    if (this.unread.aborted) {
      if (this.#failure === null) return false
      this.#over = new AbortController()
      // What was written last may lack its end.
      this.#waiting = '\n'
    }
    await this.write(text)
    await this.#writing
    return !this.unread.aborted
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

/** For a pipe, a socket or a terminal: the stream itself waits for its reader. */
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
 * For a file or a device. Node's own stream takes a partial write for a complete one, which on a disk that fills up
 * silently loses the rest.
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

/** The sink for a standard stream, by what kind of file it is. */
export function standardSink(stream: NodeJS.WriteStream & { fd: number }): Sink {
  const { fd } = stream
  if (stream.isTTY) return streamSink(stream)
  const stat = fstatSync(fd)
  return stat.isFIFO() || stat.isSocket() ? streamSink(stream) : fileSink(fd)
}

/** True when a standard stream is /dev/null, which Node also opens in place of a closed one. */
export function leadsNowhere(stream: object): boolean {
  const nowhere = statSync(devNull, { throwIfNoEntry: false })
  if (!('fd' in stream) || typeof stream.fd !== 'number' || nowhere === undefined) return false
  const place = fstatSync(stream.fd)
  return place.isCharacterDevice() && place.rdev === nowhere.rdev
}
