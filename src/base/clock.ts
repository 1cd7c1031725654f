import { uptime } from 'node:os'
import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'

/**
 * Time as an argument: whoever needs it is handed one, so that a test can let a day pass at once.
 *
 * There are two times, because a wall clock can be set and money must not notice. `now` is the desk's own time: it
 * begins as the wall clock stands and from there on only runs, also while the process is stopped or the machine sleeps.
 * Every age, limit, pause, deadline, guard and budget is reckoned in it: with the wall clock put back an old book would
 * look new, and a deadline would never come. `wallMs` is for what is dated: what is written to a disk, what the user
 * reads as a time of day, what is compared with dates that others made. Until somebody sets the wall clock the two
 * agree, so a date taken from `now` is at worst a date of before that.
 */
export type Clock = {
  /**
   * Desk time: milliseconds since 1970 as of the start of the program, and from there on what has passed. Never goes
   * back.
   */
  now(): number
  /** The wall clock: milliseconds since 1970 as the machine says it just now. It may jump either way. */
  wallMs(): number
  /**
   * Resolves after `ms`, or as soon as `signal` is aborted; never rejects. Time in which the machine sleeps may not
   * count.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** A moment by both times of a clock. */
export type Moment = { nowMs: number; wallMs: number }

export const momentOf = (clock: Pick<Clock, 'now' | 'wallMs'>): Moment => ({
  nowMs: clock.now(),
  wallMs: clock.wallMs(),
})

/**
 * How long ago a moment was, by the time that says more: a virtual machine that was paused learns of it from its wall
 * clock alone. For what must not be too old; what must not be too young takes the time that says less.
 */
export const mostSince = (since: Moment, now: Moment): number =>
  Math.max(now.nowMs - since.nowMs, now.wallMs - since.wallMs)

/** What a machine tells of time, in ms. */
type MachineTime = {
  wallMs(): number
  /** Runs evenly from some moment on; on Linux it stands still while the machine sleeps. */
  runningMs(): number
  /** Since the machine was booted, also while it slept; it may be as coarse as a second. */
  bootedMs(): number
}

const machineTime: MachineTime = {
  wallMs: () => Date.now(),
  runningMs: () => performance.now(),
  bootedMs: () => uptime() * 1_000,
}

/** The coarse reading runs ahead of the fine one by less than this; a larger difference means the machine slept. */
const coarsenessMs = 1_500

/**
 * The wall clock is corrected when a machine wakes, so a sleep shows there at once; without that sign the uptime is
 * checked this often only. Reading the uptime reads a file, and the time is asked for 200 times a second.
 */
const lookForSleepMs = 1_000
/** The wall clock is steered towards the right time by less than this between two looks. */
const steeredMs = 20

/**
 * Desk time of a machine from now on: the fine reading, and beside it what the coarse one says that the machine has
 * slept.
 */
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

/** The clock of a machine; its desk time begins when this is called. */
export function createSystemClock(machine: MachineTime = machineTime): Clock {
  return {
    now: deskTime(machine),
    wallMs: machine.wallMs,
    async sleep(ms, signal) {
      for (let leftMs = ms; leftMs > 0 && !signal?.aborted; leftMs -= longestTimerMs)
        await wait(Math.min(leftMs, longestTimerMs), signal)
    },
  }
}

/**
 * Why a sleep is called off. Aborted without a reason, a signal gets an error with the stack of its place each time,
 * which costs more than all else about it.
 */
export const calledOff = Symbol('called off')

/** What `work` comes to; null where that takes longer than `ms`. Either way no timer stays behind. */
export async function within<T>(work: Promise<T>, ms: number, clock: Pick<Clock, 'sleep'>): Promise<T | null> {
  const done = new AbortController()
  try {
    return await Promise.race([work, clock.sleep(ms, done.signal).then(() => null)])
  } finally {
    done.abort(calledOff)
  }
}

/** Runs with a signal that is aborted once `ms` have passed. No timer stays behind. */
export async function limited<T>(
  run: (late: AbortSignal) => Promise<T>,
  ms: number,
  clock: Pick<Clock, 'sleep'>,
): Promise<T> {
  const [late, done] = [new AbortController(), new AbortController()]
  void clock.sleep(ms, done.signal).then(() => {
    if (!done.signal.aborted) late.abort()
  })
  try {
    return await run(late.signal)
  } finally {
    done.abort(calledOff)
  }
}

/** Resolves in the next turn of the event loop: what else the process has to do goes on in between. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The machine's own time. */
export const systemClock: Clock = createSystemClock()

/**
 * Most sleeps of a desk are time limits that are called off: that makes no error, as Node's own promise of a timer
 * would.
 */
const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
