import { dayMs, hourMs, minuteMs } from '../../base/text/time-text.ts'
import { type Decimal, sameAmount } from '../money.ts'
import { fromUnits, powerOfTen, toUnits } from '../scaled.ts'
import { type Bar, barSpanMs } from './bar.ts'
import { barStart, joinedBar, type Look, withLook } from './bars.ts'
import { type KeptSpans, usualSpans } from './kept-spans.ts'

/** Amounts per bar: open, high, low, close and spread, in this order. */
const perBar = 5
/** Marks an unknown spread; real ones are never below zero. */
const noSpread = -1n

/**
 * Bars as columns of whole numbers: 52 bytes per bar, where five Decimals take a kilobyte. A symbol's two days of
 * minutes and two months of hours take about 230 kB.
 */
type Columns = {
  /** Amounts are whole units of 10^-`scale`. */
  readonly scale: number
  /** Start and span of each bar in minutes, and its number of looks. */
  readonly starts: Int32Array
  readonly spans: Int32Array
  readonly looks: Int32Array
  /** Arbitrary integers when one has more than 64 bits. */
  readonly amounts: BigInt64Array | bigint[]
  /** Bars written so far. Lists share columns: a list that ends at the last bar appends in place, any other copies. */
  used: number
}

/** Bars of one symbol, oldest first. Immutable: additions return another list. */
export type BarList = {
  readonly past: Columns
  /** Number of past bars that belong to this list. */
  readonly pastCount: number
  /** The last bar, which may still change; null when there is none. */
  readonly running: Bar | null
}

function emptyColumns(scale: number, room: number, wide = false): Columns {
  const amounts = wide ? new Array<bigint>(room * perBar).fill(0n) : new BigInt64Array(room * perBar)
  const [starts, spans, looks] = [new Int32Array(room), new Int32Array(room), new Int32Array(room)]
  return { scale, starts, spans, looks, amounts, used: 0 }
}

/** Free rows after a copy. */
const spareRoom = 64

const startMsAt = ({ starts }: Columns, at: number): number => (starts[at] ?? 0) * minuteMs
const spanMsAt = ({ spans }: Columns, at: number): number => (spans[at] ?? 0) * minuteMs
const amountAt = ({ amounts }: Columns, at: number, place: number): bigint => amounts[at * perBar + place] ?? 0n

const fitsColumn = (units: bigint): boolean => BigInt.asIntN(64, units) === units

/** Appends copies of rows to `to`, which must have the room and a scale at least as fine. */
function copyRows(from: Columns, first: number, end: number, to: Columns): void {
  const at = to.used
  for (const name of ['starts', 'spans', 'looks'] as const) to[name].set(from[name].subarray(first, end), at)
  const { amounts } = from
  if (from.scale === to.scale && amounts instanceof BigInt64Array && to.amounts instanceof BigInt64Array)
    to.amounts.set(amounts.subarray(first * perBar, end * perBar), at * perBar)
  else {
    const factor = powerOfTen(to.scale - from.scale)
    for (let place = first * perBar; place < end * perBar; place += 1) {
      const units = amounts[place] ?? 0n
      const isNone = place % perBar === perBar - 1 && units === noSpread
      to.amounts[(at - first) * perBar + place] = isNone ? units : units * factor
    }
  }
  to.used += end - first
}

/** Decimals needed by a bar's amounts. */
const decimalsOf = (bar: Bar): number =>
  Math.max(...[bar.open, bar.high, bar.low, bar.close, bar.spread].map((each) => each?.decimalPlaces() ?? 0))

function unitsOf({ open, high, low, close, spread }: Bar, scale: number): bigint[] {
  const prices = [open, high, low, close].map((price) => toUnits(price, scale))
  return [...prices, spread === null || spread.lt(0) ? noSpread : toUnits(spread, scale)]
}

const isWide = ({ amounts }: Columns): boolean => !(amounts instanceof BigInt64Array)

/** New columns with the first `count` rows of others, a scale of at least `scale`, and `room` rows. */
function columnsLike(columns: Columns, count: number, scale: number, room: number): Columns {
  const finer = Math.max(scale, columns.scale)
  const factor = powerOfTen(finer - columns.scale)
  const fits = (units: bigint, at: number) => at >= count * perBar || fitsColumn(units * factor)
  const isTooLong = factor > 1n && columns.amounts instanceof BigInt64Array && !columns.amounts.every(fits)
  return emptyColumns(finer, room, isTooLong || isWide(columns))
}

