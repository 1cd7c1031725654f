import { doubled } from '../base/backoff.ts'
import { type Clock, SleepEnd } from '../base/clock.ts'
import { createTokenBucket } from '../base/token-bucket.ts'

/**
 * Classes of calls in the order they are admitted: cancels and halts, other writes, reads a person waits for, polls,
 * and background reads.
 */
const callClasses = ['cancel', 'write', 'person', 'poll', 'background'] as const
export type CallClass = (typeof callClasses)[number]

/** The desk's own rate limits. */
export type RateLimits = {
  /** Average calls per second, above 0. */
  perSecond: number
  /** Maximum burst after a pause, at least 1. */
  burst: number
  /** Share of both for polls, above 0 and at most 1; the rest is reserved for persons. */
  pollShare: number
}

const reads: readonly CallClass[] = ['person', 'poll', 'background']

/** Reads by the desk itself, which slow down before a person's. */
const isOwn = (callClass: CallClass): boolean => callClass === 'poll' || callClass === 'background'

export type CallBudget = {
  /** Spends one call and returns 0, or returns the ms to wait for it. */
  spend(callClass: CallClass, nowMs: number): number
}

/**
 * The rate limit of calls. Polls have a smaller budget within it, and never use what a person's next calls need, so
 * polls slow down first.
 */
