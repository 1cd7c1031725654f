import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import type { Reading, SharedReads } from './shared-reads.ts'
import { readRowOf } from './targets.ts'

/** The output of a stream's events: a response that does not end. */
export type StreamOutput = {
  write(text: string): void
  /** Characters that the client has not received yet. */
  backlog(): number
  end(): void
}

export type StreamOptions = {
  reads: SharedReads
  clock: Clock
  /** Creates unguessable stream ids. */
  newId: () => string
  /** True while the owner of this token may listen; checked with each heartbeat. */
  isWelcome: (tokenDigest: string) => boolean
  /** Ends all streams. */
  signal: AbortSignal
}

type Told = Pick<Reading, 'body' | 'receivedAtMs'>

/** The owner of a stream, which ends with the token it was requested with. */
export type StreamOwner = { readonly person: string; readonly tokenDigest: string }

export type Streams = {
  /** Opens a stream; null when its owner has too many. Call `left` when the client is gone. */
  open(owner: StreamOwner, output: StreamOutput): { left: () => void } | null
  /** Subscribes a stream to changes of a target for a minute, after a read with the stream's id gave this. */
  subscribe(streamId: string, tokenDigest: string, target: string, read: Told): void
  /** Call when the account has changed: reads its subscribed targets at once. */
  accountChanged(): void
  /** Call when the hub's own data has changed (persons, a halt, drafts): tells all streams. */
  hubChanged(): void
  counts(): { readonly streams: number; readonly targets: number; readonly events: number }
}

const aliveEveryMs = 3_000
const subscribedMs = 60_000
const streamsMaxEach = 16
const targetsMaxEach = 128
/** A client with this much unread is disconnected. */
const backlogMax = 8 * 1024 * 1024

type Stream = { readonly id: string; readonly owner: StreamOwner; readonly output: StreamOutput }

/** Until when a stream is subscribed to a target, and the last answer it has, which differs between streams. */
type Listener = { untilMs: number; body: string }
/** `isDue`: read at once, whatever the pace. */
type Watch = { readonly listeners: Map<Stream, Listener>; isDue: boolean; wake: AbortController }

/**
 * Creates streams that push changes to desks: each subscribed target is read at its pace, once for all, and every
 * changed answer is written to its subscribers.
 */
export const createStreams = (options: StreamOptions): Streams => new Teller(options)

class Teller implements Streams {
  readonly #options: StreamOptions
  readonly #streams = new Map<string, Stream>()
  readonly #watches = new Map<string, Watch>()
  #eventCount = 0

  constructor(options: StreamOptions) {
    this.#options = options
  }

