import { nextTurn } from '../../base/clock.ts'
import { dayMs } from '../../base/text/time-text.ts'
import { type Bar, barSpanMs } from '../../domain/market/bar.ts'
import { barListOf } from '../../domain/market/bar-list.ts'
import type { RecordedBars, WantedBars } from '../../domain/market/bar-series.ts'
import { longerBars } from '../../domain/market/bars.ts'
import type { HistoryFile } from '../../history/history-file.ts'

/** Maximum bars read in one turn, which takes some ms: as many as a day has minutes. */
const rowsAtOnce = dayMs / 60_000

/**
 * Reads the recorded bars that a chart asks for, with pauses in which keys are handled; null when the signal is
 * aborted. Periods recorded in longer bars than requested are left out. Throws only `HistoryError`.
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
