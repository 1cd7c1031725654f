import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError } from '../api/exchange-error.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { UnreadableEntry } from '../domain/listing.ts'
import type { Fill } from '../domain/orders/fills.ts'
import { failureSentence } from './sentences.ts'

export type FillHistoryClient = Pick<ExchangeClient, 'fetchFills'>

/** Fills, newest first. `isLast`: nothing is older. */
export type FillPage = { fills: readonly Fill[]; unreadable: readonly UnreadableEntry[]; isLast: boolean }

/** Enough for several screens. */
const pageSize = 200

/** One page of fills from `execId` backwards, that one included; the error is a sentence for a person. */
export async function fetchOlderFills(
  client: FillHistoryClient,
  execId: string,
  signal: AbortSignal,
): Promise<Result<FillPage>> {
  try {
    const { entries, unreadable } = await client.fetchFills({ toExecId: execId, limit: pageSize }, signal)
    // The execution asked from comes with what is older: a page may be shorter than asked for, and only that one alone
    // is the end.
    const isLast = unreadable.length === 0 && entries.every((fill) => fill.execId === execId)
    return ok({ fills: entries, unreadable, isLast })
  } catch (error) {
    if (error instanceof ExchangeError) return err(failureSentence(error))
    throw error
  }
}
