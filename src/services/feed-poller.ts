import { ExchangeError } from '../api/exchange-error.ts'
import { feedOfPolled, type PolledName } from '../domain/desk/feeds.ts'
import { slowedPauseMs } from './allowance.ts'
import { createPoller, type Poller } from './poller.ts'
import { failureSentence } from './sentences.ts'
import { intervalMaxMs, type ServiceContext } from './service-context.ts'
import { createTempo, paces } from './tempo.ts'

/** A poller that is slower while nothing changes. */
export type FeedPoller = Poller & {
  /** Somebody is at the keys: polls at the usual pace again. */
  stir(): void
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
  const tempo = createTempo(paces[feed])
  let isNewsExpected = false
  const poll = async () => {
    const asked = symbol()
    isNewsExpected = false
    try {
      if (tempo.answered(await fetch(signal))) onChange?.()
      return true
    } catch (error) {
      if (signal.aborted) return false
      if (!(error instanceof ExchangeError)) throw error
      // Nobody knows how the market looks after an outage.
      tempo.stir()
      emit({ type: 'feedFailed', feed, symbol: asked, sentence: failureSentence(error), atMs: clock.now() })
      return false
    }
  }
  const intervalMs = () => {
    const askedMs = pollMs?.[feed]
    const usualMs = tempo.pauseMs(need(name), askedMs)
    if (isNewsExpected) return Math.min(paces[feed].shownMs, usualMs)
    // A pause that somebody asked for is kept.
    if (askedMs !== undefined) return usualMs
    return slowedPauseMs(feed, Math.min(usualMs, pauseMostMs() ?? usualMs), slowdown())
  }
  const poller = createPoller(poll, { intervalMs, intervalMaxMs, clock, random, signal })
  return {
    ...poller,
    wake() {
      tempo.stir()
      poller.wake()
    },
    stir() {
      tempo.stir()
      poller.hasten()
    },
    expectNews() {
      tempo.stir()
      isNewsExpected = true
      poller.hasten()
    },
  }
}
