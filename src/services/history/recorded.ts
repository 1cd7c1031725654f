import { nextTurn } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import { usdAtFrom } from '../../domain/market/usd-at.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { UsdAt } from '../../domain/positions/position.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { HistoryFile } from '../../history/history-file.ts'

/** What desks recorded of an account: every fill up to some moment, the oldest first, and prices. */
export type Recorded = { fills: readonly Fill[]; unreadableCount: number; usdAt?: UsdAt }

const nothingRecorded: Recorded = { fills: [], unreadableCount: 0 }
/** To read so many takes some ms. */
const fillsAtOnce = 500

/**
 * Runs with what was recorded, so that it is not asked for again; `usdAt` works until it has ended, and throws
 * `HistoryError`. `open` fails with null where there is none. Nothing of a history that cannot be opened or read, and
 * no fills of one that has not all of them yet: the exchange tells them. `unreadableCount` entries of the list, or
 * fewer, could not be read.
 */
export async function withRecorded<T>(
  open: () => Promise<Result<HistoryFile, HistoryError | null>>,
  run: (recorded: Recorded) => Promise<T>,
): Promise<T> {
  const opened = await open()
  if (!opened.ok) return run(nothingRecorded)
  try {
    return await run(await recordedIn(opened.value))
  } finally {
    opened.value.close()
  }
}

async function recordedIn(file: HistoryFile): Promise<Recorded> {
  try {
    const fills: Fill[] = []
    for (const fill of file.isFillsWhole ? file.fills() : []) {
      fills.push(fill)
      // The desk's own thread, where it is one, has other things to do.
      if (fills.length % fillsAtOnce === 0) await nextTurn()
    }
    return { fills, unreadableCount: file.unreadableFills, usdAt: usdAtFrom(file) }
  } catch (error) {
    if (error instanceof HistoryError) return nothingRecorded
    throw error
  }
}
