import type { Clock } from '../base/clock.ts'

/** A clock that can be put forward. */
export type SandboxClock = Clock & {
  /** Puts the clock forward by `ms`, 0 or more; sleeps that are over by then end now. */
  putForward(ms: number): void
}

/**
 * The one time of a practice world: that of `base`, plus what it was put forward by. Like an exchange's own clock it
 * never goes back, whatever is done to the machine's; it follows that one forward, because the world's past is dated by
 * it.
 */
export function createSandboxClock(base: Clock): SandboxClock {
  let offsetMs = 0
  let aheadMs = 0
  const wakes = new Set<() => void>()
  const now = () => {
    aheadMs = Math.max(aheadMs, base.wallMs() - base.now())
    return base.now() + aheadMs + offsetMs
  }
  return {
    now,
    wallMs: now,
    sleep: async (ms, signal) => {
      const dueMs = now() + ms
      while (now() < dueMs && !signal?.aborted) {
        const wake = new AbortController()
        const onWake = () => wake.abort()
        wakes.add(onWake)
        await base.sleep(dueMs - now(), signal === undefined ? wake.signal : AbortSignal.any([signal, wake.signal]))
        wakes.delete(onWake)
      }
    },
    putForward: (ms) => {
      offsetMs += ms
      for (const wake of [...wakes]) wake()
    },
  }
}
