import { dayMs, hourMs, minuteMs } from '../../base/time-text.ts'
import { compareAmounts, type Decimal, sameAmount } from '../money.ts'
import type { Bar } from './bar.ts'

/** A price that was seen at a moment, UTC, and the spread of the book beside it where one was seen. */
export type Look = { atMs: number; price: Decimal; spread: Decimal | null }

const higher = (left: Decimal, right: Decimal): Decimal => (compareAmounts(left, right) >= 0 ? left : right)
const lower = (left: Decimal, right: Decimal): Decimal => (compareAmounts(left, right) <= 0 ? left : right)

/** The first instant of the bar that a moment is in: all lengths are whole parts, or a whole number, of a UTC day. */
export const barStart = (atMs: number, lengthMs: number): number => Math.floor(atMs / lengthMs) * lengthMs

/** The bar with a look in it: `bar` is that minute's so far; null, or one of another minute, begins a new one. */
export function withLook(bar: Bar | null, { atMs, price, spread }: Look): Bar {
  const startMs = barStart(atMs, minuteMs)
  if (bar === null || bar.startMs !== startMs)
    return { startMs, open: price, high: price, low: price, close: price, lookCount: 1, spread }
  return {
    startMs,
    open: bar.open,
    high: higher(bar.high, price),
    low: lower(bar.low, price),
    close: price,
    lookCount: bar.lookCount + 1,
    spread: spread ?? bar.spread,
  }
}

/** Two bars of the same time as one, the looks of `later` after those of `earlier`. No look may be in both. */
export const joinedBar = (earlier: Bar, later: Bar): Bar => ({
  ...earlier,
  high: higher(earlier.high, later.high),
  low: lower(earlier.low, later.low),
  close: later.close,
  lookCount: earlier.lookCount + later.lookCount,
  spread: later.spread ?? earlier.spread,
})

/** The place of the first bar that begins at `atMs` or later, from `from` on. */
function placeOf(bars: readonly Bar[], atMs: number, from = 0): number {
  let [low, high] = [from, bars.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bars[middle]?.startMs ?? Number.POSITIVE_INFINITY) < atMs) low = middle + 1
    else high = middle
  }
  return low
}

/** What became of the bars that ended with this one, so that what is over is not put together again. */
const made = new WeakMap<Bar, { first: Bar; count: number; lengthMs: number; bar: Bar }>()

/** The bars of one longer stretch, `from` to `to` in the list, as one; there is at least one. */
function oneBar(bars: readonly Bar[], from: number, to: number, lengthMs: number): Bar | undefined {
  const [first, last] = [bars[from], bars[to - 1]]
  if (first === undefined || last === undefined) return undefined
  const known = made.get(last)
  if (known?.first === first && known.count === to - from && known.lengthMs === lengthMs) return known.bar
  const startMs = barStart(first.startMs, lengthMs)
  let bar: Bar = first.startMs === startMs ? first : { ...first, startMs }
  for (let at = from + 1; at < to; at += 1) bar = joinedBar(bar, bars[at] ?? bar)
  made.set(last, { first, count: to - from, lengthMs, bar })
  return bar
}

/** Older bars are kept by the hour: a chart of shorter bars ends there. */
export const minutesKeptMs = 2 * dayMs
export const hoursKeptMs = 60 * dayMs

/** From when on a list holds minutes; before it, hours. */
function minutesFromMs(bars: readonly Bar[]): number {
  const last = bars.at(-1)
  return last === undefined ? 0 : barStart(last.startMs - minutesKeptMs, hourMs)
}

/**
 * The bars of `lengthMs` that begin from `fromMs` to before `toMs`, of a list of minute bars, the oldest first. A
 * stretch in which nobody looked has none. What is kept by the hour is not in shorter bars: it would tell of one bar an
 * hour.
 */
export function barsBetween(bars: readonly Bar[], lengthMs: number, fromMs: number, toMs: number): readonly Bar[] {
  const leastMs = lengthMs < hourMs ? Math.max(fromMs, minutesFromMs(bars)) : fromMs
  const found: Bar[] = []
  let at = placeOf(bars, leastMs)
  for (let next = bars[at]; next !== undefined && next.startMs < toMs; next = bars[at]) {
    const end = placeOf(bars, barStart(next.startMs, lengthMs) + lengthMs, at)
    const bar = oneBar(bars, at, end, lengthMs)
    if (bar !== undefined) found.push(bar)
    at = end
  }
  return found
}

/** A list as it is kept: the last two days by the minute, two months before them by the hour. */
export function keptBars(bars: readonly Bar[]): readonly Bar[] {
  const fromMs = minutesFromMs(bars)
  const minutesAt = placeOf(bars, fromMs)
  if (minutesAt === 0) return bars
  const older = barsBetween(bars, hourMs, fromMs - hoursKeptMs, fromMs)
  return older.length === minutesAt ? bars : [...older, ...bars.slice(minutesAt)]
}

/**
 * The list with a look in its last bar, or in a new one behind it: the very same list where it tells nothing new, or is
 * of an earlier minute. Looks that repeat the last one of their minute are not counted. Nothing but the list itself is
 * copied: 1.3 µs at 4,000 bars.
 */
export function withLookAtEnd(bars: readonly Bar[], look: Look): readonly Bar[] {
  const last = bars.at(-1) ?? null
  const startMs = barStart(look.atMs, minuteMs)
  if (last !== null && startMs < last.startMs) return bars
  const isRunning = last?.startMs === startMs
  if (isRunning && sameAmount(last.close, look.price) && (look.spread === null || sameAmount(last.spread, look.spread)))
    return bars
  const next = bars.slice(0)
  if (isRunning) next[next.length - 1] = withLook(last, look)
  else next.push(withLook(null, look))
  const isNewHour = last !== null && barStart(last.startMs, hourMs) !== barStart(startMs, hourMs)
  return isNewHour ? keptBars(next) : next
}

/**
 * Recorded bars and those that the desk has seen itself as one list. A minute that both have is one bar: recorded looks
 * came first, for an earlier run of the desk made them.
 */
export function mergedBars(recorded: readonly Bar[], own: readonly Bar[]): readonly Bar[] {
  if (recorded.length === 0) return own
  const byStart = new Map(recorded.map((bar) => [bar.startMs, bar]))
  for (const bar of own) {
    const before = byStart.get(bar.startMs)
    byStart.set(bar.startMs, before === undefined || before === bar ? bar : joinedBar(before, bar))
  }
  return keptBars([...byStart.values()].toSorted((left, right) => left.startMs - right.startMs))
}
