import type { ExchangeClient } from '../api/exchange-client.ts'
import { ExchangeError } from '../api/exchange-error.ts'
import type { Fill } from '../domain/fill.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { failureSentence } from './sentences.ts'

export type FillHistoryClient = Pick<ExchangeClient, 'fetchFills'>

/** Fills, newest first. `isLast`: nothing is older. */
export type FillPage = { fills: readonly Fill[]; isLast: boolean }

/** Enough for several screens. */
const pageSize = 200

/** One page of fills from `execId` backwards, that one included; the error is a sentence for a person. */
export async function fetchOlderFills(
  client: FillHistoryClient,
  execId: string,
  signal: AbortSignal,
): Promise<Result<FillPage>> {
  try {
    const fills = await client.fetchFills({ toExecId: execId, limit: pageSize }, signal)
    return ok({ fills, isLast: fills.length < pageSize })
  } catch (error) {
    if (error instanceof ExchangeError) return err(failureSentence(error))
    throw error
  }
}