export function createCallBudget({ perSecond, burst, pollShare }: RateLimits): CallBudget {
  const all = createTokenBucket(perSecond, burst)
  const pollBurst = Math.max(1, burst * pollShare)
  const polls = createTokenBucket(perSecond * pollShare, pollBurst)
  /** Background reads leave this much to the next polls. */
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

/** Counts calls; `perSecond` is their mean over the last five seconds. */
export function createRateMeter(): { count(nowMs: number): void; perSecond(nowMs: number): number } {
  let times: number[] = []
  const forget = (nowMs: number) => {
    // A time in the future is from before the clock was set back.
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
  /** Maximum concurrent calls; raised to `inFlightMin` if lower. */
  inFlightMax: number
  rate: RateLimits
  /** Time a write or a person's read may wait for its turn; sent later, it would not be what was meant. */
  queueMs: number
  /** A poll waits through a pause up to this long; for a longer pause it fails at once. */
  pauseWaitedMs: number
}

export type Admission =
  /** `leave` frees the place and must be called when the call has ended; further calls do nothing. */
  | { kind: 'admitted'; leave: () => void }
  | { kind: 'canceled' }
  | { kind: 'closed' }
  | { kind: 'waitedTooLong' }
  | { kind: 'paused'; forMs: number }

/** Current use of the rate limits. */
export type RateReading = {
  /** Calls per second over the last five seconds. */
  perSecond: number
  perSecondMax: number
  inFlight: number
  waiting: number
  /** Remaining ms of a pause of polls that the service requested; 0 without one. */
  pausedMs: number
}

type Waiter = (admission: Admission) => void
/** When a waiting call is given up, and since when it waits. */
type Wait = { untilMs: number; sinceMs: number }

/** Places that polls leave to persons, that all reads leave to writes, and that all of these leave to cancels. */
const keptFor = { cancel: 0, write: 1, person: 2, poll: 3, background: 3 } as const satisfies Record<CallClass, number>
const inFlightMin = keptFor.poll + 1

/**
 * Reads and orders that have waited so long have every fourth call, whatever waits before them: a program that writes
 * without a pause, as many cancels as it may, must not keep everybody from ordering and from what orders are checked
 * against.
 */
const patienceMs = 2_000
const passedMax = 3
/** Classes that others may pass too often, the one that is passed more easily first. */
const passable = ['poll', 'person', 'write'] as const

/**
 * Admits every attempt of a call: cancels first, then other writes, persons' reads and polls, each in order of arrival.
 * Reserved places keep writes from waiting for reads and cancels from waiting for anything else, and the rate limit
 * slows polls down first. None of them keeps the others waiting for good, see `patienceMs`.
 */
export class CallGate {
  readonly #clock: Clock
  readonly #limits: GateLimits
  readonly #budget: CallBudget
  readonly #meter = createRateMeter()
  /** Waiting calls in order. */
  readonly #queues: Record<CallClass, Map<Waiter, Wait>> = {
    cancel: new Map(),
    write: new Map(),
    person: new Map(),
    poll: new Map(),
    background: new Map(),
  }
  readonly #inFlight: Record<CallClass, number> = { cancel: 0, write: 0, person: 0, poll: 0, background: 0 }
  /** Calls that others had while one of this class was waiting, since its last one. */
  readonly #passed = { poll: 0, person: 0, write: 0 }
  #pause = { endsAtMs: Number.NEGATIVE_INFINITY, lengthMs: 0 }
  #wake = new SleepEnd()
  #isClosed = false

  constructor(clock: Clock, limits: GateLimits) {
    this.#clock = clock
    this.#limits = limits
    this.#budget = createCallBudget(limits.rate)
  }

  /** Waits for a place and a call of the budget, until `signal` is aborted. Never rejects. */
  enter(callClass: CallClass, signal: AbortSignal): Promise<Admission> {
    if (signal.aborted) return Promise.resolve({ kind: 'canceled' })
    if (this.#isClosed) return Promise.resolve({ kind: 'closed' })
    const pausedMs = this.#pausedMs()
    if (isOwn(callClass) && pausedMs > this.#limits.pauseWaitedMs) {
      return Promise.resolve({ kind: 'paused', forMs: pausedMs })
    }
    return new Promise((resolve) => {
      const queue = this.#queues[callClass]
      const done = new SleepEnd()
      const cancel = () => giveUp({ kind: 'canceled' })
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
      // A late poll is as useful as an early one.
      const isPatient = isOwn(callClass)
      const sinceMs = this.#clock.now()
      queue.set(waiter, { sinceMs, untilMs: isPatient ? Number.POSITIVE_INFINITY : sinceMs + this.#limits.queueMs })
      this.#letIn()
      if (done.aborted) return
      signal.addEventListener('abort', cancel, { once: true })
      if (!isPatient) void this.#after(this.#limits.queueMs, done, () => giveUp({ kind: 'waitedTooLong' }))
    })
  }

  /** Pauses polls for `ms` from now, unless they are paused for longer already. */
  pausePolls(ms: number): void {
    if (ms <= this.#pausedMs()) return
    this.#pause = { endsAtMs: this.#clock.now() + ms, lengthMs: ms }
    if (ms > this.#limits.pauseWaitedMs) {
      const { poll, background } = this.#queues
      for (const waiter of [...poll.keys(), ...background.keys()]) waiter({ kind: 'paused', forMs: ms })
    }
    this.#letIn()
  }

  /** Ends a pause of polls that is too long to be waited for; keeps a shorter one, as requested. */
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
      perSecondMax: this.#limits.rate.perSecond,
      inFlight: this.#inFlightOf(callClasses),
      waiting: callClasses.reduce((sum, callClass) => sum + this.#queues[callClass].size, 0),
      pausedMs: this.#pausedMs(),
    }
  }

  #pausedMs(): number {
    return Math.max(0, this.#pause.endsAtMs - this.#clock.now())
  }

  #inFlightOf(classes: readonly CallClass[]): number {
    return classes.reduce((sum, callClass) => sum + this.#inFlight[callClass], 0)
  }

  /** Lets in whoever may go now, and comes back when the first of those who wait may. */
  #letIn(): void {
    this.#wake.abort()
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const waitMs = next.isOverdue ? this.#budget.spend('write', this.#clock.now()) : this.#waitMs(next.callClass)
      if (waitMs === null) return
      if (waitMs > 0) {
        const wake = new SleepEnd()
        this.#wake = wake
        void this.#after(waitMs, wake, () => this.#letIn())
        return
      }
      next.waiter(this.#admit(next.callClass))
    }
  }

  /** Whose turn it is; null when nobody waits. Gives up those whose limit is over. */
  #next(): { callClass: CallClass; waiter: Waiter; isOverdue: boolean } | null {
    const nowMs = this.#clock.now()
    const overdue = passable.find((callClass) => this.#isOverdue(callClass, nowMs))
    for (const callClass of overdue === undefined ? callClasses : [overdue, ...callClasses]) {
      for (const [waiter, { untilMs }] of this.#queues[callClass]) {
        // After a stop of the process the turn may come before the limit does, which is overdue as well.
        if (nowMs <= untilMs) return { callClass, waiter, isOverdue: callClass === overdue }
        waiter({ kind: 'waitedTooLong' })
      }
    }
    return null
  }

  /** True when calls of this class were passed for too long; never of more than may be in flight beside others. */
  #isOverdue(callClass: (typeof passable)[number], nowMs: number): boolean {
    const [first] = this.#queues[callClass].values()
    if (first === undefined || this.#passed[callClass] < passedMax || nowMs - first.sinceMs < patienceMs) return false
    if (isOwn(callClass) && this.#pausedMs() > 0) return false
    const isCapped = (of: CallClass, classes: readonly CallClass[]) =>
      this.#inFlightOf(classes) >= this.#places() - keptFor[of]
    // An order takes no place that is kept for cancels, however long it waits.
    if (callClass === 'write') return !isCapped('write', callClasses)
    if (isCapped('cancel', callClasses)) return false
    return !isCapped('person', reads) && !(isOwn(callClass) && isCapped('poll', ['poll', 'background']))
  }

  #places = (): number => Math.max(inFlightMin, this.#limits.inFlightMax)

  /** Takes the price of a call and says 0, or says how long to wait; null when it is a place that is missing. */
  #waitMs(callClass: CallClass): number | null {
    if (this.#inFlightOf(callClasses) >= this.#places() - keptFor[callClass]) return null
    const pausedMs = isOwn(callClass) ? this.#pausedMs() : 0
    return pausedMs > 0 ? pausedMs : this.#budget.spend(callClass, this.#clock.now())
  }

  #admit(callClass: CallClass): Admission {
    this.#inFlight[callClass] += 1
    for (const each of passable)
      this.#passed[each] = each === callClass || this.#queues[each].size === 0 ? 0 : this.#passed[each] + 1
    this.#meter.count(this.#clock.now())
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      this.#inFlight[callClass] -= 1
      this.#letIn()
    }
    return { kind: 'admitted', leave }
  }

  async #after(ms: number, unless: SleepEnd, act: () => void): Promise<void> {
    await this.#clock.sleep(ms, unless)
    if (!unless.aborted) act()
  }
}

/** Longest pause accepted; after it the service is asked again. */
const longestPauseMs = 300_000
/** Mean length of the first pause without a Retry-After; doubles with each refusal up to `ownPauseMaxMs`. */
const ownPauseMs = 1_000
const ownPauseMaxMs = 30_000

/** Pauses polls, and lets them in again. */
export type PollGate = { pausePolls(ms: number): void; endLongPause(): void }

/**
 * Pauses all polls when the service reports too many calls: as long as it asks for, or else for growing pauses of 0.5
 * to 1.5 times the mean. A long pause ends as soon as a later call succeeds, because the requested time was a guess and
 * the user would see old data for minutes.
 */
export function createPollPauses(random: () => number, gate: PollGate) {
  let inARow = 0
  let refusalCount = 0
  return {
    /** The state at the start of a call, for its answer. */
    mark: (): number => refusalCount,
    /**
     * The service answered a call with 429 or 418. Polls in flight together are refused together: that is one refusal,
     * or two seconds of too many calls would make a pause of half a minute.
     */
    refused(retryAfterMs: number | null, mark: number): void {
      if (mark === refusalCount) {
        inARow += 1
        refusalCount += 1
      }
      const meanMs = doubled(ownPauseMs, Math.max(0, inARow - 1), ownPauseMaxMs)
      gate.pausePolls(Math.min(retryAfterMs ?? Math.round(meanMs * (0.5 + random())), longestPauseMs))
    },
    /** A call succeeded; ignored for calls that began before the last refusal. */
    answered(mark: number): void {
      if (mark !== refusalCount) return
      inARow = 0
      gate.endLongPause()
    },
  }
}
