import type { Clock } from '../../base/clock.ts'
import { toError } from '../../base/text/error-text.ts'
import { dayMs, hourMs } from '../../base/text/time-text.ts'
import { shortestKeepDays } from '../../domain/gateway/inbox-source.ts'
import { stampMs } from './event-stamp.ts'
import type { EventStore } from './event-store.ts'

/** What a run did: entries deleted, a failure that is retried within the hour, or what it keeps for now and why. */
export type RetentionReport =
  | { readonly kind: 'forgotten'; readonly count: number }
  | { readonly kind: 'failed'; readonly error: Error }
  /** By its clock more would be too old. That clock is ahead of the newest events by so many days. */
  | { readonly kind: 'held'; readonly aheadDays: number }

type RetentionOptions = {
  /** Days that events are kept after receipt; at least `shortestKeepDays`. */
  readonly keepDays: number
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called after each run that deleted something or failed, and once for what is kept. */
  readonly report: (report: RetentionReport) => void
}

type Store = Pick<EventStore, 'forgetBefore' | 'events'>

/** Newest events that are asked for the time: one with a wrong date does not decide. */
const askedForTime = 25

/** How far a clock may be ahead of the newest events before that is told of. */
const toldFromMs = dayMs

/**
 * Deletes events older than `keepDays` once an hour, until `signal`; then ends after the current step. Several
 * receivers of one store may all run it. Throws a RangeError when the limit is too short.
 *
 * What is deleted is gone, and a clock that is set ahead must not do that: what time it is must be agreed on by the
 * wall clock, by desk time, and by the gateway, whose newest events are dated.
 */
export async function runRetention(store: Store, options: RetentionOptions): Promise<void> {
  const { keepDays, clock, signal, report } = options
  if (!(keepDays >= shortestKeepDays)) throw new RangeError(`events must be kept for at least ${shortestKeepDays} days`)
  const gatewayTime = gatewayClock(store, clock)
  let isHeld = false
  while (!signal.aborted) {
    let count = 0
    try {
      const gatewayMs = await gatewayTime()
      const wallMs = clock.wallMs()
      const beforeMs = Math.min(wallMs, clock.now(), gatewayMs) - keepDays * dayMs
      for (let step = -1; step !== 0 && !signal.aborted; count += step) step = await store.forgetBefore(beforeMs)
      const wasHeld = isHeld
      isHeld = wallMs - gatewayMs > toldFromMs && (await hasOlder(store, wallMs - keepDays * dayMs))
      if (isHeld && !wasHeld) report({ kind: 'held', aheadDays: Math.floor((wallMs - gatewayMs) / dayMs) })
    } catch (error) {
      report({ kind: 'failed', error: toError(error) })
    }
    if (count > 0) report({ kind: 'forgotten', count })
    await clock.sleep(hourMs, signal)
  }
}

/**
 * The gateway's time in ms since 1970, from what the newest events are dated, and the desk time since they were seen:
 * also while none comes. Without any event it is the beginning of time, and nothing is old.
 */
function gatewayClock(store: Store, clock: Clock): () => Promise<number> {
  let seen = { stampMs: 0, atMs: clock.now() }
  return async () => {
    const newest = await store.events({ before: null, count: askedForTime })
    const stamps = newest.flatMap(({ body }) => stampMs(body) ?? []).toSorted((left, right) => left - right)
    const median = stamps[Math.floor(stamps.length / 2)]
    const atMs = clock.now()
    const nowMs = seen.stampMs + atMs - seen.atMs
    if (median !== undefined && median > nowMs) seen = { stampMs: median, atMs }
    return Math.max(seen.stampMs === 0 ? 0 : nowMs, median ?? 0)
  }
}

/** Whether the oldest event came before this moment. */
async function hasOlder(store: Store, beforeMs: number): Promise<boolean> {
  const [oldest] = await store.events({ after: 0, count: 1 })
  return oldest !== undefined && oldest.receivedAtMs < beforeMs
}
