import { minuteMs } from '../../base/time-text.ts'
import type { Ticker } from '../balance.ts'
import type { Bar } from './bar.ts'
import { joinedBar, type Look } from './bars.ts'
import { type Book, midPrice, spread } from './book.ts'

/** How much time a bar covers: a minute, unless it was made of bars that were thinned. */
export const barSpanMs = ({ spanMs = minuteMs }: Bar): number => spanMs

/** The last bar that begins up to a moment, of bars the oldest first; null where there is none. */
export function lastBarAt(bars: readonly Bar[], atMs: number): Bar | null {
  let [low, high] = [0, bars.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bars[middle]?.startMs ?? 0) <= atMs) low = middle + 1
    else high = middle
  }
  return bars[low - 1] ?? null
}

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
