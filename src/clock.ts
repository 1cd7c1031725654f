import { clearTimeout, setTimeout } from 'node:timers'

/** Time as an argument: whoever needs it is handed one, so that a test can let a day pass at once. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms`, or as soon as `signal` is aborted; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

// A longer timer would overflow Node's 32 bits and fire at once.
const longestTimerMs = 2_147_483_647

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    for (let leftMs = ms; leftMs > 0 && !signal?.aborted; leftMs -= longestTimerMs)
      await wait(Math.min(leftMs, longestTimerMs), signal)
  },
}

/** Most sleeps of a desk are time limits that are called off: that makes no error, as Node's own promise of a timer would. */
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
