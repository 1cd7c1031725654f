import { minuteMs } from '../../base/time-text.ts'
import type { Ticker } from '../balance.ts'
import { compareAmounts } from '../money.ts'
import type { Bar } from './bar.ts'
import type { Look } from './bars.ts'
import { type Book, midPrice, spread } from './book.ts'

/** How much time a bar covers: a minute, unless it was made of bars that were thinned. */
export const barSpanMs = ({ spanMs = minuteMs }: Bar): number => spanMs

/** Two bars of the same time as one, the looks of `later` after those of `earlier`. No look may be in both. */
export const joinedBar = (earlier: Bar, later: Bar): Bar => ({
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
  return first === undefined ? null : others.reduce(joinedBar, { ...first, startMs, spanMs })
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
