import { secondMs } from '../../base/time-text.ts'
import type { Ticker } from '../balance.ts'
import type { Look } from './bars.ts'
import { type Book, midPrice, spread } from './book.ts'

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

/** A book that is older, in ms, says nothing of the spread beside a price. */
const bookMs = 10 * secondMs

/** A book, and when it came; null in either: none has come. */
type SeenBook = { value: Book | null; atMs: number | null }

/**
 * Folds the prices of an answer into what is kept of each symbol: `fold` gets a symbol's look at `utcMs`, the time by
 * the exchange's clock. Screen and record fold the same looks, so that a chart shows what the record says.
 */
export function foldLooks(
  { tickers, atMs }: { tickers: ReadonlyMap<string, Ticker>; atMs: number },
  bookOf: (symbol: string) => SeenBook | undefined,
  utcMs: number,
  fold: (symbol: string, look: Look) => void,
): void {
  for (const ticker of tickers.values()) {
    const seen = bookOf(ticker.symbol)
    const isYoung = seen !== undefined && seen.atMs !== null && atMs - seen.atMs <= bookMs
    const look = lookAt(ticker, isYoung ? seen.value : null, utcMs)
    if (look !== null) fold(ticker.symbol, look)
  }
}
