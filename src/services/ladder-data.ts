import type { ExchangeClient } from '../api/exchange-client.ts'
import { createFeedPoller } from './feed-poller.ts'
import type { Poller } from './poller.ts'
import type { ServiceContext } from './service-context.ts'

export type LadderDataClient = Pick<ExchangeClient, 'fetchBook' | 'fetchOrderByOrderBook'>

/** Symbols that are asked for beside the first ladder's book: a second book, and level 3 of either ladder. Null: nothing. */
export type LadderWants = { otherBook: string | null; queue: string | null; otherQueue: string | null }

/** A poller for each of them: one that nothing is wanted of calls nobody. */
export type LadderData = Record<keyof LadderWants, Poller>

/** Polls what ladders show beside the first one's book, for as long as `wants` names a symbol. */
export function createLadderData(
  client: LadderDataClient,
  wants: () => LadderWants,
  context: ServiceContext,
): LadderData {
  const { clock, emit } = context
  const bookOf = async (symbol: string, signal: AbortSignal) =>
    emit({ type: 'book', symbol, book: await client.fetchBook(symbol, signal), atMs: clock.now() })
  const queueOf = async (symbol: string, signal: AbortSignal) =>
    emit({ type: 'queue', symbol, book: await client.fetchOrderByOrderBook(symbol, signal), atMs: clock.now() })
  const pollerOf = (name: keyof LadderWants): Poller => {
    const wanted = () => wants()[name]
    const fetch = name === 'otherBook' ? bookOf : queueOf
    const poll = async (signal: AbortSignal) => {
      const symbol = wanted()
      if (symbol !== null) await fetch(symbol, signal)
    }
    const shown = { ...context, isShown: () => wanted() !== null }
    return createFeedPoller(name === 'otherBook' ? 'book' : 'queue', shown, poll, wanted)
  }
  return { otherBook: pollerOf('otherBook'), queue: pollerOf('queue'), otherQueue: pollerOf('otherQueue') }
}