/** Columns with room for another bar after the first `count`; the same ones if they have it. */
function columnsFor(columns: Columns, count: number, scale: number, needsWide: boolean): Columns {
  const hasRoom = columns.used === count && count < columns.starts.length
  if (hasRoom && scale <= columns.scale && (isWide(columns) || !needsWide)) return columns
  const like = columnsLike(columns, count, scale, count + spareRoom)
  const grown = needsWide && !isWide(like) ? emptyColumns(like.scale, count + spareRoom, true) : like
  copyRows(columns, 0, count, grown)
  return grown
}

function writeRow(columns: Columns, startMs: number, spanMs: number, looks: number, units: readonly bigint[]): void {
  const at = columns.used
  columns.starts[at] = startMs / minuteMs
  columns.spans[at] = spanMs / minuteMs
  columns.looks[at] = looks
  for (let place = 0; place < perBar; place += 1) columns.amounts[at * perBar + place] = units[place] ?? 0n
  columns.used += 1
}

/** Appends a bar to the first `count` bars. */
function withBar(columns: Columns, count: number, bar: Bar): Columns {
  const scale = Math.max(columns.scale, decimalsOf(bar))
  const units = unitsOf(bar, scale)
  const next = columnsFor(columns, count, scale, !units.every(fitsColumn))
  writeRow(next, bar.startMs, barSpanMs(bar), bar.lookCount, units)
  return next
}

/** Joins rows `first` to before `end`, at least one, to one bar in units: see `joinedBar`. */
function joinedUnits(columns: Columns, first: number, end: number): { looks: number; units: bigint[] } {
  let [high, low] = [amountAt(columns, first, 1), amountAt(columns, first, 2)]
  let spread = noSpread
  let looks = 0
  for (let at = first; at < end; at += 1) {
    const [itsHigh, itsLow, itsSpread] = [amountAt(columns, at, 1), amountAt(columns, at, 2), amountAt(columns, at, 4)]
    if (itsHigh > high) high = itsHigh
    if (itsLow < low) low = itsLow
    if (itsSpread !== noSpread) spread = itsSpread
    looks += columns.looks[at] ?? 0
  }
  return { looks, units: [amountAt(columns, first, 0), high, low, amountAt(columns, end - 1, 3), spread] }
}

/** Joins rows `first` to before `end`, at least one, to one bar with Decimal amounts: see `joinedBar`. */
function joinedRows(columns: Columns, first: number, end: number, startMs: number, spanMs: number): Bar {
  const { looks, units } = joinedUnits(columns, first, end)
  const amount = (place: number): Decimal => fromUnits(units[place] ?? 0n, columns.scale)
  return {
    startMs,
    ...(spanMs === minuteMs ? {} : { spanMs }),
    open: amount(0),
    high: amount(1),
    low: amount(2),
    close: amount(3),
    lookCount: looks,
    spread: units[4] === noSpread ? null : amount(4),
  }
}

const rowAt = (columns: Columns, at: number): Bar =>
  joinedRows(columns, at, at + 1, startMsAt(columns, at), spanMsAt(columns, at))

export const emptyBarList: BarList = { past: emptyColumns(0, 0), pastCount: 0, running: null }

/** Creates a list of bars sorted by time. */
export function barListOf(bars: readonly Bar[]): BarList {
  const last = bars.at(-1)
  if (last === undefined) return emptyBarList
  const past = bars.slice(0, -1)
  const scale = past.reduce((most, bar) => Math.max(most, decimalsOf(bar)), 0)
  const columns = past.reduce((each, bar, at) => withBar(each, at, bar), emptyColumns(scale, bars.length))
  return { past: columns, pastCount: past.length, running: last }
}

/** All bars of a list, oldest first. */
export const barsOf = ({ past, pastCount, running }: BarList): Bar[] => [
  ...Array.from({ length: pastCount }, (_, at) => rowAt(past, at)),
  ...(running === null ? [] : [running]),
]

/** Index of the first past bar that begins at or after `atMs`. */
function placeOf({ past, pastCount }: BarList, atMs: number): number {
  let [low, high] = [0, pastCount]
  while (low < high) {
    const middle = (low + high) >> 1
    if (startMsAt(past, middle) < atMs) low = middle + 1
    else high = middle
  }
  return low
}

/** End of the rows in the same bar of `lengthMs` as row `first`. */
function endOfBar(list: BarList, first: number, lengthMs: number): number {
  const endMs = barStart(startMsAt(list.past, first), lengthMs) + lengthMs
  let end = first + 1
  while (end < list.pastCount && startMsAt(list.past, end) < endMs) end += 1
  return end
}

