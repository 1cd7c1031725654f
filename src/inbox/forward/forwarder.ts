import { backoffMs } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { takingTurns } from '../../base/serial.ts'
import { errorText } from '../../base/text/error-text.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { PageQuery, StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { type Attempt, isRefusal } from '../attempt.ts'
import type { EventStore } from '../store/event-store.ts'
import type { ForwardPlace } from '../store/forward-store.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { TroubleLog } from '../trouble-log.ts'
import { Checkpoint } from './checkpoint.ts'
import { type Lease, lookMs, whileLeased } from './lease.ts'
import type { Poster } from './post.ts'

export type ForwarderOptions = {
  store: Pick<
    EventStore,
    'events' | 'listen' | 'takeLease' | 'renewLease' | 'releaseLease' | 'movePlace' | 'waitingEvents'
  >
  /** The name the place is stored under. */
  target: string
  /** The forwarder's name for others. */
  holder: string
  /** Where to begin if nothing was ever forwarded to this target. */
  begin: () => Promise<ForwardPlace>
  /** True when an event is for this target. */
  wants: (event: StoredEvent) => boolean
  /** Number of refusals by the target itself after which an event is given up; 0 for never. */
  refusalsMax: number
  poster: Poster
  clock: Clock
  random: () => number
  log: (line: string) => void
  /** Called with each attempt and the number of events waiting after it. */
  onAttempt?: (attempt: Attempt, waiting: number) => void
  tracing?: Pick<Tracing, 'attempt'> | null
}

export type Forwarder = {
  /** Waits for running attempts, and stores the state. */
  stop(): Promise<void>
}

/** Maximum waiting events in memory; further ones stay in the store. */
const waitingMax = 10_000
const pageSize = 500
const atOnceMax = 32
/** Interval of checking a store that sends no notifications. */
const idleMs = 2_000

/** The waiting events of one order: each is sent only after the one before was accepted or given up. */
type Queue = StoredEvent[]

/** Forwards while one lease lasts. */
class Running {
  readonly #options: ForwarderOptions
  readonly #lease: Lease
  readonly #place: Checkpoint
  readonly #reached: number
  readonly #ended = new AbortController()
  readonly #queues = new Map<string, Queue>()
  readonly #trouble: TroubleLog
  readonly #storeTrouble: TroubleLog
  /** Orders whose first event failed last time. */
  readonly #failing = new Set<string>()
  readonly #inTurn = takingTurns(atOnceMax)
  readonly #work = new Set<Promise<void>>()
  #wake = new AbortController()
  #askedAtMs = Number.NEGATIVE_INFINITY

