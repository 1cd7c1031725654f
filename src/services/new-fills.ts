import type { ExchangeClient } from '../api/exchange-client.ts'
import type { FillQuery } from '../api/trading-client.ts'
import { utcDayStart } from '../domain/day-fills.ts'
import type { Fill } from '../domain/fill.ts'
import { compareIds } from '../domain/order.ts'

export type FillsClient = Pick<ExchangeClient, 'fetchFills'>

/** Enough to fill the pane at the first look. */
const firstPageSize = 100
/** The service's cap on one answer. */
const pageSize = 1_000

/**
 * Fetches the latest fills first, all of this UTC day among them, because limits count the day; and then only those since the last one
 * seen. Walks back through pages when more came than one answer holds. The result may repeat known fills; each has its own execution id. It is
 * the very list of before where it holds the same executions.
 */
export function createNewFills(
  client: FillsClient,
  now: () => number,
): (signal: AbortSignal) => Promise<readonly Fill[]> {
  let lastExecId: string | null = null
  let last: readonly Fill[] = []

  /** All fills in a range, newest first, page by page. */
  const walk = async (range: FillQuery, signal: AbortSignal): Promise<Fill[]> => {
    const found = new Map<string, Fill>()
    let toExecId: string | undefined
    for (;;) {
      const query = { ...range, limit: pageSize, ...(toExecId === undefined ? {} : { toExecId }) }
      const page: readonly Fill[] = await client.fetchFills(query, signal)
      const before = found.size
      for (const fill of page) found.set(fill.execId, fill)
      if (page.length < pageSize || found.size === before) return [...found.values()]
      toExecId = page.at(-1)?.execId
    }
  }
  const firstLook = async (signal: AbortSignal): Promise<readonly Fill[]> => {
    const dayStartMs = utcDayStart(now())
    const latest = await client.fetchFills({ limit: firstPageSize }, signal)
    const oldest = latest.at(-1)
    const isWholeDay = latest.length < firstPageSize || oldest === undefined || oldest.timestampMs < dayStartMs
    return isWholeDay ? latest : [...latest, ...(await walk({ fromMs: dayStartMs }, signal))]
  }
  return async (signal) => {
    const fills = lastExecId === null ? await firstLook(signal) : await walk({ fromExecId: lastExecId }, signal)
    lastExecId = newestExecId(fills, lastExecId)
    // An execution never changes: the same ones are what is known.
    const isSame = fills.length === last.length && fills.every(({ execId }, index) => execId === last[index]?.execId)
    if (!isSame) last = fills
    return last
  }
}

const newestExecId = (fills: readonly Fill[], before: string | null): string | null =>
  fills.reduce((newest, { execId }) => (newest === null || compareIds(execId, newest) > 0 ? execId : newest), before)
