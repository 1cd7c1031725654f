import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import type { SharedReads } from './shared-reads.ts'
import { readRowOf } from './targets.ts'

/** Where the events of one stream go: an answer to a request that does not end. */
export type StreamOutput = {
  write(text: string): void
  /** Characters that the client has not taken yet. */
  backlog(): number
  end(): void
}

export type StreamOptions = {
  reads: SharedReads
  clock: Clock
  /** Ids of streams: nobody else can guess one. */
  newId: () => string
  /** Whether whoever opened one with this token may still listen; asked with each sign of life. */
  isWelcome: (tokenDigest: string) => boolean
  /** Ends them all. */
  signal: AbortSignal
}

/** Whose a stream is: it ends with the token that it was asked for with. */
export type StreamOwner = { readonly person: string; readonly tokenDigest: string }

export type Streams = {
  /** Begins a stream; null where its owner has too many. `left` is to be called when the client is gone. */
  open(owner: StreamOwner, output: StreamOutput): { left: () => void } | null
  /** Whoever asked for this with the id of a stream is told of it there from now on, for a minute. */
  subscribe(streamId: string, tokenDigest: string, target: string, body: string): void
  /** Something of the account has changed: what is told of it is asked for at once. */
  accountChanged(): void
  /** Something that the hub itself keeps has changed, persons, a halt or drafts: everybody is told to ask. */
  hubChanged(): void
  counts(): { readonly streams: number; readonly targets: number; readonly events: number }
}

const aliveEveryMs = 3_000
const subscribedMs = 60_000
const streamsMostEach = 16
const targetsMostEach = 128
/** A client that has not taken this much is not waited for. */
const backlogMost = 8 * 1024 * 1024

type Stream = { readonly id: string; readonly owner: StreamOwner; readonly output: StreamOutput }

/** Until when somebody is told of a target, and what that one knows of it: not everybody begins with the same. */
type Listener = { untilMs: number; body: string }
/** `isDue`: there is news to be asked for, whatever the pace says. */
type Watch = { readonly listeners: Map<Stream, Listener>; isDue: boolean; wake: AbortController }

/**
 * Tells desks what the exchange says without being asked again: each target that anybody subscribed to is asked for at
 * its pace, once for all, and every answer that differs from the one before is written to those who want it.
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
    if (own.length >= streamsMostEach || this.#options.signal.aborted) return null
    const stream = { id: this.#options.newId(), owner, output }
    this.#streams.set(stream.id, stream)
    this.#tell(stream, 'hello', { stream: stream.id })
    void this.#keepAlive(stream)
    return { left: () => this.#end(stream) }
  }

  subscribe(streamId: string, tokenDigest: string, target: string, body: string): void {
    const stream = this.#streams.get(streamId)
    // An id that somebody else was given subscribes nobody.
    if (stream === undefined || stream.owner.tokenDigest !== tokenDigest || readRowOf(target) === undefined) return
    const watch = this.#watches.get(target)
    if (watch?.listeners.has(stream) !== true && this.#countOf(stream) >= targetsMostEach) return
    const listener = { untilMs: this.#options.clock.now() + subscribedMs, body }
    if (watch !== undefined) {
      watch.listeners.set(stream, listener)
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

  /** What its owner listens to, here or by another stream of theirs. */
  #countOf({ owner }: Stream): number {
    const isOwn = (each: Stream) => each.owner.person === owner.person
    return [...this.#watches.values()].filter(({ listeners }) => [...listeners.keys()].some(isOwn)).length
  }

  #end(stream: Stream): void {
    if (!this.#streams.delete(stream.id)) return
    for (const watch of this.#watches.values()) watch.listeners.delete(stream)
    stream.output.end()
  }

  #tell(stream: Stream, event: string, data: Readonly<Record<string, unknown>>): void {
    if (stream.output.backlog() > backlogMost) {
      this.#end(stream)
      return
    }
    this.#eventCount += 1
    stream.output.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  async #keepAlive(stream: Stream): Promise<void> {
    const { clock, signal, isWelcome } = this.#options
    while (this.#streams.has(stream.id)) {
      await clock.sleep(aliveEveryMs, signal)
      if (signal.aborted || !isWelcome(stream.owner.tokenDigest)) return this.#end(stream)
      if (this.#streams.has(stream.id)) stream.output.write(': alive\n\n')
    }
  }

  /** Those who still want it; whoever did not ask again in time is told so. */
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
      const { body, receivedAtMs } = await reads.read(target, { by })
      for (const [stream, listener] of this.#listenersOf(target, watch)) {
        const isSame = body === listener.body
        listener.body = body
        const ageMs = clock.now() - receivedAtMs
        this.#tell(stream, isSame ? 'same' : 'answer', isSame ? { target, ageMs } : { target, ageMs, body })
      }
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      for (const [stream] of this.#listenersOf(target, watch))
        this.#tell(stream, 'failed', { target, error: error.reason })
    }
  }
}
