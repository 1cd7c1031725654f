import { secondMs } from '../../base/time-text.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import type { Bar } from '../../domain/market/bar.ts'
import { withLook } from '../../domain/market/bars.ts'
import type { Book } from '../../domain/market/book.ts'
import { lookAt } from '../../domain/market/recorded-bars.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { Order } from '../../domain/orders/order.ts'

/** Bounds what was not written yet, so that a disk that stays full costs no memory: the oldest bars are left out. */
const waitingBarsMost = 50_000
/** Executions and orders that a disk does not take are read again later. */
const waitingMost = 10_000
/** A book that is older says nothing of the spread beside a price. */
const bookMs = 10 * secondMs

/** What was polled and is not in the file yet. */
export class Waiting {
  bars: (readonly [string, Bar])[] = []
  fills: Fill[] = []
  /** More executions came than wait here: they are to be read again. */
  isFillsCut = false
  orders: Order[] = []
  readonly #running = new Map<string, Bar>()
  readonly #books = new Map<string, { book: Book; atMs: number }>()
  #lastFills: readonly Fill[] = []

  look(event: Extract<FeedEvent, { type: 'tickers' }>, atMs: number): void {
    for (const ticker of event.tickers.values()) {
      const seen = this.#books.get(ticker.symbol)
      const book = seen !== undefined && event.atMs - seen.atMs <= bookMs ? seen.book : null
      const look = lookAt(ticker, book, atMs)
      if (look === null) continue
      const before = this.#running.get(ticker.symbol) ?? null
      const bar = withLook(before, look)
      if (before !== null && bar.startMs !== before.startMs) this.bars.push([ticker.symbol, before])
      this.#running.set(ticker.symbol, bar)
    }
  }

  book(event: Extract<FeedEvent, { type: 'book' }>): void {
    this.#books.set(event.symbol, { book: event.book, atMs: event.atMs })
  }

  addFills(fills: readonly Fill[]): void {
    // The same listing again brings nothing.
    if (fills === this.#lastFills) return
    this.#lastFills = fills
    this.fills.push(...fills)
    if (this.fills.length <= waitingMost) return
    this.fills = []
    this.isFillsCut = true
  }

  addOrder(order: Order): void {
    if (this.orders.length < waitingMost) this.orders.push(order)
  }

  /** The bars so far, those of the running minute too: what is seen of it later is put beside them. */
  takeBars(): (readonly [string, Bar])[] {
    const taken = [...this.bars, ...this.#running]
    this.bars = []
    this.#running.clear()
    return taken.slice(-waitingBarsMost)
  }
}
