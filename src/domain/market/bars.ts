import { minuteMs } from '../../base/time-text.ts'
import { compareAmounts, type Decimal } from '../money.ts'
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

/**
 * Bars in order of time as bars of `lengthMs`, a whole number of their spans. A stretch in which nobody looked has
 * none.
 */
export function longerBars(bars: Iterable<Bar>, lengthMs: number): Bar[] {
  const longer: Bar[] = []
  for (const bar of bars) {
    const startMs = barStart(bar.startMs, lengthMs)
    const last = longer.at(-1)
    if (last?.startMs === startMs) longer[longer.length - 1] = joinedBar(last, bar)
    else longer.push({ ...bar, startMs, spanMs: lengthMs })
  }
  return longer
}

/** Bars of one symbol, the oldest first, as one that begins at `startMs` and covers `spanMs`; null of none. */
export function barOf(bars: readonly Bar[], startMs: number, spanMs: number): Bar | null {
  const [first, ...others] = bars
  return first === undefined ? null : others.reduce(joinedBar, { ...first, startMs, spanMs })
}
