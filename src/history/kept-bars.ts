import { dayMs, hourMs, minuteMs } from '../base/text/time-text.ts'
import { type HistoryDatabase, putMark, readMark } from './history-database.ts'

/** How long the file keeps a symbol's bars of a minute, of an hour and of a day; all in ms from now. */
export type DiskSpans = { minutesMs: number; hoursMs: number; daysMs: number }

/** What is kept of each symbol, unless there are very many: 3 MB of the first year. */
export const wholeSpans: DiskSpans = { minutesMs: 14 * dayMs, hoursMs: 366 * dayMs, daysMs: Number.POSITIVE_INFINITY }
/** Symbols of which all is kept, whoever looks at them. */
const wholeSymbols = 200
/** Bars of more symbols together: some 500 MB. */
const barsMax = 6_000_000
/**
 * What is kept of each symbol however many there are: minutes of more than a day, of which a start of the desk makes
 * the range of that day, hours of a week and days of a year; some 150 kB.
 */
const leastSpans: DiskSpans = { minutesMs: 26 * hourMs, hoursMs: 7 * dayMs, daysMs: 366 * dayMs }

/** What is kept of each of so many symbols: of many, a third of their share in minutes, in hours, and in days. */
export function diskSpansOf(symbolCount: number): DiskSpans {
  if (symbolCount <= wholeSymbols) return wholeSpans
  const each = Math.floor(barsMax / symbolCount / 3)
  return {
    minutesMs: Math.min(Math.max(each * minuteMs, leastSpans.minutesMs), wholeSpans.minutesMs),
    hoursMs: Math.min(Math.max(each * hourMs, leastSpans.hoursMs), wholeSpans.hoursMs),
    daysMs: Math.max(each * dayMs, leastSpans.daysMs),
  }
}

/** Symbols of which all is kept however many there are; how long a look at one counts. */
const lookedMax = 100
const lookedMs = 90 * dayMs
/** How long a symbol without a price is kept; how long desks must have run by then, so that it could have had one. */
const silentMs = 366 * dayMs
const ranMs = 7 * dayMs

const lookMark = 'looked at '
const lookRange = "name >= 'looked at ' AND name < 'looked at!'"

/** Records that a desk shows or values these symbols; forgets looks of long ago. Call inside a write. */
export function noteLooks(database: HistoryDatabase, symbols: Iterable<string>, nowMs: number): void {
  for (const symbol of symbols) putMark(database, lookMark + symbol, String(nowMs))
  database.run(`DELETE FROM marks WHERE ${lookRange} AND CAST(value AS INTEGER) < ?`, nowMs - lookedMs)
}

function looksIn(database: HistoryDatabase): Set<string> {
  const sql = `SELECT name FROM marks WHERE ${lookRange} ORDER BY CAST(value AS INTEGER) DESC LIMIT ${lookedMax}`
  return new Set(database.all(sql).map(({ name }) => String(name).slice(lookMark.length)))
}

/**
 * Whether desks have kept this file up for a week without a longer pause: after a pause of a year every symbol would
 * seem silent. Call once a round.
 */
function hasRun(database: HistoryDatabase, nowMs: number): boolean {
  const [lastMs, fromMs] = ['thinnedAt', 'thinnedFrom'].map((name) => Number(readMark(database, name) ?? Number.NaN))
  const isOn = lastMs !== undefined && lastMs <= nowMs && nowMs - lastMs < ranMs
  const sinceMs = isOn && fromMs !== undefined && fromMs <= nowMs ? fromMs : nowMs
  database.write(() => {
    putMark(database, 'thinnedAt', String(nowMs))
    putMark(database, 'thinnedFrom', String(sinceMs))
  })
  return nowMs - sinceMs >= ranMs
}

/** What a round of thinning keeps of each symbol. */
export type KeptBars = {
  spansOf(symbol: string): DiskSpans
  /** Whether a symbol whose last bar begins then is removed: nobody shows it, and it is not listed any more. */
  isGone(symbol: string, lastMs: number): boolean
}

/** The rule for a file with so many symbols, for one round. */
export function keptBarsIn(database: HistoryDatabase, symbolCount: number, nowMs: number): KeptBars {
  const spans = diskSpansOf(symbolCount)
  const looks = looksIn(database)
  const mayRemove = hasRun(database, nowMs)
  return {
    spansOf: (symbol) => (looks.has(symbol) ? wholeSpans : spans),
    isGone: (symbol, lastMs) => mayRemove && lastMs < nowMs - silentMs && !looks.has(symbol),
  }
}
