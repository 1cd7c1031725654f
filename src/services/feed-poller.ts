import { ExchangeError } from '../api/exchange-error.ts'
import type { FeedName } from '../domain/desk-events.ts'
import { createPoller, type Poller } from './poller.ts'
import { failureSentence } from './sentences.ts'
import { intervalMaxMs, pauseMs, type ServiceContext } from './service-context.ts'

/**
 * A poller of one feed: `fetch` asks and emits what came; a failure of the service is published with the feed's name and
 * leads to back-off. `symbol` names what was asked for, for the feed that has one a symbol; `intervalMs` is the pause, asked for
 * anew each time.
 */
export function createFeedPoller(
  feed: FeedName,
  context: ServiceContext,
  fetch: (signal: AbortSignal) => Promise<void>,
  symbol: () => string | null = () => null,
  intervalMs: () => number = () => pauseMs(feed, context),
): Poller {
  const { clock, random, signal, emit } = context
  const poll = async () => {
    const asked = symbol()
    try {
      await fetch(signal)
      return true
    } catch (error) {
      if (signal.aborted) return false
      if (!(error instanceof ExchangeError)) throw error
      emit({ type: 'feedFailed', feed, symbol: asked, sentence: failureSentence(error), atMs: clock.now() })
      return false
    }
  }
  return createPoller(poll, { intervalMs, intervalMaxMs, clock, random, signal })
}
