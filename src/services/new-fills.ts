import type { ExchangeClient } from '../api/exchange-client.ts'
import {
  isSameUnreadable,
  type Listing,
  readableListing,
  type UnreadableEntry,
  unreadableKey,
} from '../domain/listing.ts'
import { type Fill, utcDayStart } from '../domain/orders/fills.ts'
import { compareIds } from '../domain/orders/order.ts'
import { walkFills } from './fill-pages.ts'

export type FillsClient = Pick<ExchangeClient, 'fetchFills'>

/** Enough to fill the pane at the first look. */
const firstPageSize = 100

/**
 * Fetches the latest fills first, all of this UTC day among them, because limits count the day; and then only those
 * since the last one seen. Walks back through pages when more came than one answer holds. The result may repeat known
 * fills; each has its own execution id. It is the very listing of before where it holds the same executions.
 */
export function createNewFills(
  client: FillsClient,
  now: () => number,
): (signal: AbortSignal) => Promise<Listing<Fill>> {
  let lastExecId: string | null = null
  let last: Listing<Fill> = readableListing([])

  const firstLook = async (signal: AbortSignal): Promise<Listing<Fill>> => {
    const dayStartMs = utcDayStart(now())
    const latest = await client.fetchFills({ limit: firstPageSize }, signal)
    const isBefore = ({ timestampMs }: Fill) => timestampMs < dayStartMs
    if (latest.entries.some(isBefore) || latest.entries.length + latest.unreadable.length === 0) return latest
    const day = await walkFills(client, { fromMs: dayStartMs }, { signal })
    return { entries: mergedFills(latest.entries, day.entries), unreadable: merged(latest.unreadable, day.unreadable) }
  }
  return async (signal) => {
    const fills =
      lastExecId === null
        ? await firstLook(signal)
        : await walkFills(client, { fromExecId: lastExecId }, { signal, isEnough: reaches(lastExecId) })
    lastExecId = newestExecId(fills.entries, lastExecId)
    // An execution never changes: the same ones are what is known.
    const isSame =
      isSameUnreadable(fills.unreadable, last.unreadable) &&
      fills.entries.length === last.entries.length &&
      fills.entries.every(({ execId }, index) => execId === last.entries[index]?.execId)
    if (!isSame) last = fills
    return last
  }
}

/** A page with the execution that is known already has brought everything since. */
const reaches = (execId: string) => (page: readonly Fill[]) => page.some((fill) => fill.execId === execId)

const mergedFills = (left: readonly Fill[], right: readonly Fill[]): Fill[] => [
  ...new Map([...left, ...right].map((fill) => [fill.execId, fill])).values(),
]

const merged = (left: readonly UnreadableEntry[], right: readonly UnreadableEntry[]): UnreadableEntry[] => [
  ...new Map([...left, ...right].map((entry) => [unreadableKey(entry), entry])).values(),
]

const newestExecId = (fills: readonly Fill[], before: string | null): string | null =>
  fills.reduce((newest, { execId }) => (newest === null || compareIds(execId, newest) > 0 ? execId : newest), before)
