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
export function withLook(bar: Bar | null, { atMs, price, spread }: Look, lengthMs: number = minuteMs): Bar {
  const startMs = barStart(atMs, lengthMs)
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
