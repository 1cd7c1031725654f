import type { Clock } from '../base/clock.ts'
import { type CallBudget, type CallClass, callClasses, createCallBudget, type RateLimits } from './call-budget.ts'
import { createRateMeter } from './rate-meter.ts'

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
  | { kind: 'cancelled' }
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
const keptFor = { write: 0, person: 2, poll: 3 } as const satisfies Record<CallClass, number>
export const inFlightLeast = keptFor.poll + 1

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
  readonly #queues: Record<CallClass, Map<Waiter, number>> = { write: new Map(), person: new Map(), poll: new Map() }
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
    if (signal.aborted) return Promise.resolve({ kind: 'cancelled' })
    if (this.#isClosed) return Promise.resolve({ kind: 'closed' })
    const pausedMs = this.#pausedMs()
    if (callClass === 'poll' && pausedMs > this.#limits.pauseWaitedMs) {
      return Promise.resolve({ kind: 'paused', forMs: pausedMs })
    }
    return new Promise((resolve) => {
      const queue = this.#queues[callClass]
      const done = new AbortController()
      const cancel = () => giveUp({ kind: 'cancelled' })
      const waiter: Waiter = (admission) => {
        queue.delete(waiter)
        done.abort()
        signal.removeEventListener('abort', cancel)
        resolve(admission)
      }
      const giveUp: Waiter = (admission) => {
        waiter(admission)
        this.#letIn()
      }
      // A poll that comes late is as good as another.
      const isPatient = callClass === 'poll'
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
      for (const waiter of [...this.#queues.poll.keys()]) waiter({ kind: 'paused', forMs: ms })
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
    this.#wake.abort()
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
    this.#wake.abort()
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
    const pausedMs = callClass === 'poll' ? this.#pausedMs() : 0
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
