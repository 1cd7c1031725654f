import { pushAll } from '../../base/push-all.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import type { UnreadableEntry } from '../../domain/listing.ts'
import type { Bar } from '../../domain/market/bar.ts'
import { type Look, withLook } from '../../domain/market/bars.ts'
import type { Book } from '../../domain/market/book.ts'
import { foldLooks } from '../../domain/market/looks.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'

/** Maximum unwritten bars, so that a full disk costs no memory: the oldest are dropped. */
const waitingBarsMax = 50_000
/** Maximum unwritten executions and orders; dropped ones are read again later. */
const waitingMax = 10_000

/** Polled data that is not in the file yet. */
export class Waiting {
  bars: (readonly [string, Bar])[] = []
  fills: Fill[] = []
  /** Entries among the fills that cannot be read. */
  unreadable: UnreadableEntry[] = []
  /** True when executions were dropped and must be read again. */
  isFillsCut = false
  orders: Order[] = []
  /** All withdrawals; null before they were polled. */
  withdrawals: readonly Withdrawal[] | null = null
  readonly #running = new Map<string, Bar>()
  readonly #books = new Map<string, { value: Book; atMs: number }>()
  #lastFills: readonly Fill[] = []

  look(event: Extract<FeedEvent, { type: 'tickers' }>, utcMs: number): void {
    const fold = (symbol: string, look: Look) => {
      const before = this.#running.get(symbol) ?? null
      const bar = withLook(before, look)
      if (before !== null && bar.startMs !== before.startMs) this.bars.push([symbol, before])
      this.#running.set(symbol, bar)
    }
    foldLooks(event, (symbol) => this.#books.get(symbol), utcMs, fold)
    // Dropped in bulk, because moving the rest for each one would be slow.
    if (this.bars.length > waitingBarsMax * 1.2) this.bars = this.bars.slice(-waitingBarsMax)
  }

  book(event: Extract<FeedEvent, { type: 'book' }>): void {
    this.#books.set(event.symbol, { value: event.book, atMs: event.atMs })
  }

  addFills(fills: readonly Fill[], unreadable: readonly UnreadableEntry[] = []): void {
    // The same listing has nothing new.
    if (fills === this.#lastFills) return
    this.#lastFills = fills
    if (this.unreadable.length < waitingMax) pushAll(this.unreadable, unreadable)
    pushAll(this.fills, fills)
    if (this.fills.length <= waitingMax) return
    this.fills = []
    this.isFillsCut = true
  }

  addOrder(order: Order): void {
    if (this.orders.length < waitingMax) this.orders.push(order)
  }

  /** Takes the bars so far, including those of the current minute: later prices of it are recorded in addition. */
  takeBars(): (readonly [string, Bar])[] {
    const taken = [...this.bars, ...this.#running]
    this.bars = []
    this.#running.clear()
    return taken.slice(-waitingBarsMax)
  }
}
