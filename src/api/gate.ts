import { type Clock, calledOff } from '../base/clock.ts'
import { createTokenBucket } from '../base/token-bucket.ts'

/**
 * Who asks: a write, a read that a person waits for, a poll, or what is read in the background and nobody waits for.
 * The order is the order in which they are let through.
 */
const callClasses = ['write', 'person', 'poll', 'background'] as const
export type CallClass = (typeof callClasses)[number]

/** How many calls the desk allows itself. */
export type RateLimits = {
  /** Calls a second over time, above 0. */
  perSecond: number
  /** Calls at once after a rest, 1 at least. */
  burst: number
  /** Share of both that polls may use, above 0 and up to 1; the rest is kept for a person. */
  pollShare: number
}

/** What the desk asks by itself, which slows down before a person does. */
const isOwn = (callClass: CallClass): boolean => callClass === 'poll' || callClass === 'background'

export type CallBudget = {
  /** Takes the price of one call, or says how many ms to wait for it; 0 when taken. */
  spend(callClass: CallClass, nowMs: number): number
}

/**
 * The budget of calls. Polls have a smaller budget of their own inside it, and never take what a person's next calls
 * need, so that it is polls that slow down first.
 */
export function createCallBudget({ perSecond, burst, pollShare }: RateLimits): CallBudget {
  const all = createTokenBucket(perSecond, burst)
  const pollBurst = Math.max(1, burst * pollShare)
  const polls = createTokenBucket(perSecond * pollShare, pollBurst)
  /** What is read in the background leaves this much to the next polls. */
  const keptForPolls = Math.min(pollBurst / 2, pollBurst - 1)
  const keptForPerson = Math.min(burst * (1 - pollShare), Math.max(0, burst - 1))
  return {
    spend(callClass, nowMs) {
      const floor = isOwn(callClass) ? keptForPerson : 0
      const pollFloor = callClass === 'background' ? keptForPolls : 0
      const ownWaitMs = isOwn(callClass) ? polls.waitMs(nowMs, pollFloor) : 0
      const waitMs = Math.max(ownWaitMs, all.waitMs(nowMs, floor))
      if (waitMs > 0) return waitMs
      all.take(nowMs, floor)
      if (isOwn(callClass)) polls.take(nowMs, pollFloor)
      return 0
    },
  }
}

const rateWindowMs = 5_000

/** Counts calls. `perSecond` is their mean over the last five seconds. */
export function createRateMeter(): { count(nowMs: number): void; perSecond(nowMs: number): number } {
  let times: number[] = []
  const forget = (nowMs: number) => {
    // A time after now is from before the clock was put back.
    times = times.filter((atMs) => nowMs - atMs < rateWindowMs && atMs <= nowMs)
  }
  return {
    count(nowMs) {
      forget(nowMs)
      times.push(nowMs)
    },
    perSecond(nowMs) {
      forget(nowMs)
      return times.length / (rateWindowMs / 1_000)
    },
  }
}

export type GateLimits = {
  /** Calls in flight at once; fewer than `inFlightLeast` are raised to it. */
  inFlightMost: number
  rate: RateLimits
  /** How long a write or a person's read may wait for its turn: one that leaves later is not what was meant. */
  queueMs: number
  /** A poll waits out a pause up to this long; of a longer one it is told at once. */
  pauseWaitedMs: number
}

export type Admission =
  /** `leave` gives the place to the next and must be called once the call has ended; again changes nothing. */
  | { kind: 'admitted'; leave: () => void }
  | { kind: 'canceled' }
  | { kind: 'closed' }
  | { kind: 'waitedTooLong' }
  | { kind: 'paused'; forMs: number }

/** How much of the budget is used. */
export type RateReading = {
  /** Calls a second over the last five. */
  perSecond: number
  perSecondMost: number
  inFlight: number
  waiting: number
  /** How long polls stay paused because the service asked for it; 0 when they are not. */
  pausedMs: number
}

