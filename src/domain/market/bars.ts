import { minuteMs } from '../../base/time-text.ts'
import type { Ticker } from '../balance.ts'
import { compareAmounts, type Decimal } from '../money.ts'
import type { Bar } from './bar.ts'
import { type Book, midPrice, spread } from './book.ts'

/** One look at a symbol's price: `spread` is null where no book was seen with it. */
export type Look = { atMs: number; price: Decimal; spread: Decimal | null }

/** The minute of UTC that a moment is in, by its first instant. */
export const minuteStart = (atMs: number): number => Math.floor(atMs / minuteMs) * minuteMs

/** How much time a bar covers: a minute, unless it was made of bars that were thinned. */
export const barSpanMs = ({ spanMs = minuteMs }: Bar): number => spanMs

/**
 * The bar of the look's minute: `bar` with the look in it where it is of that minute, else a new one. A look without a
 * spread leaves the one that was seen.
 */
export function withLook(bar: Bar | null, { atMs, price, spread }: Look): Bar {
  const startMs = minuteStart(atMs)
  const look = { startMs, open: price, high: price, low: price, close: price, lookCount: 1, spread }
  return bar === null || bar.startMs !== startMs ? look : mergedBars(bar, look)
}

/** Two bars of the same time as one, the looks of `later` after those of `earlier`. No look may be in both. */
export const mergedBars = (earlier: Bar, later: Bar): Bar => ({
  ...earlier,
  high: compareAmounts(later.high, earlier.high) > 0 ? later.high : earlier.high,
  low: compareAmounts(later.low, earlier.low) < 0 ? later.low : earlier.low,
  close: later.close,
  lookCount: earlier.lookCount + later.lookCount,
  spread: later.spread ?? earlier.spread,
})

/** Bars of one symbol, the oldest first, as one that begins at `startMs` and covers `spanMs`; null of none. */
export function barOf(bars: readonly Bar[], startMs: number, spanMs: number): Bar | null {
  const [first, ...others] = bars
  return first === undefined ? null : others.reduce(mergedBars, { ...first, startMs, spanMs })
}

/**
 * The look that a ticker is, with the spread of the symbol's book where one was seen lately: at the last price, or
 * half-way between the best prices where the symbol has not traded yet. Null where nobody says a price.
 */
export function lookAt({ lastPrice }: Pick<Ticker, 'lastPrice'>, book: Book | null, atMs: number): Look | null {
  const price = lastPrice ?? (book === null ? null : midPrice(book))
  if (price === null) return null
  const wide = book === null ? null : spread(book)
  // Only the book of an auction is crossed: that is no spread.
  return { atMs, price, spread: wide === null || wide.lt(0) ? null : wide }
}