  /** `reached`: the last event that was read under an earlier lease. */
  constructor(options: ForwarderOptions, lease: Lease, reached: number) {
    const { store, target, clock, random, log } = options
    this.#reached = reached
    this.#options = options
    this.#lease = lease
    this.#trouble = new TroubleLog(clock, log)
    this.#storeTrouble = new TroubleLog(clock, log)
    this.#place = new Checkpoint({
      upTo: lease.upTo,
      async write(change) {
        const isMoved = await store.movePlace(target, lease.fence, { ...change, from: lease.upTo })
        if (isMoved) lease.upTo = change.upTo
        return isMoved
      },
      onLost: () => lease.lose(),
      ...{ clock, random, trouble: new TroubleLog(clock, log), ended: this.#ended.signal },
    })
  }

  /** Runs until the lease is lost or `signal`; resolves with the last event read when the state is stored. */
  async run(signal: AbortSignal): Promise<number> {
    const unlisten = this.#options.store.listen(() => this.#wake.abort())
    const end = () => {
      this.#ended.abort()
      this.#wake.abort()
    }
    const over = AbortSignal.any([signal, this.#lease.lost])
    over.addEventListener('abort', end)
    if (over.aborted) end()
    this.#start(this.#read())
    while (this.#work.size > 0) await Promise.all(this.#work)
    over.removeEventListener('abort', end)
    unlisten()
    await this.#place.settled()
    return this.#place.upTo
  }

  #start(work: Promise<void>): void {
    const noted = work.finally(() => this.#work.delete(noted))
    this.#work.add(noted)
  }

  /** Reads events waiting from the last run, then new ones. */
  async #read(): Promise<void> {
    await this.#followStore(true)
    for (let after = 0; ; ) {
      const page = await this.#waiting(after, pageSize, false)
      for (const { tries, refusals, ...event } of page) {
        this.#place.resume({ sequence: event.sequence, tries, refusals })
        // The filters may have changed since the last run.
        if (this.#options.wants(event)) this.#enqueue(event)
        else this.#place.left(event.sequence)
      }
      const last = page.at(-1)
      if (last === undefined) break
      after = last.sequence
    }
    while (!this.#ended.signal.aborted) {
      this.#wake = new AbortController()
      const room = waitingMax - this.#place.waitingCount
      const page = room <= 0 ? [] : await this.#events(this.#place.upTo, Math.min(room, pageSize))
      for (const event of page) this.#takeUp(event)
      if (page.length === 0 || this.#options.clock.now() - this.#askedAtMs >= lookMs) await this.#readAsked()
      if (page.length > 0 || this.#ended.signal.aborted) continue
      await this.#options.clock.sleep(idleMs, this.#wake.signal)
      await this.#followStore(false)
    }
  }

  #takeUp(event: StoredEvent): void {
    // It may have been requested again before its turn.
    const isNew = !this.#place.isWaiting(event.sequence)
    const isWanted = this.#options.wants(event)
    this.#place.read(event.sequence, isWanted)
    if (isWanted && isNew) this.#enqueue(event)
  }

  /** Takes events requested to be sent again. */
  async #readAsked(): Promise<void> {
    this.#askedAtMs = this.#options.clock.now()
    const room = Math.min(waitingMax - this.#place.waitingCount, pageSize)
    for (const event of room <= 0 ? [] : await this.#waiting(0, room, true)) {
      // Already taken, and perhaps accepted, but not yet stored: without this check it would be sent repeatedly.
      if (this.#place.isUnwritten(event.sequence)) continue
      const isNew = !this.#place.isWaiting(event.sequence)
      this.#place.asked(event.sequence, this.#options.wants(event))
      if (isNew && this.#place.isWaiting(event.sequence)) this.#enqueue(event)
    }
  }

  /**
   * A store restored to an earlier state assigns its numbers again. Then its newest events may be new ones, so that
   * only the place that was restored with them tells what is done.
   */
  async #followStore(isBeginning: boolean): Promise<void> {
    const [newest] = await this.#page({ before: null, count: 1 })
    const last = newest?.sequence ?? 0
    const known = Math.max(this.#place.upTo, isBeginning ? this.#reached : 0)
    if (this.#ended.signal.aborted || last >= known) return
    this.#place.endsAt(last)
    // An empty store may also be the result of retention.
    if (newest === undefined) return
    this.#options.log('forward: ALARM the store ends before the last forwarded event: events are missing in it')
    if (!isBeginning) this.#lease.lose()
  }

  #events(after: number, count: number): Promise<readonly StoredEvent[]> {
    return this.#page({ after, count })
  }

  #page(query: PageQuery): Promise<readonly StoredEvent[]> {
    return this.#asking(() => this.#options.store.events(query))
  }

  #waiting(after: number, count: number, isAsked: boolean) {
    const { store, target } = this.#options
    return this.#asking(() => store.waitingEvents(target, { after, count, isAsked }))
  }

  /** Reads a page of the store, retrying until it answers. Empty when forwarding ends meanwhile. */
  async #asking<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
    for (let failures = 1; !this.#ended.signal.aborted; failures += 1) {
      try {
        const page = await ask()
        this.#storeTrouble.worked('forward: the store answers again')
        return page
      } catch (error) {
        this.#storeTrouble.failed(`forward: the store cannot be read: ${errorText(error)}`)
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

  /** Sends an order's events one after another, each until it is accepted or given up. */
  async #handOn(orderId: string, queue: Queue): Promise<void> {
    const { clock, random } = this.#options
    let failures = 0
    for (let event = queue[0]; event !== undefined; event = queue[0]) {
      const tried = await this.#attempt(event)
      if (tried === null) return
      const { attempt, atMs } = tried
      const isOver = this.#note(event, attempt, atMs)
      failures = isOver ? 0 : failures + 1
      if (isOver) {
        this.#failing.delete(orderId)
        queue.shift()
        // Only matters to a reader waiting for room.
        if (this.#place.waitingCount === waitingMax - 1) this.#wake.abort()
      } else this.#failing.add(orderId)
      this.#tell(attempt)
      if (!isOver) await clock.sleep(backoffMs(failures, random()), this.#ended.signal)
    }
    this.#queues.delete(orderId)
  }

  /** Records an attempt; returns true when the order continues with its next event. */
  #note(event: StoredEvent, attempt: Attempt, atMs: number): boolean {
    const { refusalsMax, log, clock } = this.#options
    const { sequence } = event
    const { durationMs, status, answer } = attempt
    const noted = { sequence, atMs, durationMs, status, answer }
    if (attempt.kind === 'taken') {
      this.#place.taken({ ...noted, reason: null })
      return true
    }
    const { reason } = attempt
    this.#place.failed({ ...noted, reason }, isRefusal(attempt))
    const { tries, refusals } = this.#place.triesOf(sequence)
    if (refusalsMax === 0 || refusals < refusalsMax) return false
    this.#place.gaveUp({ sequence, atMs: clock.wallMs(), tries, reason })
    log(
      `forward: ALARM event ${plainText(event.eventId).slice(0, 100)} given up after ${tries} tries, ${reason}; ` +
        'its order goes on without it: pitdesk inbox ls dead',
    )
    return true
  }

  /** Makes an attempt; null when forwarding ended before its turn. */
  #attempt(event: StoredEvent): Promise<{ attempt: Attempt; atMs: number } | null> {
    return this.#inTurn(async () => {
      // A process that was stopped and continued may have been replaced meanwhile.
      if (!this.#ended.signal.aborted && !this.#lease.isValid()) this.#lease.lose()
      if (this.#ended.signal.aborted) return null
      const { clock, poster, target, tracing } = this.#options
      const atMs = clock.wallMs()
      const traced = tracing?.attempt(target, event, this.#place.triesOf(event.sequence).tries + 1)
      const attempt = await poster.post(event, traced?.headers)
      traced?.ended(attempt)
      return { attempt, atMs }
    })
  }

  #tell(attempt: Attempt): void {
    const waiting = this.#place.waitingCount
    this.#options.onAttempt?.(attempt, waiting)
    if (attempt.kind !== 'taken')
      this.#trouble.failed(`forward: not accepted, ${attempt.reason}; ${waiting} waiting, retrying each until accepted`)
    else if (this.#failing.size === 0) this.#trouble.worked(`forward: accepted again, ${waiting} waiting`)
  }
}

/**
 * Forwards a target's events from the store, in order per order id, starting where the last run ended, while this
 * process holds the target's lease; any number of hosts may compete for it.
 */
export function startForwarder(options: ForwarderOptions): Forwarder {
  const ended = new AbortController()
  const { clock, log } = options
  let reached = 0
  const work = whileLeased({ ...options, trouble: new TroubleLog(clock, log), signal: ended.signal }, async (lease) => {
    reached = await new Running(options, lease, reached).run(ended.signal)
  })
  return {
    async stop() {
      ended.abort()
      await work
      await options.poster.close()
    },
  }
}