type Waiter = (admission: Admission) => void

/** Places that polls leave to a person, and those that all reads leave to writes. */
const keptFor = { write: 0, person: 2, poll: 3, background: 3 } as const satisfies Record<CallClass, number>
const inFlightLeast = keptFor.poll + 1

/**
 * The door every attempt of a call goes through. Writes first, then what a person waits for, then polls, each in the
 * order of asking; places are kept free so that no write waits for reads to end, and a budget of calls slows polls down
 * first.
 */
export class CallGate {
  readonly #clock: Clock
  readonly #limits: GateLimits
  readonly #budget: CallBudget
  readonly #meter = createRateMeter()
  /** Who waits, in order, and until when. */
  readonly #queues: Record<CallClass, Map<Waiter, number>> = {
    write: new Map(),
    person: new Map(),
    poll: new Map(),
    background: new Map(),
  }
  #inFlight = 0
  #pause = { endsAtMs: Number.NEGATIVE_INFINITY, lengthMs: 0 }
  #wake = new AbortController()
  #isClosed = false

  constructor(clock: Clock, limits: GateLimits) {
    this.#clock = clock
    this.#limits = limits
    this.#budget = createCallBudget(limits.rate)
  }

  /** Waits for a place and a share of the budget, until `signal` is aborted. Never rejects. */
  enter(callClass: CallClass, signal: AbortSignal): Promise<Admission> {
    if (signal.aborted) return Promise.resolve({ kind: 'canceled' })
    if (this.#isClosed) return Promise.resolve({ kind: 'closed' })
    const pausedMs = this.#pausedMs()
    if (isOwn(callClass) && pausedMs > this.#limits.pauseWaitedMs) {
      return Promise.resolve({ kind: 'paused', forMs: pausedMs })
    }
    return new Promise((resolve) => {
      const queue = this.#queues[callClass]
      const done = new AbortController()
      const cancel = () => giveUp({ kind: 'canceled' })
      const waiter: Waiter = (admission) => {
        queue.delete(waiter)
        done.abort(calledOff)
        signal.removeEventListener('abort', cancel)
        resolve(admission)
      }
      const giveUp: Waiter = (admission) => {
        waiter(admission)
        this.#letIn()
      }
      // A poll that comes late is as good as another.
      const isPatient = isOwn(callClass)
      queue.set(waiter, isPatient ? Number.POSITIVE_INFINITY : this.#clock.now() + this.#limits.queueMs)
      this.#letIn()
      if (done.signal.aborted) return
      signal.addEventListener('abort', cancel, { once: true })
      if (!isPatient) void this.#after(this.#limits.queueMs, done, () => giveUp({ kind: 'waitedTooLong' }))
    })
  }

  /** Holds polls back for `ms` from now, unless they are held back for longer already. */
  pausePolls(ms: number): void {
    if (ms <= this.#pausedMs()) return
    this.#pause = { endsAtMs: this.#clock.now() + ms, lengthMs: ms }
    if (ms > this.#limits.pauseWaitedMs) {
      const { poll, background } = this.#queues
      for (const waiter of [...poll.keys(), ...background.keys()]) waiter({ kind: 'paused', forMs: ms })
    }
    this.#letIn()
  }

  /**
   * Lets polls in again where they are held back for longer than one waits: a shorter rest is kept as it was asked for.
   */
  endLongPause(): void {
    if (this.#pause.lengthMs <= this.#limits.pauseWaitedMs) return
    this.#pause = { endsAtMs: Number.NEGATIVE_INFINITY, lengthMs: 0 }
    this.#letIn()
  }

  /** Turns away all who wait, and who come later; calls in flight are not touched. */
  close(): void {
    this.#isClosed = true
    this.#wake.abort(calledOff)
    for (const callClass of callClasses) {
      for (const waiter of [...this.#queues[callClass].keys()]) waiter({ kind: 'closed' })
    }
  }

  reading(): RateReading {
    return {
      perSecond: this.#meter.perSecond(this.#clock.now()),
      perSecondMost: this.#limits.rate.perSecond,
      inFlight: this.#inFlight,
      waiting: callClasses.reduce((sum, callClass) => sum + this.#queues[callClass].size, 0),
      pausedMs: this.#pausedMs(),
    }
  }

  #pausedMs(): number {
    const nowMs = this.#clock.now()
    // A clock that is put back must not make the pause longer.
    if (this.#pause.endsAtMs - nowMs > this.#pause.lengthMs) this.#pause.endsAtMs = nowMs + this.#pause.lengthMs
    return Math.max(0, this.#pause.endsAtMs - nowMs)
  }

  /** Lets in whoever may go now, and comes back when the first of those who wait may. */
  #letIn(): void {
    this.#wake.abort(calledOff)
    for (const callClass of callClasses) {
      for (const [waiter, untilMs] of this.#queues[callClass]) {
        // After a stop of the process the turn may come before the limit does, which is overdue as well.
        if (this.#clock.now() > untilMs) {
          waiter({ kind: 'waitedTooLong' })
          continue
        }
        const waitMs = this.#waitMs(callClass)
        if (waitMs === null) return
        if (waitMs > 0) {
          const wake = new AbortController()
          this.#wake = wake
          void this.#after(waitMs, wake, () => this.#letIn())
          return
        }
        waiter(this.#admit())
      }
    }
  }

  /** Takes the price of a call and says 0, or says how long to wait; null when it is a place that is missing. */
  #waitMs(callClass: CallClass): number | null {
    const places = Math.max(inFlightLeast, this.#limits.inFlightMost) - keptFor[callClass]
    if (this.#inFlight >= places) return null
    const pausedMs = isOwn(callClass) ? this.#pausedMs() : 0
    return pausedMs > 0 ? pausedMs : this.#budget.spend(callClass, this.#clock.now())
  }

  #admit(): Admission {
    this.#inFlight += 1
    this.#meter.count(this.#clock.now())
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      this.#inFlight -= 1
      this.#letIn()
    }
    return { kind: 'admitted', leave }
  }

  async #after(ms: number, unless: AbortController, act: () => void): Promise<void> {
    await this.#clock.sleep(ms, unless.signal)
    if (!unless.signal.aborted) act()
  }
}

/** A longer pause than this is not believed: after it the service is asked once more. */
const longestPauseMs = 300_000
/** Without a Retry-After: mean length of the first pause; it doubles with each refusal up to `ownPauseMaxMs`. */
const ownPauseMs = 1_000
const ownPauseMaxMs = 30_000

/** Takes polls out of the way for a time, and lets them in again. */
export type PollGate = { pausePolls(ms: number): void; endLongPause(): void }

/**
 * How long all polls rest when the service says that there are too many calls: as long as it asks for, else longer each
 * time, half to one and a half of the mean by chance. A long rest is over as soon as the service answers a later call
 * well: what it asked for was a guess, and a person would look at old data for minutes.
 */
export function createPollPauses(random: () => number, gate: PollGate) {
  let inARow = 0
  let refusalCount = 0
  return {
    /** What is known when a call begins, for `answered`. */
    mark: (): number => refusalCount,
    /** The service answered a call with 429. */
    refused(retryAfterMs: number | null): void {
      const meanMs = Math.min(ownPauseMs * 2 ** Math.min(inARow, 10), ownPauseMaxMs)
      inARow += 1
      refusalCount += 1
      gate.pausePolls(Math.min(retryAfterMs ?? Math.round(meanMs * (0.5 + random())), longestPauseMs))
    },
    /** It answered a call well; one that began before the last refusal says nothing about it. */
    answered(mark: number): void {
      inARow = 0
      if (mark === refusalCount) gate.endLongPause()
    },
  }
}
