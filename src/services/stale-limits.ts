import type { FeedAnswer, FeedEvent, FeedName } from '../domain/desk/events.ts'
import { staleAfterMs, staleLimitMs } from '../domain/desk/feeds.ts'

const isAnswer = (event: FeedEvent): event is FeedAnswer => Object.hasOwn(staleAfterMs, event.type)

/**
 * Hands on to `emit` what services report. Where the pauses that were asked for are too long for the usual age at which
 * a feed looks stale, its answers say from which age on they do: a feed that is polled as it should be never looks as
 * if it were not.
 */
export function withStaleLimits(
  emit: (event: FeedEvent) => void,
  pollMs: Readonly<Partial<Record<FeedName, number | undefined>>>,
): (event: FeedEvent) => void {
  return (event) => {
    const pauseMs = isAnswer(event) ? pollMs[event.type] : undefined
    if (!isAnswer(event) || pauseMs === undefined) return emit(event)
    const limitMs = staleLimitMs(event.type, pauseMs)
    emit(limitMs === staleAfterMs[event.type] ? event : { ...event, staleAfterMs: limitMs })
  }
}
