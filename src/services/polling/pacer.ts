import type { Clock } from '../../base/clock.ts'

export type Pacer<E> = {
  /** Keeps the event for the next commit. */
  add(event: E): void
  /** Commits what is kept now: for what a person is waiting for. */
  flush(): void
  /** Commits at most once a `periodMs`, and a tick of the clock at least once a `tickMs`, until aborted. */
  run(): Promise<void>
}

export type PacerOptions<E> = {
  clock: Clock
  signal: AbortSignal
  commit: (events: readonly E[]) => void
  tick: (nowMs: number) => E
  periodMs: number
  tickMs: number
}

/**
 * Gathers what services report, so that the screen is drawn a few times a second however much arrives. Drawing is what
 * costs, and ten pictures a second are as many as a person reads.
 */
export function createPacer<E>({ clock, signal, commit, tick, periodMs, tickMs }: PacerOptions<E>): Pacer<E> {
  let kept: E[] = []
  let tickedAtMs = Number.NEGATIVE_INFINITY
  const flush = () => {
    const events = kept
    kept = []
    tickedAtMs = clock.now()
    // The time first: what came after a standstill may be from before it, and is judged by that.
    commit([tick(tickedAtMs), ...events])
  }
  return {
    add: (event) => kept.push(event),
    flush,
    async run() {
      while (!signal.aborted) {
        if (kept.length > 0 || clock.now() - tickedAtMs >= tickMs) flush()
        await clock.sleep(periodMs, signal)
      }
    },
  }
}