  open(owner: StreamOwner, output: StreamOutput): { left: () => void } | null {
    const own = [...this.#streams.values()].filter((each) => each.owner.person === owner.person)
    if (own.length >= streamsMaxEach || this.#options.signal.aborted) return null
    const stream = { id: this.#options.newId(), owner, output }
    this.#streams.set(stream.id, stream)
    this.#tell(stream, 'hello', { stream: stream.id })
    void this.#keepAlive(stream)
    return { left: () => this.#end(stream) }
  }

  subscribe(streamId: string, tokenDigest: string, target: string, read: Told): void {
    const stream = this.#streams.get(streamId)
    // Another person's stream id subscribes nothing.
    if (stream === undefined || stream.owner.tokenDigest !== tokenDigest || readRowOf(target) === undefined) return
    const watch = this.#watches.get(target)
    if (watch?.listeners.has(stream) !== true && this.#countOf(stream) >= targetsMaxEach) return
    const listener = { untilMs: this.#options.clock.now() + subscribedMs, body: read.body }
    if (watch !== undefined) {
      const told = watch.listeners.get(stream)
      watch.listeners.set(stream, listener)
      // The client may have this answer before what the stream told last, and take a later `same` for that.
      if (told !== undefined && told.body !== read.body) this.#tellAnswer(stream, target, read)
      return
    }
    const begun = { listeners: new Map([[stream, listener]]), isDue: false, wake: new AbortController() }
    this.#watches.set(target, begun)
    void this.#follow(target, begun)
  }

  accountChanged(): void {
    for (const [target, watch] of this.#watches) {
      if (readRowOf(target)?.isOfAccount !== true) continue
      watch.isDue = true
      watch.wake.abort()
    }
  }

  hubChanged(): void {
    for (const stream of [...this.#streams.values()]) this.#tell(stream, 'hub', {})
  }

  counts(): { readonly streams: number; readonly targets: number; readonly events: number } {
    return { streams: this.#streams.size, targets: this.#watches.size, events: this.#eventCount }
  }

  /** Targets its owner is subscribed to, on all their streams. */
  #countOf({ owner }: Stream): number {
    const isOwn = (each: Stream) => each.owner.person === owner.person
    return [...this.#watches.values()].filter(({ listeners }) => [...listeners.keys()].some(isOwn)).length
  }

  #end(stream: Stream): void {
    if (!this.#streams.delete(stream.id)) return
    for (const watch of this.#watches.values()) watch.listeners.delete(stream)
    stream.output.end()
  }

  #tellAnswer(stream: Stream, target: string, { body, receivedAtMs }: Told): void {
    this.#tell(stream, 'answer', { target, ageMs: this.#options.clock.now() - receivedAtMs, body })
  }

  #tell(stream: Stream, event: string, data: Readonly<Record<string, unknown>>): void {
    if (stream.output.backlog() > backlogMax) {
      this.#end(stream)
      return
    }
    this.#eventCount += 1
    // The client sees by the time how long an event has waited on its way.
    const sent = { ...data, atMs: this.#options.clock.now() }
    stream.output.write(`event: ${event}\ndata: ${JSON.stringify(sent)}\n\n`)
  }

  async #keepAlive(stream: Stream): Promise<void> {
    const { clock, signal, isWelcome } = this.#options
    while (this.#streams.has(stream.id)) {
      await clock.sleep(aliveEveryMs, signal)
      if (signal.aborted || !isWelcome(stream.owner.tokenDigest)) return this.#end(stream)
      if (this.#streams.has(stream.id)) stream.output.write(': alive\n\n')
    }
  }

  /** The current subscribers; those whose time is over are told so and removed. */
  #listenersOf(target: string, { listeners }: Watch): [Stream, Listener][] {
    for (const [stream, { untilMs }] of listeners) {
      if (this.#options.clock.now() < untilMs) continue
      listeners.delete(stream)
      this.#tell(stream, 'lapsed', { target })
    }
    return [...listeners]
  }

  async #follow(target: string, watch: Watch): Promise<void> {
    const { clock, signal } = this.#options
    const paceMs = readRowOf(target)?.paceMs ?? subscribedMs
    while (!signal.aborted) {
      if (!watch.isDue) await clock.sleep(paceMs, AbortSignal.any([watch.wake.signal, signal]))
      if (signal.aborted || this.#listenersOf(target, watch).length === 0) break
      watch.isDue = false
      watch.wake = new AbortController()
      await this.#look(target, watch)
    }
    this.#watches.delete(target)
  }

  async #look(target: string, watch: Watch): Promise<void> {
    const { reads, clock } = this.#options
    try {
      const by = [...watch.listeners.keys()].map(({ owner }) => owner.person)
      const read = await reads.read(target, { by })
      for (const [stream, listener] of this.#listenersOf(target, watch)) {
        if (read.body === listener.body) this.#tell(stream, 'same', { target, ageMs: clock.now() - read.receivedAtMs })
        else this.#tellAnswer(stream, target, read)
        listener.body = read.body
      }
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      for (const [stream] of this.#listenersOf(target, watch))
        this.#tell(stream, 'failed', { target, error: error.reason })
    }
  }
}