/**
 * The bars of `lengthMs` that begin from `fromMs` to before `toMs`, oldest first. Periods without looks have none. Data
 * kept in longer bars gives no shorter ones, which would be one bar per hour.
 */
export function barsBetween(list: BarList, lengthMs: number, fromMs: number, toMs: number): Bar[] {
  const { past, pastCount, running } = list
  const found: Bar[] = []
  for (let at = placeOf(list, fromMs); at < pastCount && startMsAt(past, at) < toMs; ) {
    const end = endOfBar(list, at, lengthMs)
    if (spanMsAt(past, at) <= lengthMs)
      found.push(joinedRows(past, at, end, barStart(startMsAt(past, at), lengthMs), lengthMs))
    at = end
  }
  if (running === null || running.startMs < fromMs || running.startMs >= toMs || barSpanMs(running) > lengthMs)
    return found
  const startMs = barStart(running.startMs, lengthMs)
  const last = found.at(-1)
  if (last?.startMs === startMs) found[found.length - 1] = joinedBar(last, running)
  else found.push({ ...running, startMs, ...(lengthMs === minuteMs ? {} : { spanMs: lengthMs }) })
  return found
}

/** The last kept bar that begins at or before a moment; null when there is none. */
export function lastBarAt(list: BarList, atMs: number): Bar | null {
  const { past, running } = list
  if (running !== null && running.startMs <= atMs) return running
  const at = placeOf(list, atMs + 1) - 1
  return at < 0 ? null : joinedRows(past, at, at + 1, startMsAt(past, at), spanMsAt(past, at))
}

/** Start of the last bar of `lengthMs` before `atMs`, which is a bar's start; null when there is none. */
export function barBefore(list: BarList, lengthMs: number, atMs: number): number | null {
  const { past, running } = list
  if (running !== null && running.startMs < atMs) return barStart(running.startMs, lengthMs)
  const at = placeOf(list, atMs) - 1
  return at < 0 || spanMsAt(past, at) > lengthMs ? null : barStart(startMsAt(past, at), lengthMs)
}

/** Start of the first bar of `lengthMs` at or after `atMs`, which is a bar's start; null when there is none. */
export function barFrom(list: BarList, lengthMs: number, atMs: number): number | null {
  const { past, pastCount, running } = list
  let at = placeOf(list, atMs)
  while (at < pastCount && spanMsAt(past, at) > lengthMs) at += 1
  if (at < pastCount) return barStart(startMsAt(past, at), lengthMs)
  return running === null || running.startMs < atMs ? null : barStart(running.startMs, lengthMs)
}

/** Start of the oldest bar with a span of at most `spanMax`; null when there is none. */
export function firstStart({ past, pastCount, running }: BarList, spanMax: number): number | null {
  for (let at = 0; at < pastCount; at += 1) if (spanMsAt(past, at) <= spanMax) return startMsAt(past, at)
  return running?.startMs ?? null
}

/** The bars that begin at `atMs` or before; the same list if these are all. */
export function barsUpTo(list: BarList, atMs: number): BarList {
  const { past, running } = list
  if (running === null || running.startMs <= atMs) return list
  const count = placeOf(list, atMs + 1)
  return count === 0 ? emptyBarList : { past, pastCount: count - 1, running: rowAt(past, count - 1) }
}

type Range = { high: Decimal; low: Decimal; sinceMs: number }

/** Cached ranges of the past, by columns: needed with every price, but changed once a minute. */
const ranges = new WeakMap<Columns, { count: number; from: number; high: bigint; low: bigint }>()

/**
 * The highest and lowest price of the bars since `fromMs`, and the start of the oldest of them; null when there is
 * none.
 */
export function rangeSince(list: BarList, fromMs: number): Range | null {
  const { past, pastCount: count, running } = list
  if (running === null || running.startMs < fromMs) return null
  const from = placeOf(list, fromMs)
  if (from === count) return { high: running.high, low: running.low, sinceMs: running.startMs }
  let known = ranges.get(past)
  if (known?.count !== count || known.from !== from) {
    const { units } = joinedUnits(past, from, count)
    known = { count, from, high: units[1] ?? 0n, low: units[2] ?? 0n }
    ranges.set(past, known)
  }
  const [high, low] = [fromUnits(known.high, past.scale), fromUnits(known.low, past.scale)]
  return {
    high: running.high.gt(high) ? running.high : high,
    low: running.low.lt(low) ? running.low : low,
    sinceMs: startMsAt(past, from),
  }
}

/**
 * The range of the day up to the last bar, and whether it is recorded from its start, within a quarter of an hour; null
 * for an empty list.
 */
