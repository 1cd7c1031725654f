import { uptime } from 'node:os'
import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'

/**
 * Time passed as an argument, so that a test can advance a day at once.
 *
 * There are two times, because a wall clock can be set and money must not be affected. `now` is desk time: it starts at
 * the wall clock's time and then only runs, also while the process is stopped or the machine sleeps. All ages, limits,
 * pauses, deadlines, guards and budgets use it: if they used a wall clock that is set back, an old book would look new
 * and a deadline would never come. `wallMs` is for dates: what is written to disk, shown as a time of day, or compared
 * with dates from elsewhere. Until the wall clock is set the two agree, so a date taken from `now` is at worst too
 * early.
 */
export type Clock = {
  /** Desk time in ms: since 1970 at the start of the program, plus the time elapsed since. Never goes back. */
  now(): number
  /** The wall clock in ms since 1970, as the machine has it now. May jump either way. */
  wallMs(): number
  /**
   * How long the machine has been up, in ms: the same in all its processes, and never set. It begins anew with the
   * machine. Missing where no machine is behind the clock.
   */
  bootedMs?(): number
  /** Desk time at which the clock began. Missing where that is no matter: it counts as 0. */
  readonly beganMs?: number
  /**
   * Resolves after `ms`, or as soon as `signal` is aborted; never rejects. Time in which the machine sleeps may not
   * count.
   */
  sleep(ms: number, signal?: SleepSignal): Promise<void>
}

/** What ends a sleep early: the signal of an `AbortController`, or a `SleepEnd`. */
export type SleepSignal = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void, options?: { once: true }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * Ends a sleep whose beginner alone may end it, at less than half of an `AbortController`'s cost: each call of the
 * exchange has half a dozen limits that are called off, and with controllers they took a twentieth of an idle desk's
 * processor time.
 */
export class SleepEnd implements SleepSignal {
  #listeners: (() => void)[] = []
  aborted = false

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners = this.#listeners.filter((each) => each !== listener)
  }

  /** Wakes who sleeps by it, and keeps others from falling asleep. */
  abort(): void {
    if (this.aborted) return
    this.aborted = true
    for (const listener of this.#listeners.splice(0)) listener()
  }
}

/** A moment in both times of a clock. */
export type Moment = { nowMs: number; wallMs: number }

export const momentOf = (clock: Pick<Clock, 'now' | 'wallMs'>): Moment => ({
  nowMs: clock.now(),
  wallMs: clock.wallMs(),
})

/**
 * Age of a moment in ms, by whichever time says more: a paused virtual machine notices the pause by its wall clock
 * alone. Use it for maximum ages; for minimum ages use the smaller one.
 */
export const elapsedMaxMs = (since: Moment, now: Moment): number =>
  Math.max(now.nowMs - since.nowMs, now.wallMs - since.wallMs)

/** The machine's sources of time, in ms. */
type MachineTime = {
  wallMs(): number
  /** Monotonic, from any start; on Linux it stops while the machine sleeps. */
  runningMs(): number
  /** Since boot, including sleep; may be as coarse as a second. */
  bootedMs(): number
}

const machineTime: MachineTime = {
  wallMs: () => Date.now(),
  runningMs: () => performance.now(),
  bootedMs: () => uptime() * 1_000,
}

/** The coarse uptime can be ahead of the fine time by less than this; a larger difference means the machine slept. */
const coarsenessMs = 1_500

/**
 * How often the uptime is checked when the wall clock shows no jump: on waking the wall clock is corrected, so a sleep
 * shows there at once. Reading the uptime reads a file, and the time is read 200 times a second.
 */
const lookForSleepMs = 1_000
/** NTP moves the wall clock by less than this between two checks. */
const steeredMs = 20

/** Desk time that starts now: the fine time, plus the sleep that the coarse uptime shows. */
function deskTime({ wallMs, runningMs, bootedMs }: MachineTime): () => number {
  const startMs = wallMs() - runningMs()
  const bootedAheadMs = bootedMs() - runningMs()
  let sleptMs = 0
  let lastMs = Number.NEGATIVE_INFINITY
  let looked = { atMs: Number.NEGATIVE_INFINITY, wallAheadMs: 0 }
  const lookForSleep = (running: number, wallAheadMs: number): void => {
    looked = { atMs: running, wallAheadMs }
    const aheadMs = bootedMs() - running - bootedAheadMs
    if (aheadMs - sleptMs > coarsenessMs) sleptMs = aheadMs
  }
  return () => {
    const running = runningMs()
    const wallAheadMs = wallMs() - running
    const isDue = running - looked.atMs >= lookForSleepMs
    if (isDue || Math.abs(wallAheadMs - looked.wallAheadMs) > steeredMs) lookForSleep(running, wallAheadMs)
    lastMs = Math.max(lastMs, Math.floor(startMs + running + sleptMs))
    return lastMs
  }
}

// A longer timer would overflow Node's 32 bits and fire at once.
const longestTimerMs = 2_147_483_647

/** Creates a clock. Desk time starts at this call. */
export function createSystemClock(machine: MachineTime = machineTime): Clock {
  const now = deskTime(machine)
  return {
    now,
    beganMs: now(),
    wallMs: machine.wallMs,
    bootedMs: machine.bootedMs,
    async sleep(ms, signal) {
      for (let leftMs = ms; leftMs > 0 && !signal?.aborted; leftMs -= longestTimerMs)
        await wait(Math.min(leftMs, longestTimerMs), signal)
    },
  }
}

/** Reason for aborting a sleep. Without a reason each abort creates an error with a stack, its largest cost. */
export const calledOff = Symbol('called off')

/** Resolves with the result of `work`, or with null after `ms`. Leaves no timer behind. */
export async function within<T>(work: Promise<T>, ms: number, clock: Pick<Clock, 'sleep'>): Promise<T | null> {
  const done = new SleepEnd()
  try {
    return await Promise.race([work, clock.sleep(ms, done).then(() => null)])
  } finally {
    done.abort()
  }
}

/** Runs with a signal that is aborted after `ms`. Leaves no timer behind. */
export async function limited<T>(
  run: (late: AbortSignal) => Promise<T>,
  ms: number,
  clock: Pick<Clock, 'sleep'>,
): Promise<T> {
  const [late, done] = [new AbortController(), new SleepEnd()]
  void clock.sleep(ms, done).then(() => {
    if (!done.aborted) late.abort()
  })
  try {
    return await run(late.signal)
  } finally {
    done.abort()
  }
}

/**
 * Sleeps until desk time since the clock began is a multiple of `everyMs`, or until `signal`: whatever glances at
 * something now and then is awake at the same moments, and the machine rests in between. Two processes have beats of
 * their own, so they do not reach for the same lock again and again. The first pause may be shorter or a little longer.
 */
export async function sleepToBeat(
  clock: Pick<Clock, 'now' | 'sleep' | 'beganMs'>,
  everyMs: number,
  signal?: SleepSignal,
): Promise<void> {
  const leftMs = everyMs - ((clock.now() - (clock.beganMs ?? 0)) % everyMs)
  // A timer may end a millisecond early: that was this beat already.
  await clock.sleep(leftMs < everyMs / 8 ? leftMs + everyMs : leftMs, signal)
}

/** Resolves in the next turn of the event loop, so that other pending work runs first. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The real clock. */
export const systemClock: Clock = createSystemClock()

/** Most sleeps are timeouts that are canceled: unlike Node's promise timers, canceling creates no error. */
const wait = (ms: number, signal: SleepSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
