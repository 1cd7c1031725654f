import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError } from '../api/exchange-error.ts'
import { createPoller, type Poller } from './poller.ts'
import { failureSentence } from './sentences.ts'
import { intervalMaxMs, type ServiceContext } from './service-context.ts'

export type WatchedBooksClient = Pick<ExchangeClient, 'fetchBook'>

/** Each watched book is asked for this often, however many there are, down to `pauseLeastMs` between two calls. */
const roundMs = 5_000
const pauseLeastMs = 500
/** Nothing is watched most of the time: a new watch wakes the poller. */
const restMs = 60_000

/** Polls the books of symbols that alerts look at and no ladder shows, one after the other. */
export function createWatchedBooks(
  client: WatchedBooksClient,
  symbols: () => readonly string[],
  { clock, random, signal, emit }: ServiceContext,
): Poller {
  let turn = 0
  const poll = async () => {
    const watched = symbols()
    const symbol = watched[turn % Math.max(1, watched.length)]
    if (symbol === undefined) return true
    turn += 1
    try {
      emit({ type: 'book', symbol, book: await client.fetchBook(symbol, signal), atMs: clock.now() })
      return true
    } catch (error) {
      if (signal.aborted) return false
      if (!(error instanceof ExchangeError)) throw error
      emit({ type: 'feedFailed', feed: 'book', symbol, sentence: failureSentence(error), atMs: clock.now() })
      return false
    }
  }
  const intervalMs = () => {
    const { length } = symbols()
    return length === 0 ? restMs : Math.max(pauseLeastMs, roundMs / length)
  }
  return createPoller(poll, { intervalMs, intervalMaxMs, clock, random, signal })
}
