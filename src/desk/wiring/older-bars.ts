import type { Clock } from '../../base/clock.ts'
import type { WantedBars } from '../../domain/market/bar-series.ts'
import { HistoryError } from '../../history/history-database.ts'
import { readOlderBars } from '../../services/history/older-bars.ts'
import { wantedBars } from '../../store/chart.ts'
import type { DeskStore } from '../../store/desk.ts'
import type { NotedEvent } from '../../store/log.ts'
import type { DeskHistory } from '../desk-options.ts'

type Following = {
  /** Undefined for a desk without a history: nothing is read. */
  history: DeskHistory | undefined
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
  clock: Clock
  /** Called once for each reason why the record cannot be read. */
  note: (event: NotedEvent) => void
}

const keyOf = ({ symbol, lengthMs, fromMs, toMs }: WantedBars): string => [symbol, lengthMs, fromMs, toMs].join(' ')

/**
 * Reads the chart's missing bars from the account's history, one read at a time: after it, the bars wanted by then. The
 * same bars are not requested twice, so that an unreadable record costs one attempt.
 */
export function followOlderBars(store: DeskStore, { history, clock, signal, track, note }: Following): void {
  if (history === undefined) return
  let asked = ''
  let told = ''
  const read = async (wanted: WantedBars): Promise<void> => {
    // Opened for each read: it takes a millisecond, and the file may have been set aside since.
    const opened = await history.open({ isReadOnly: true })
    // There is no record yet, or the recorder reports its error.
    if (!opened.ok) return
    try {
      const older = await readOlderBars(opened.value, wanted, signal)
      if (older !== null) store.dispatch({ type: 'olderBarsRead', older })
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error
      const text = `Older bars cannot be read: ${error.message}.`
      if (text !== told) note({ type: 'noted', level: 'warn', text, atMs: clock.now(), isAside: true })
      told = text
    } finally {
      opened.value.close()
    }
  }
  let reading: Promise<void> | null = null
  const take = () => {
    const wanted = signal.aborted || reading !== null ? null : wantedBars(store.getState())
    if (wanted === null || keyOf(wanted) === asked) return
    asked = keyOf(wanted)
    reading = read(wanted).finally(() => {
      reading = null
      take()
    })
    track(reading)
  }
  store.subscribe((state, before) => {
    const isSame = (['chart', 'symbol', 'screen', 'bars', 'olderBars'] as const).every(
      (name) => state[name] === before[name],
    )
    if (!isSame) take()
  })
  take()
}
