import type { Bar } from './bar.ts'
import { type BarList, barBefore, barFrom, barsBetween, firstStart } from './bar-list.ts'
import { barStart } from './bars.ts'

/** Bars that were asked of the account's record: those that begin from `fromMs` to before `toMs`. */
export type WantedBars = { symbol: string; lengthMs: number; fromMs: number; toMs: number }

/** What the record has of them. */
export type RecordedBars = WantedBars & {
  /** The first instant of the oldest bar of this length in the whole record; null: there is none. */
  firstMs: number | null
  list: BarList
}

/** All that a chart shows of one symbol in bars of one length: what the desk keeps, and before it the record. */
export type BarSeries = {
  lengthMs: number
  kept: BarList
  recorded: RecordedBars | null
  /** Bars that begin here or later are made of what is kept. */
  keptFromMs: number
}

/** From where on every bar of a length is whole in a list; null where it has none. */
function wholeFrom(list: BarList, lengthMs: number): number | null {
  const first = firstStart(list, lengthMs)
  if (first === null || list.running === null) return null
  return Math.min(Math.ceil(first / lengthMs) * lengthMs, barStart(list.running.startMs, lengthMs))
}

/** The series of a list and of the record of the same symbol, which counts where it is of bars of that length. */
export function barSeries(kept: BarList, read: RecordedBars | null, lengthMs: number): BarSeries {
  const recorded = read?.lengthMs === lengthMs ? read : null
  const wholeMs = wholeFrom(kept, lengthMs)
  const hasOlder = recorded !== null && recorded.firstMs !== null && (wholeMs === null || recorded.firstMs < wholeMs)
  const keptFromMs = hasOlder ? (wholeMs ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY
  return { lengthMs, kept, recorded, keptFromMs }
}

/** Its bars that begin from `fromMs` to before `toMs`, the oldest first. Where nobody looked there is none. */
export const seriesBetween = (
  { kept, recorded, lengthMs, keptFromMs }: BarSeries,
  fromMs: number,
  toMs: number,
): Bar[] => [
  ...(recorded === null ? [] : barsBetween(recorded.list, lengthMs, fromMs, Math.min(toMs, keptFromMs))),
  ...barsBetween(kept, lengthMs, Math.max(fromMs, keptFromMs), toMs),
]

/** The first instant of its oldest bar, also of one that is recorded and not read; null where there is none. */
export function seriesStart({ kept, recorded, lengthMs }: BarSeries): number | null {
  const starts = [firstStart(kept, lengthMs), recorded?.firstMs ?? null].filter((start) => start !== null)
  return starts.length === 0 ? null : barStart(Math.min(...starts), lengthMs)
}

/**
 * The first instant of the bar before, or after, one that begins at `atMs`, among those that were read; null of none.
 */
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
 * What a picture from `startMs` to `endMs` lacks of the record, and as much again on both sides for who moves on; null
 * where nothing is missing. Until the record has told how far it goes back, it is asked for that at least.
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

/** Whether bars of that time are recorded and not read yet. */
export const isUnread = (series: BarSeries, symbol: string, startMs: number, endMs: number): boolean =>
  series.recorded !== null && missingBars(series, symbol, startMs, endMs) !== null
