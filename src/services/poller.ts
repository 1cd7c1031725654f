import type { Clock } from '../clock.ts'

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
}

/** Share of a back-off pause that is left to chance, on either side. */
const jitter = 0.2

/**
 * The one loop of the desk. One call is in flight at a time; the pause is measured from the end of the last call and doubled
 * after each failure, up to `intervalMaxMs`, ±20%. `poll` returns false to report a failure it has already published;
 * anything it throws is a bug and ends the loop.
 */
export function createPoller(poll: (signal: AbortSignal) => Promise<boolean>, options: PollerOptions): Poller {
  const { intervalMs, intervalMaxMs, clock, random, signal } = options
  let pause = new AbortController()
  let wasWoken = false
  const sleep = async (waitMs: number) => {
    if (!wasWoken) {
      pause = new AbortController()
      await clock.sleep(waitMs, AbortSignal.any([signal, pause.signal]))
    }
    wasWoken = false
  }
  return {
    async run() {
      let failures = 0
      while (!signal.aborted) {
        const succeeded = await poll(signal)
        failures = succeeded ? 0 : failures + 1
        const base = intervalMs()
        const backedOff = Math.min(base * 2 ** Math.min(failures, 20), Math.max(base, intervalMaxMs))
        await sleep(failures === 0 ? base : backedOff * (1 - jitter + 2 * jitter * random()))
      }
    },
    wake() {
      wasWoken = true
      pause.abort()
    },
  }
}
