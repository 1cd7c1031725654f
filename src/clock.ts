import { setTimeout as wait } from 'node:timers/promises'

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
    const options = signal === undefined ? {} : { signal }
    for (let leftMs = ms; leftMs > 0 && !signal?.aborted; leftMs -= longestTimerMs) {
      await wait(Math.min(leftMs, longestTimerMs), undefined, options).catch((error: unknown) => {
        if (!signal?.aborted) throw error
      })
    }
  },
}
