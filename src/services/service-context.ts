import type { Clock } from '../base/clock.ts'
import type { FeedEvent, FeedName } from '../domain/desk/events.ts'
import type { Need, PolledName } from '../domain/desk/feeds.ts'

/** What every polling service is given. */
export type ServiceContext = {
  clock: Clock
  random: () => number
  signal: AbortSignal
  emit: (event: FeedEvent) => void
  /** How much what a poll brings is needed now. */
  need: (name: PolledName) => Need
  /**
   * How many times longer than usual pauses are, because fewer calls are allowed than would be made; 1 unless given.
   */
  slowdown?: () => number
  /** Pauses on screen that were asked for in place of the usual ones: they are kept. */
  pollMs?: Readonly<Partial<Record<FeedName, number | undefined>>>
}

/**
 * A venue that is down is asked again at least this often: all feeds together then make two calls a second, fewer than
 * when it answers.
 */
export const intervalMaxMs = 5_000