export function dayRange(list: BarList): (Range & { isWhole: boolean }) | null {
  if (list.running === null) return null
  const fromMs = list.running.startMs + minuteMs - dayMs
  const range = rangeSince(list, fromMs)
  return range === null ? null : { ...range, isWhole: range.sinceMs - fromMs <= hourMs / 4 }
}

/** The rows before `end` that become one bar of `lengthMs` each, from `first` on: where each of them ends. */
function endsOf(list: BarList, [first, end]: [number, number], lengthMs: number): number[] {
  const ends: number[] = []
  for (let at = first; at < end; at = ends.at(-1) ?? end)
    ends.push(spanMsAt(list.past, at) >= lengthMs ? at + 1 : Math.min(end, endOfBar(list, at, lengthMs)))
  return ends
}

/** Thins a list to its last minutes, preceded by longer bars. */
export function keptBars(list: BarList, { minutesMs, longerForMs, longerMs } = usualSpans): BarList {
  const { past, pastCount, running } = list
  if (running === null) return list
  const minutesFromMs = barStart(running.startMs - minutesMs, longerMs)
  const minutesAt = placeOf(list, minutesFromMs)
  const firstAt = placeOf(list, minutesFromMs - longerForMs)
  let isKept = firstAt === 0
  for (let at = firstAt; at < minutesAt && isKept; at += 1) isKept = spanMsAt(past, at) >= longerMs
  if (isKept) return list
  const ends = endsOf(list, [firstAt, minutesAt], longerMs)
  const next = emptyColumns(past.scale, ends.length + pastCount - minutesAt + spareRoom, isWide(past))
  let at = firstAt
  for (const end of ends) {
    if (spanMsAt(past, at) >= longerMs) copyRows(past, at, end, next)
    else {
      const { looks, units } = joinedUnits(past, at, end)
      writeRow(next, barStart(startMsAt(past, at), longerMs), longerMs, looks, units)
    }
    at = end
  }
  copyRows(past, minutesAt, pastCount, next)
  return { past: next, pastCount: next.used, running }
}

/**
 * Adds a look to the last bar, or as a new bar; returns the same list when it is not new, or of an earlier minute.
 * Repeated looks of a minute are not counted.
 */
export function withLookAtEnd(list: BarList, look: Look, kept: KeptSpans = usualSpans): BarList {
  const { past, pastCount, running } = list
  if (running === null) return { ...list, running: withLook(null, look) }
  const startMs = barStart(look.atMs, minuteMs)
  if (startMs < running.startMs) return list
  if (startMs === running.startMs) {
    const isSame = sameAmount(running.close, look.price)
    if (isSame && (look.spread === null || sameAmount(running.spread, look.spread))) return list
    return { ...list, running: withLook(running, look) }
  }
  const next = { past: withBar(past, pastCount, running), pastCount: pastCount + 1, running: withLook(null, look) }
  const longerOf = (atMs: number) => barStart(atMs - kept.minutesMs, kept.longerMs)
  return longerOf(running.startMs) === longerOf(startMs) ? next : keptBars(next, kept)
}

/**
 * Merges recorded bars, in any order, with the desk's own. A minute in both becomes one bar; recorded looks come first,
 * because an earlier run made them.
 */
export function mergedBars(recorded: readonly Bar[], own: BarList, kept: KeptSpans = usualSpans): BarList {
  if (recorded.length === 0) return own
  const sorted = recorded.toSorted((left, right) => left.startMs - right.startMs)
  const { pastCount, running } = own
  const past = running === null ? own.past : withBar(own.past, pastCount, running)
  const all = { past, pastCount: running === null ? 0 : pastCount + 1, running: null }
  const scale = sorted.reduce((most, bar) => Math.max(most, decimalsOf(bar)), past.scale)
  let columns = columnsLike(past, all.pastCount, scale, sorted.length + all.pastCount + spareRoom)
  let at = 0
  /** Copies the own bars up to an index. */
  const addOwn = (end: number) => {
    copyRows(past, at, end, columns)
    at = end
  }
  for (const bar of sorted) {
    addOwn(Math.max(at, placeOf(all, bar.startMs)))
    const isBoth = at < all.pastCount && startMsAt(past, at) === bar.startMs
    columns = withBar(columns, columns.used, isBoth ? joinedBar(bar, rowAt(past, at)) : bar)
    if (isBoth) at += 1
  }
  addOwn(all.pastCount)
  const last = columns.used - 1
  return keptBars({ past: columns, pastCount: last, running: rowAt(columns, last) }, kept)
}
