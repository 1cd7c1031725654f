import type { Bar } from './bar.ts'
import { type BarList, barBefore, barFrom, barsBetween, firstStart } from './bar-list.ts'
import { barStart } from './bars.ts'

/** Bars requested from the account's record: those that begin from `fromMs` to before `toMs`. */
export type WantedBars = { symbol: string; lengthMs: number; fromMs: number; toMs: number }

/** The record's bars for a request. */
export type RecordedBars = WantedBars & {
  /** Start of the oldest bar of this length in the whole record; null when there is none. */
  firstMs: number | null
  list: BarList
}

/** The bars of one length that a chart shows of a symbol: the desk's, preceded by the record's. */
export type BarSeries = {
  lengthMs: number
  kept: BarList
  recorded: RecordedBars | null
  /** Bars from here on are the desk's. */
  keptFromMs: number
}

/** Start of the first complete bar of a length in a list; null when there is none. */
function wholeFrom(list: BarList, lengthMs: number): number | null {
  const first = firstStart(list, lengthMs)
  if (first === null || list.running === null) return null
  return Math.min(Math.ceil(first / lengthMs) * lengthMs, barStart(list.running.startMs, lengthMs))
}

/** Creates a series of a list and the symbol's record, which is used if it has bars of that length. */
export function barSeries(kept: BarList, read: RecordedBars | null, lengthMs: number): BarSeries {
  const recorded = read?.lengthMs === lengthMs ? read : null
  const wholeMs = wholeFrom(kept, lengthMs)
  const hasOlder = recorded !== null && recorded.firstMs !== null && (wholeMs === null || recorded.firstMs < wholeMs)
  const keptFromMs = hasOlder ? (wholeMs ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY
  return { lengthMs, kept, recorded, keptFromMs }
}

/** Its bars that begin from `fromMs` to before `toMs`, oldest first; none for periods without looks. */
export const seriesBetween = (
  { kept, recorded, lengthMs, keptFromMs }: BarSeries,
  fromMs: number,
  toMs: number,
): Bar[] => [
  ...(recorded === null ? [] : barsBetween(recorded.list, lengthMs, fromMs, Math.min(toMs, keptFromMs))),
  ...barsBetween(kept, lengthMs, Math.max(fromMs, keptFromMs), toMs),
]

/** Start of its oldest bar, including recorded ones not read yet; null when there is none. */
export function seriesStart({ kept, recorded, lengthMs }: BarSeries): number | null {
  const starts = [firstStart(kept, lengthMs), recorded?.firstMs ?? null].filter((start) => start !== null)
  return starts.length === 0 ? null : barStart(Math.min(...starts), lengthMs)
}

/** Start of the bar before or after the one at `atMs`, among those read; null when there is none. */
export function seriesStep(
  { kept, recorded, lengthMs, keptFromMs }: BarSeries,
  atMs: number,
  by: -1 | 1,
): number | null {
  const near = (list: BarList): number | null =>
    by < 0 ? barBefore(list, lengthMs, atMs) : barFrom(list, lengthMs, atMs + lengthMs)
  const own = near(kept)
  const isOwn = own !== null && own >= keptFromMs
  if (recorded === null) return own
  if (by < 0) return isOwn ? own : near(recorded.list)
  const older = near(recorded.list)
  return older !== null && older < keptFromMs ? older : own
}

/**
 * The recorded bars missing for a chart from `startMs` to `endMs`, with the same span on both sides for scrolling; null
 * when none are. Requested at least once, to learn how far back the record goes.
 */
export function missingBars(series: BarSeries, symbol: string, startMs: number, endMs: number): WantedBars | null {
  const { kept, recorded, lengthMs } = series
  const keptMs = wholeFrom(kept, lengthMs) ?? Number.POSITIVE_INFINITY
  const spanMs = endMs - startMs
  const toMs = Math.min(endMs + spanMs, keptMs)
  const wanted = { symbol, lengthMs, fromMs: Math.min(startMs - spanMs, toMs), toMs }
  if (recorded === null) return startMs < keptMs ? wanted : { ...wanted, fromMs: keptMs, toMs: keptMs }
  const { firstMs } = recorded
  if (firstMs === null) return null
  const [needFrom, needTo] = [Math.max(startMs, barStart(firstMs, lengthMs)), Math.min(endMs, keptMs)]
  const isRead = needFrom >= needTo || (recorded.fromMs <= needFrom && recorded.toMs >= needTo)
  return isRead ? null : wanted
}

/** True when bars of that time are recorded but not read. */
export const isUnread = (series: BarSeries, symbol: string, startMs: number, endMs: number): boolean =>
  series.recorded !== null && missingBars(series, symbol, startMs, endMs) !== null
