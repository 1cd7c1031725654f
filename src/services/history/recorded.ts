import { nextTurn } from '../../base/clock.ts'
import type { Result } from '../../base/result.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { RecordedPrices } from '../../domain/positions/own-prices.ts'
import { HistoryError } from '../../history/history-database.ts'
import type { HistoryFile } from '../../history/history-file.ts'

/**
 * What desks recorded of an account: every fill up to some moment, the oldest first, executions that were told again
 * with other terms (a clause each), and prices.
 */
export type Recorded = {
  fills: readonly Fill[]
  unreadableCount: number
  otherwise?: readonly string[]
  prices?: RecordedPrices
}

const nothingRecorded: Recorded = { fills: [], unreadableCount: 0 }
/** To read so many takes some ms. */
const fillsAtOnce = 500

/**
 * Runs with what was recorded, so that it is not asked for again; `prices` work until it has ended. `open` fails with
 * null where there is none. Nothing of a history that cannot be opened or read, and no fills of one that has not all of
 * them yet: the exchange tells them. `run` must throw the `HistoryError` of one of them before it has done anything: it
 * is begun anew without the history then. `unreadableCount` entries of the list, or fewer, could not be read.
 */
export async function withRecorded<T>(
  open: () => Promise<Result<HistoryFile, HistoryError | null>>,
  run: (recorded: Recorded) => Promise<T>,
): Promise<T> {
  const opened = await open()
  if (!opened.ok) return run(nothingRecorded)
  try {
    return await run(await recordedIn(opened.value))
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error
  } finally {
    opened.value.close()
  }
  // The desk that records puts a damaged one aside.
  return run(nothingRecorded)
}

async function recordedIn(file: HistoryFile): Promise<Recorded> {
  try {
    const fills: Fill[] = []
    for (const fill of file.isFillsWhole ? file.fills() : []) {
      fills.push(fill)
      // The desk's own thread, where it is one, has other things to do.
      if (fills.length % fillsAtOnce === 0) await nextTurn()
    }
    return {
      ...{ fills, unreadableCount: file.unreadableFills, otherwise: file.toldOtherwise },
      prices: file.values.prices,
    }
  } catch (error) {
    if (error instanceof HistoryError) return nothingRecorded
    throw error
  }
}
