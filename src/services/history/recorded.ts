import { nextTurn } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { type Fill, newestFillMs } from '../../domain/orders/fills.ts'
import type { RecordedPrices } from '../../domain/positions/own-prices.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { HistoryFile } from '../../history/history-file.ts'

/**
 * What desks recorded of an account: every fill up to some moment, the oldest first, executions that were told again
 * with other terms (a clause each), and prices. The fills are read from the file each time they are gone through: a
 * million of them have no room in memory.
 */
export type Recorded = {
  fills: Iterable<Fill>
  fillCount: number
  /** One of them; null where there is none of this id. */
  find: (execId: string) => Fill | null
  /** When the newest of them happened that is not later than `latestMs`; null of none. */
  newestMs: (latestMs: number) => number | null
  unreadableCount: number
  otherwise?: readonly string[]
  prices?: RecordedPrices
}

/** These fills, the oldest first, as if they had been recorded. */
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

/** To read so many takes some ms. */
const fillsAtOnce = 500

/** All its fills. The desk's own thread, where it is one, has other things to do between them. */
export async function allFills({ fills }: Recorded): Promise<Fill[]> {
  const all: Fill[] = []
  for (const fill of fills) {
    all.push(fill)
    if (all.length % fillsAtOnce === 0) await nextTurn()
  }
  return all
}

/**
 * Runs with what was recorded, so that it is not asked for again; nothing of it changes until that has ended, and
 * nothing of it works afterwards. `open` fails with null where there is none. Nothing of a history that cannot be
 * opened or read, and no fills of one that has not all of them yet: the exchange tells them. `run` must throw the
 * `HistoryError` of one of them before it has done anything: it is begun anew without the history then.
 * `unreadableCount` entries of the list, or fewer, could not be read.
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
  // The desk that records puts a damaged one aside.
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
