import type { ExchangeClient } from '../api/exchange-client.ts'
import type { Fill } from '../domain/fill.ts'
import { compareIds } from '../domain/order.ts'

export type FillsClient = Pick<ExchangeClient, 'fetchFills'>

/** Enough to fill the pane at the first look. */
const firstPageSize = 100
/** The service's cap on one answer. */
const pageSize = 1_000

/**
 * Fetches the latest fills first and then only those since the last one seen, walking back through pages when more came
 * than one answer holds. The result may repeat known fills; each has its own execution id.
 */
export function createNewFills(client: FillsClient): (signal: AbortSignal) => Promise<readonly Fill[]> {
  let lastExecId: string | null = null
  return async (signal) => {
    if (lastExecId === null) {
      const fills = await client.fetchFills({ limit: firstPageSize }, signal)
      lastExecId = newestExecId(fills, lastExecId)
      return fills
    }
    const found = new Map<string, Fill>()
    let toExecId: string | undefined
    for (;;) {
      const range = { fromExecId: lastExecId, limit: pageSize, ...(toExecId === undefined ? {} : { toExecId }) }
      const page: readonly Fill[] = await client.fetchFills(range, signal)
      const before = found.size
      for (const fill of page) found.set(fill.execId, fill)
      if (page.length < pageSize || found.size === before) break
      toExecId = page.at(-1)?.execId
    }
    const fills = [...found.values()]
    lastExecId = newestExecId(fills, lastExecId)
    return fills
  }
}

const newestExecId = (fills: readonly Fill[], before: string | null): string | null =>
  fills.reduce((newest, { execId }) => (newest === null || compareIds(execId, newest) > 0 ? execId : newest), before)
