import type { Clock } from '../../base/clock.ts'
import { dayMs, hourMs } from '../../base/duration.ts'
import { toError } from '../../base/error-text.ts'
import { shortestKeepDays } from '../../domain/gateway/inbox-source.ts'
import type { EventStore } from './event-store.ts'

export type RetentionOptions = {
  /** How long events are kept after they came; at least `shortestKeepDays`. */
  readonly keepDays: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Told of each time that took something away, and of each that failed: it is tried again within the hour. */
  readonly report: (result: { readonly forgotten: number } | { readonly error: Error }) => void
}

/**
 * Once an hour takes away what came more than `keepDays` ago, until the signal comes: then it is over after the step
 * under way. Several receivers on one store may all run it. Throws a RangeError when the limit is too short.
 */
export async function runRetention(store: Pick<EventStore, 'forgetBefore'>, options: RetentionOptions): Promise<void> {
  const { keepDays, clock, signal, report } = options
  if (!(keepDays >= shortestKeepDays)) throw new RangeError(`events must be kept for at least ${shortestKeepDays} days`)
  while (!signal.aborted) {
    let forgotten = 0
    try {
      const beforeMs = clock.wallMs() - keepDays * dayMs
      for (let step = -1; step !== 0 && !signal.aborted; forgotten += step) step = await store.forgetBefore(beforeMs)
    } catch (error) {
      report({ error: toError(error) })
    }
    if (forgotten > 0) report({ forgotten })
    await clock.sleep(hourMs, signal)
  }
}
