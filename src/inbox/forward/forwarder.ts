import type { Clock } from '../../base/clock.ts'
import { backoffMs } from '../../base/posting.ts'
import type { PageQuery, StoredEvent } from '../../domain/gateway/inbox-source.ts'
import type { EventStore } from '../store/event-store.ts'
import { TroubleLog } from '../trouble-log.ts'
import { Checkpoint, type CheckpointFile, startingCheckpoint } from './checkpoint.ts'
import type { Attempt, Poster } from './post.ts'

export type ForwarderOptions = {
  store: Pick<EventStore, 'events' | 'listen' | 'identity'>
  poster: Poster
  checkpointFile: CheckpointFile
  clock: Clock
  random: () => number
  log: (line: string) => void
  /** Told of each attempt, and how many events wait after it. */
  onAttempt?: (attempt: Attempt, waiting: number) => void
}

export type Forwarder = {
  /** Lets attempts that are under way come to their end, and keeps where all of it stands. */
  stop(): Promise<void>
}

/** So many events may wait at once; then no more are read, and they wait in the store. */
const waitingMost = 10_000
const pageSize = 500
const atOnceMost = 32
/** How long after an event a store that tells nobody of it is looked at again. */
const lookMs = 2_000

/** One order's events that wait, the first of them first: the later ones go only when it has been taken. */
type Queue = StoredEvent[]

class Running implements Forwarder {
  readonly #options: ForwarderOptions
  readonly #place: Checkpoint
  readonly #ended = new AbortController()
  readonly #queues = new Map<string, Queue>()
  readonly #trouble: TroubleLog
  readonly #storeTrouble: TroubleLog
  /** Orders whose first event was not taken the last time. */
  readonly #failing = new Set<string>()
  readonly #slots: Array<() => void> = []
  readonly #work = new Set<Promise<void>>()
  readonly #unlisten: () => void
  #free = atOnceMost
  #wake = new AbortController()

  constructor(options: ForwarderOptions, place: Checkpoint) {
    this.#options = options
    this.#place = place
    this.#trouble = new TroubleLog(options.clock, options.log)
    this.#storeTrouble = new TroubleLog(options.clock, options.log)
    this.#unlisten = options.store.listen(() => this.#wake.abort())
    this.#start(this.#read())
  }

  async stop(): Promise<void> {
    this.#unlisten()
    this.#ended.abort()
    this.#wake.abort()
    while (this.#work.size > 0) await Promise.all(this.#work)
    await this.#place.settled()
    await this.#options.poster.close()
  }

  #start(work: Promise<void>): void {
    const noted = work.finally(() => this.#work.delete(noted))
    this.#work.add(noted)
  }

  /** Reads what waited at the end of the last run, then what is new, for as long as it runs. */
  async #read(): Promise<void> {
    await this.#followStore()
    for (const at of [...this.#place.waiting]) {
      const [event] = await this.#events(at - 1, 1)
      if (this.#ended.signal.aborted) return
      if (event?.sequence === at) this.#enqueue(event)
      else this.#place.taken(at)
    }
    while (!this.#ended.signal.aborted) {
      this.#wake = new AbortController()
      const room = waitingMost - this.#place.waiting.size
      const page = room <= 0 ? [] : await this.#events(this.#place.upTo, Math.min(room, pageSize))
      for (const event of page) {
        this.#place.read(event.sequence)
        this.#enqueue(event)
      }
      if (page.length > 0 || this.#ended.signal.aborted) continue
      await this.#options.clock.sleep(lookMs, this.#wake.signal)
      await this.#followStore()
    }
  }

  /** A store that was put back to an earlier state gives its numbers again. */
  async #followStore(): Promise<void> {
    const [newest] = await this.#page({ before: null, count: 1 })
    if (this.#ended.signal.aborted || !this.#place.endsAt(newest?.sequence ?? 0)) return
    // All that was there may also have been forgotten by age.
    if (newest !== undefined)
      this.#options.log('forward: ALARM the store ends before the last forwarded event: events are missing in it')
  }

  #events(after: number, count: number): Promise<readonly StoredEvent[]> {
    return this.#page({ after, count })
  }

  /** A page of the store; a store that fails is asked again until it answers. Empty when all this ends meanwhile. */
  async #page(query: PageQuery): Promise<readonly StoredEvent[]> {
    for (let failures = 1; !this.#ended.signal.aborted; failures += 1) {
      try {
        const page = await this.#options.store.events(query)
        this.#storeTrouble.worked('forward: the store answers again')
        return page
      } catch (error) {
        this.#storeTrouble.failed(`forward: the store cannot be read: ${String(error)}`)
        await this.#options.clock.sleep(backoffMs(failures, this.#options.random()), this.#ended.signal)
      }
    }
    return []
  }

  #enqueue(event: StoredEvent): void {
    const queue = this.#queues.get(event.orderId)
    if (queue !== undefined) {
      queue.push(event)
      return
    }
    const made = [event]
    this.#queues.set(event.orderId, made)
    this.#start(this.#handOn(event.orderId, made))
  }

  /** Hands on an order's events one after the other, each until it is taken. */
  async #handOn(orderId: string, queue: Queue): Promise<void> {
    let failures = 0
    for (let event = queue[0]; event !== undefined; event = queue[0]) {
      const attempt = await this.#attempt(event)
      if (attempt === null) return
      if (attempt.kind === 'taken') {
        failures = 0
        this.#failing.delete(orderId)
        queue.shift()
        this.#place.taken(event.sequence)
        // Only a reader that waits for room needs to know.
        if (this.#place.waiting.size === waitingMost - 1) this.#wake.abort()
      } else {
        failures += 1
        this.#failing.add(orderId)
      }
      this.#tell(attempt)
      if (failures > 0) await this.#options.clock.sleep(backoffMs(failures, this.#options.random()), this.#ended.signal)
    }
    this.#queues.delete(orderId)
  }

  /**
   * Null when all this ended before its turn came. Whoever has had a slot gives it back, so that everybody else comes
   * to know of the end.
   */
  async #attempt(event: StoredEvent): Promise<Attempt | null> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#slots.push(resolve))
    try {
      return this.#ended.signal.aborted ? null : await this.#options.poster.post(event.body)
    } finally {
      const next = this.#slots.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }

  #tell(attempt: Attempt): void {
    const waiting = this.#place.waiting.size
    this.#options.onAttempt?.(attempt, waiting)
    if (attempt.kind !== 'taken')
      this.#trouble.failed(`forward: not accepted, ${attempt.reason}; ${waiting} waiting, retrying each until accepted`)
    else if (this.#failing.size === 0) this.#trouble.worked(`forward: accepted again, ${waiting} waiting`)
  }
}

/**
 * Hands every event of the store on, beginning where the last run ended, in order for each order id. Rejects when the
 * store cannot be asked.
 */
export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const kept = await options.checkpointFile.read()
  if (!kept.ok) options.log(`forward: ${kept.error}`)
  const { start, sentence } = startingCheckpoint(await options.store.identity(), kept.ok ? kept.value : null)
  if (sentence !== null) options.log(`forward: ${sentence}`)
  return new Running(
    options,
    new Checkpoint(start, options.checkpointFile, (sentence) => options.log(`forward: ${sentence}`)),
  )
}
