import { nextTurn } from '../../base/clock.ts'
import { dayMs } from '../../base/time-text.ts'
import { type Bar, barSpanMs } from '../../domain/market/bar.ts'
import { barListOf } from '../../domain/market/bar-list.ts'
import type { RecordedBars, WantedBars } from '../../domain/market/bar-series.ts'
import { longerBars } from '../../domain/market/bars.ts'
import type { HistoryFile } from '../../history/history-file.ts'

/** Rows of at most so many days of minutes are read in one turn, or as many of longer bars: some ms. */
const rowsAtOnce = dayMs / 60_000

/**
 * Reads what a chart asks of the record, with pauses in which keys are handled; null where the signal came. What is
 * recorded in longer bars than were asked for is not in it. Throws `HistoryError` alone.
 */
export async function readOlderBars(
  file: HistoryFile,
  wanted: WantedBars,
  signal: AbortSignal,
): Promise<RecordedBars | null> {
  const { symbol, lengthMs, fromMs, toMs } = wanted
  const firstMs = file.firstBarMs(symbol, lengthMs)
  const rows: Bar[] = []
  let count = 0
  if (fromMs < toMs)
    for (const bar of file.eachBar(symbol, fromMs, toMs - 1)) {
      if (barSpanMs(bar) <= lengthMs) rows.push(bar)
      count += 1
      if (count % rowsAtOnce === 0) await nextTurn()
      if (signal.aborted) return null
    }
  return { ...wanted, firstMs, list: barListOf(longerBars(rows, lengthMs)) }
}
