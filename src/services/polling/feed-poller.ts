import { ExchangeError } from '../../api/errors.ts'
import type { Clock } from '../../base/clock.ts'
import type { FeedAnswer, FeedEvent } from '../../domain/desk/events.ts'
import {
  type FeedName,
  feedOfPolled,
  feeds,
  type Need,
  type PolledName,
  staleLimitMs,
} from '../../domain/desk/feeds.ts'
import { failureSentence } from '../failure-sentences.ts'
import { createPollInterval, slowedPauseMs } from './poll-interval.ts'
import { createPoller, type Poller } from './poller.ts'

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

/** A poller that is slower while nothing changes. */
export type FeedPoller = Poller & {
  /** Somebody is at the keys: polls at the usual pace again. */
  resetInterval(): void
  /**
   * Something has happened that the next answer tells of: it is asked for as soon as the pace on screen allows, also
   * where nobody sees it.
   */
  expectNews(): void
}

export type FeedOptions = {
  /** What is asked for, where the feed has one answer a symbol. Null: nothing is. */
  symbol?: () => string | null
  /** The longest pause that what is shown allows beside the feed's own; null: any. */
  pauseMostMs?: () => number | null
  /** Told after an answer that differs from the one before it. */
  onChange?: () => void
}

/**
 * A poller of one feed. `fetch` asks, emits what came, and resolves with it: the very object of before where nothing
 * has changed. A failure of the service is published with the feed's name and leads to back-off.
 */
export function createFeedPoller(
  name: PolledName,
  context: ServiceContext,
  fetch: (signal: AbortSignal) => Promise<unknown>,
  { symbol = () => null, pauseMostMs = () => null, onChange }: FeedOptions = {},
): FeedPoller {
  const { clock, random, signal, emit, need, slowdown = () => 1, pollMs } = context
  const feed = feedOfPolled(name)
  const interval = createPollInterval(feeds[feed])
  let isNewsExpected = false
  const poll = async () => {
    const asked = symbol()
    isNewsExpected = false
    try {
      if (interval.answered(await fetch(signal))) onChange?.()
      return true
    } catch (error) {
      if (signal.aborted) return false
      if (!(error instanceof ExchangeError)) throw error
      // Nobody knows how the market looks after an outage.
      interval.reset()
      emit({ type: 'feedFailed', feed, symbol: asked, sentence: failureSentence(error), atMs: clock.now() })
      return false
    }
  }
  const intervalMs = () => {
    const askedMs = pollMs?.[feed]
    const usualMs = interval.pauseMs(need(name), askedMs)
    if (isNewsExpected) return Math.min(feeds[feed].visibleMs, usualMs)
    // A pause that somebody asked for is kept.
    if (askedMs !== undefined) return usualMs
    return slowedPauseMs(feed, Math.min(usualMs, pauseMostMs() ?? usualMs), slowdown())
  }
  const poller = createPoller(poll, { intervalMs, intervalMaxMs, clock, random, signal })
  return {
    ...poller,
    wake() {
      interval.reset()
      poller.wake()
    },
    resetInterval() {
      interval.reset()
      poller.rescheduleIfSooner()
    },
    expectNews() {
      interval.reset()
      isNewsExpected = true
      poller.rescheduleIfSooner()
    },
  }
}

const isAnswer = (event: FeedEvent): event is FeedAnswer => Object.hasOwn(feeds, event.type)

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
    emit(limitMs === feeds[event.type].staleAfterMs ? event : { ...event, staleAfterMs: limitMs })
  }
}
