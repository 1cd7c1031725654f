import type { Clock } from '../../base/clock.ts'

export type PollerOptions = {
  /** Pause after a good poll, asked for anew each time: panes on screen are polled faster than hidden ones. */
  intervalMs: () => number
  intervalMaxMs: number
  clock: Clock
  /** Uniform in [0, 1): spreads the retries of many desks after an outage. */
  random: () => number
  signal: AbortSignal
}

export type Poller = {
  /** Runs until the signal is aborted. */
  run(): Promise<void>
  /** Ends the present pause: the next poll starts now, or right after the one in flight. */
  wake(): void
  /**
   * Asks for the pause anew where it may have become shorter; what has passed of it counts, so that this never makes
   * polls follow each other faster.
   */
  rescheduleIfSooner(): void
}

/** Share of a back-off pause that is left to chance, on either side. */
const jitter = 0.2

/**
 * The one loop of the desk. One call is in flight at a time; the pause is measured from the end of the last call and
 * doubled after each failure, up to `intervalMaxMs`, ±20%. `poll` returns false to report a failure it has already
 * published; anything it throws is a bug and ends the loop.
 */
export function createPoller(poll: (signal: AbortSignal) => Promise<boolean>, options: PollerOptions): Poller {
  const { intervalMs, intervalMaxMs, clock, random, signal } = options
  let wasWoken = false
  /** The pause that is under way: how long it was to be, and how long it would be now. */
  let rest: { waitMs: number; wantedMs: () => number; end: AbortController } | null = null

  /** How long a pause has lasted. A clock that is put back makes no pause longer than twice itself. */
  const passedMs = (fromMs: number) => Math.max(0, clock.now() - fromMs)
  const sleep = async (wantedMs: () => number) => {
    const fromMs = clock.now()
    while (!wasWoken && !signal.aborted) {
      const waitMs = wantedMs()
      const leftMs = waitMs - passedMs(fromMs)
      if (leftMs <= 0) break
      const end = new AbortController()
      rest = { waitMs, wantedMs, end }
      await clock.sleep(leftMs, AbortSignal.any([signal, end.signal]))
      rest = null
      if (!end.signal.aborted) break
    }
    wasWoken = false
  }
  return {
    async run() {
      let failures = 0
      while (!signal.aborted) {
        const succeeded = await poll(signal)
        failures = succeeded ? 0 : failures + 1
        const share = failures === 0 ? 1 : 1 - jitter + 2 * jitter * random()
        const doublings = Math.min(failures, 20)
        await sleep(() => {
          const base = intervalMs()
          return failures === 0 ? base : Math.min(base * 2 ** doublings, Math.max(base, intervalMaxMs)) * share
        })
      }
    },
    wake() {
      wasWoken = true
      rest?.end.abort()
    },
    rescheduleIfSooner() {
      if (rest !== null && rest.wantedMs() < rest.waitMs) rest.end.abort()
    },
  }
}
