import { ExchangeError, isNotFound } from '../../api/errors.ts'
import { doubled } from '../../base/backoff.ts'
import { type Clock, SleepEnd } from '../../base/clock.ts'
import { dropOldest } from '../../base/drop-oldest.ts'
import type { FeedAnswer, FeedEvent } from '../../domain/desk/events.ts'
import {
  type FeedName,
  feedOfPolled,
  feeds,
  type Need,
  type PolledName,
  staleLimitMs,
} from '../../domain/desk/feeds.ts'
import { feedSentence } from '../failure-sentences.ts'
import { createPollInterval, slowedPauseMs } from './poll-interval.ts'
import type { SharedBeat } from './shared-beat.ts'

export type PollerOptions = {
  /** Pause after a good poll, asked for anew each time: panes on screen are polled faster than hidden ones. */
  intervalMs: () => number
  intervalMaxMs: number
  clock: Clock
  /** Uniform in [0, 1): spreads the retries of many desks after an outage. */
  random: () => number
  signal: AbortSignal
  /** The least pause after a failure, as the service asked for; none unless given. */
  askedPauseMs?: () => number
  /** Whom it begins together with; with nobody unless given. */
  beat?: SharedBeat | undefined
  /** Whether a pause may end a little before its time for that; always unless given. Back-off is kept anyway. */
  mayBeEarly?: () => boolean
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
 * By how much a pause may be shorter where another poll begins: a share of it, and never more than so many ms. At half
 * of it a pause of a second always meets one of half a second; at a fifth they passed each other for minutes.
 */
const early = { share: 1 / 2, maxMs: 500 }

/**
 * The one loop of the desk. One call is in flight at a time; the pause is measured from the end of the last call and
 * doubled after each failure, up to `intervalMaxMs`, ±20%. `poll` returns false to report a failure it has already
 * published; anything it throws is a bug and ends the loop.
 */
export function createPoller(poll: (signal: AbortSignal) => Promise<boolean>, options: PollerOptions): Poller {
  const { intervalMs, intervalMaxMs, clock, random, signal, beat, mayBeEarly = () => true } = options
  const { askedPauseMs = () => 0 } = options
  let wasWoken = false
  /** The pause that is under way: how long it was to be, and how long it would be now. */
  let rest: { waitMs: number; wantedMs: () => number; end: SleepEnd } | null = null

  /** How long a pause has lasted. A clock that is put back makes no pause longer than twice itself. */
  const passedMs = (fromMs: number) => Math.max(0, clock.now() - fromMs)
  /** By how much the last pause was too short: the next one is longer by it, so that no more calls are made. */
  let owedMs = 0
  const sleep = async (pauseMs: () => number, isBackOff: boolean) => {
    const fromMs = clock.now()
    const longerMs = owedMs
    owedMs = 0
    const wantedMs = () => pauseMs() + longerMs
    while (!wasWoken && !signal.aborted) {
      const waitMs = wantedMs()
      const leftMs = waitMs - passedMs(fromMs)
      if (leftMs <= 0) break
      const end = new SleepEnd()
      rest = { waitMs, wantedMs, end }
      const endsAtMs = clock.now() + leftMs
      const join = () => {
        owedMs = Math.max(0, endsAtMs - clock.now())
        wasWoken = true
        end.abort()
      }
      const earlyMs = isBackOff || !mayBeEarly() ? 0 : Math.min(waitMs * early.share, early.maxMs)
      const leave = beat?.rest({ endsAtMs, earlyMs, join })
      await clock.sleep(leftMs, end)
      leave?.()
      rest = null
      if (!end.aborted) break
    }
    wasWoken = false
  }
  return {
    async run() {
      let failures = 0
      // Once for all pauses: on a signal of Node's a listener costs more than the pause.
      signal.addEventListener('abort', () => rest?.end.abort(), { once: true })
      while (!signal.aborted) {
        beat?.begin(clock.now())
        const succeeded = await poll(signal)
        failures = succeeded ? 0 : failures + 1
        const share = failures === 0 ? 1 : 1 - jitter + 2 * jitter * random()
        await sleep(() => {
          const base = intervalMs()
          if (failures === 0) return base
          return Math.max(askedPauseMs(), doubled(base, failures, Math.max(base, intervalMaxMs)) * share)
        }, failures > 0)
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

/**
 * One poll: true when `ask` came to its end; false when the service failed, which `failed` tells, or when the desk
 * ends. Anything else that is thrown is a bug.
 */
export async function pollOnce(
  signal: AbortSignal,
  ask: () => Promise<void>,
  failed: (error: ExchangeError) => void,
): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    if (signal.aborted) return false
    if (!(error instanceof ExchangeError)) throw error
    failed(error)
    return false
  }
}

/** More than the odd entries of any list: where each is another one at every poll, those of long ago are forgotten. */
const toldMax = 20_000

/** Tells of entries that cannot be used: each once, for it stays in the answer at every poll. */
export function leftOutTeller({
  clock,
  emit,
}: {
  clock: Clock
  emit: (event: Extract<FeedEvent, { type: 'leftOut' }>) => void
}): (sentences: Iterable<string>) => void {
  const told = new Set<string>()
  return (sentences) => {
    for (const sentence of sentences) {
      const isKnown = told.delete(sentence)
      told.add(sentence)
      if (!isKnown) emit({ type: 'leftOut', sentence, atMs: clock.now() })
    }
    dropOldest(told, toldMax)
  }
}

/** That what is asked for by its symbol is not known says nothing of the exchange. */
export const unknownSymbol = (symbol: string | null, error: ExchangeError): { isUnknownSymbol?: true } =>
  symbol !== null && isNotFound(error) ? { isUnknownSymbol: true } : {}

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
  /** All polls of a desk that begin together where their pauses allow. */
  beat?: SharedBeat
}

/**
 * A venue that is down is asked again at least this often: all feeds together then make two calls a second, fewer than
 * when it answers.
 */
export const defaultIntervalMaxMs = 5_000

/**
 * The longest pause that a feed keeps because the exchange is not available (503): it may be back before it said, and
 * until it is asked the desk shows old data.
 */
const askedPauseMaxMs = 30_000

/** A poller that is slower while nothing changes. */
export type FeedPoller = Poller & {
  /** A key was pressed: polls at the usual pace again. */
  resetInterval(): void
  /**
   * Something has happened that the next answer will show: polls as soon as the pace on screen allows, even if no one
   * sees it.
   */
  expectNews(): void
}

export type FeedOptions = {
  /** What is asked for, where the feed has one answer a symbol. Null: nothing is. */
  symbol?: () => string | null
  /** The longest pause that what is shown allows beside the feed's own; null: any. */
  pauseMaxMs?: () => number | null
  /** Told after an answer that differs from the one before it. */
  onChange?: () => void
}

/**
 * A poller of one feed. `fetch` asks, emits what came, and resolves with it: the same object while nothing has changed.
 * A failure of the exchange is published with the feed's name and leads to back-off.
 */
export function createFeedPoller(
  name: PolledName,
  context: ServiceContext,
  fetch: (signal: AbortSignal) => Promise<unknown>,
  { symbol = () => null, pauseMaxMs = () => null, onChange }: FeedOptions = {},
): FeedPoller {
  const { clock, random, signal, emit, need, slowdown = () => 1, pollMs, beat } = context
  const feed = feedOfPolled(name)
  const interval = createPollInterval(feeds[feed])
  let isNewsExpected = false
  let isFailing = false
  let askedPauseMs = 0
  const poll = () => {
    const asked = symbol()
    const askedAtMs = clock.now()
    isNewsExpected = false
    return pollOnce(
      signal,
      async () => {
        const isNews = interval.answered(await fetch(signal))
        isFailing = false
        if (isNews) onChange?.()
      },
      (error) => {
        // Nobody knows how the market looks after an outage.
        interval.reset()
        isFailing = true
        // Other pauses that are asked for rest all polls at once, in the gate.
        askedPauseMs = error.status === 503 ? Math.min(error.retryAfterMs ?? 0, askedPauseMaxMs) : 0
        const sentence = feedSentence(error)
        emit({
          type: 'feedFailed',
          feed,
          symbol: asked,
          sentence,
          askedAtMs,
          ...unknownSymbol(asked, error),
          atMs: clock.now(),
        })
      },
    )
  }
  const intervalMs = () => {
    const askedMs = pollMs?.[feed]
    const neededMs = interval.pauseMs(need(name), askedMs)
    if (isNewsExpected) return Math.min(feeds[feed].visibleMs, neededMs)
    // A pause that the settings ask for is kept.
    if (askedMs !== undefined) return neededMs
    // Back-off begins at the pace on screen: what nobody sees grows old like anything else.
    const usualMs = isFailing ? Math.min(feeds[feed].visibleMs, neededMs) : neededMs
    return slowedPauseMs(feed, Math.min(usualMs, pauseMaxMs() ?? usualMs), slowdown())
  }
  // Neither a pause that the settings ask for nor one that spares calls is made shorter.
  const mayBeEarly = () => pollMs?.[feed] === undefined && slowdown() <= 1
  const poller = createPoller(poll, {
    ...{ intervalMs, intervalMaxMs: defaultIntervalMaxMs, clock, random, signal, beat, mayBeEarly },
    askedPauseMs: () => askedPauseMs,
  })
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

/** True for what a poll was answered. */
export const isAnswer = (event: FeedEvent): event is FeedAnswer => Object.hasOwn(feeds, event.type)

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
