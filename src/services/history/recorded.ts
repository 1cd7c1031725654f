import { nextTurn } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { type Fill, newestFillMs } from '../../domain/orders/fills.ts'
import type { RecordedPrices } from '../../domain/positions/own-prices.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { HistoryFile } from '../../history/history-file.ts'

/**
 * The record of an account: every fill up to some moment, oldest first, executions reported again with other terms (a
 * clause each), and prices. Fills are read from the file at each pass, because a million of them do not fit in memory.
 */
export type Recorded = {
  fills: Iterable<Fill>
  fillCount: number
  /** The fill with this id; null for none. */
  find: (execId: string) => Fill | null
  /** Time of the newest fill not later than `latestMs`; null for none. */
  newestMs: (latestMs: number) => number | null
  unreadableCount: number
  otherwise?: readonly string[]
  prices?: RecordedPrices
}

/** A record of these fills, which are in ascending order. */
export function recordedOf(fills: readonly Fill[]): Recorded {
  const byId = new Map(fills.map((fill) => [fill.execId, fill]))
  return {
    fills,
    fillCount: fills.length,
    find: (execId) => byId.get(execId) ?? null,
    newestMs: (latestMs) =>
      newestFillMs(
        fills.filter(({ timestampMs }) => timestampMs <= latestMs),
        latestMs,
      ),
    unreadableCount: 0,
  }
}

export const nothingRecorded: Recorded = recordedOf([])

/** Fills per turn; reading them takes some ms. */
const fillsAtOnce = 500

/** Reads all its fills in several turns, so that the desk's thread can do other work. */
export async function allFills({ fills }: Recorded): Promise<Fill[]> {
  const all: Fill[] = []
  for (const fill of fills) {
    all.push(fill)
    if (all.length % fillsAtOnce === 0) await nextTurn()
  }
  return all
}

/**
 * Runs `run` with the record, so that recorded fills are not requested again; it does not change meanwhile, and cannot
 * be used afterwards. `open` fails with null when there is none. Without a usable history the record is empty, and
 * without all fills it has none: the exchange reports them. `run` must pass on its `HistoryError` before any effect: it
 * is then repeated without the history. `unreadableCount`: how many entries of the list could not be read, at most.
 */
export async function withRecorded<T>(
  open: () => Promise<Result<HistoryFile, HistoryError | null>>,
  run: (recorded: Recorded) => Promise<T>,
): Promise<T> {
  const opened = await open()
  if (!opened.ok) return run(nothingRecorded)
  const file = opened.value
  try {
    return await file.asOfNow(() => run(recordedIn(file)))
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
  } finally {
    file.close()
  }
  // The recording desk puts a damaged file aside.
  return run(nothingRecorded)
}

function recordedIn(file: HistoryFile): Recorded {
  const prices = file.values.prices
  if (!file.isFillsWhole) return { ...nothingRecorded, prices }
  return {
    fills: { [Symbol.iterator]: () => file.fills()[Symbol.iterator]() },
    fillCount: file.fillCount(),
    find: (execId) => file.fill(execId),
    newestMs: (latestMs) => {
      const newestMs = file.newestFill(latestMs)?.timestampMs ?? null
      return newestMs !== null && newestMs <= latestMs ? newestMs : null
    },
    unreadableCount: file.unreadableFills,
    otherwise: file.toldOtherwise,
    prices,
  }
}
