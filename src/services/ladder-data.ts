import type { ExchangeClient } from '../api/exchange-client.ts'
import { createFeedPoller, type FeedPoller } from './feed-poller.ts'
import { unreadableOf } from './market-data.ts'
import type { ServiceContext } from './service-context.ts'

export type LadderDataClient = Pick<ExchangeClient, 'fetchBook' | 'fetchOrderByOrderBook'>

/**
 * Symbols that are asked for beside the first ladder's book: a second book, and level 3 of either ladder. Null:
 * nothing.
 */
export type LadderWants = { otherBook: string | null; queue: string | null; otherQueue: string | null }

/** A poller for each of them: one that nothing is wanted of calls nobody. */
export type LadderData = Record<keyof LadderWants, FeedPoller>

/** Polls what ladders show beside the first one's book, for as long as `wants` names a symbol. */
export function createLadderData(
  client: LadderDataClient,
  wants: () => LadderWants,
  context: ServiceContext,
): LadderData {
  const { clock, emit } = context
  const bookOf = async (symbol: string, signal: AbortSignal) => {
    const book = await client.fetchBook(symbol, signal)
    emit({ type: 'book', symbol, book, ...unreadableOf(book), atMs: clock.now() })
    return book
  }
  const queueOf = async (symbol: string, signal: AbortSignal) => {
    const book = await client.fetchOrderByOrderBook(symbol, signal)
    emit({ type: 'queue', symbol, book, ...unreadableOf(book), atMs: clock.now() })
    return book
  }
  const pollerOf = (name: keyof LadderWants): FeedPoller => {
    const symbol = () => wants()[name]
    const fetch = name === 'otherBook' ? bookOf : queueOf
    const poll = async (signal: AbortSignal) => {
      const wanted = symbol()
      return wanted === null ? null : await fetch(wanted, signal)
    }
    return createFeedPoller(name, context, poll, { symbol })
  }
  return { otherBook: pollerOf('otherBook'), queue: pollerOf('queue'), otherQueue: pollerOf('otherQueue') }
}
