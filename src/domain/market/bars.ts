import { minuteMs } from '../../base/text/time-text.ts'
import { compareAmounts, type Decimal } from '../money.ts'
import type { Bar } from './bar.ts'

/** A look: the price at a moment, UTC, and the spread of the book at that time, if any. */
export type Look = { atMs: number; price: Decimal; spread: Decimal | null }

const higher = (left: Decimal, right: Decimal): Decimal => (compareAmounts(left, right) >= 0 ? left : right)
const lower = (left: Decimal, right: Decimal): Decimal => (compareAmounts(left, right) <= 0 ? left : right)

/** The start of a moment's bar; lengths divide a UTC day or are multiples of it. */
export const barStart = (atMs: number, lengthMs: number): number => Math.floor(atMs / lengthMs) * lengthMs

/** Adds a look to `bar`, the minute's bar so far; null or another minute starts a new one. */
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

/** Joins two bars of the same time, the looks of `later` after those of `earlier`, without common looks. */
export const joinedBar = (earlier: Bar, later: Bar): Bar => ({
  ...earlier,
  high: higher(earlier.high, later.high),
  low: lower(earlier.low, later.low),
  close: later.close,
  lookCount: earlier.lookCount + later.lookCount,
  spread: later.spread ?? earlier.spread,
})

/** Joins sorted bars to bars of `lengthMs`, a multiple of their spans. Periods without looks have none. */
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

/** Joins bars of one symbol, oldest first, to one from `startMs` with a span of `spanMs`; null for none. */
export function barOf(bars: readonly Bar[], startMs: number, spanMs: number): Bar | null {
  const [first, ...others] = bars
  return first === undefined ? null : others.reduce(joinedBar, { ...first, startMs, spanMs })
}
