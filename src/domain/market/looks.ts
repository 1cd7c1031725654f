import { secondMs } from '../../base/text/time-text.ts'
import type { Look } from './bars.ts'
import { type Book, midPrice, spread } from './book.ts'
import type { Ticker } from './ticker.ts'

/**
 * The look of a ticker, with the spread of a recent book: at the last price, or at the mid before the first trade. Null
 * without a price.
 */
export function lookAt({ lastPrice }: Pick<Ticker, 'lastPrice'>, book: Book | null, atMs: number): Look | null {
  const price = lastPrice ?? (book === null ? null : midPrice(book))
  if (price === null) return null
  const wide = book === null ? null : spread(book)
  // A crossed book, in an auction, has no spread.
  return { atMs, price, spread: wide === null || wide.lt(0) ? null : wide }
}

/** Maximum age of a book in ms for its spread to belong to a price. */
const bookMs = 10 * secondMs

/** A book and its time; null for none. */
type SeenBook = { value: Book | null; atMs: number | null }

/**
 * Folds an answer's prices into each symbol's data: `fold` gets a symbol's look at `utcMs`, the exchange's time. Screen
 * and record fold the same looks, so a chart shows what the record has.
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
