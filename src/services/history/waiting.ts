import type { FeedEvent } from '../../domain/desk/events.ts'
import type { Bar } from '../../domain/market/bar.ts'
import { type Look, withLook } from '../../domain/market/bars.ts'
import type { Book } from '../../domain/market/book.ts'
import { foldLooks } from '../../domain/market/looks.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'

/** Bounds what was not written yet, so that a disk that stays full costs no memory: the oldest bars are left out. */
const waitingBarsMax = 50_000
/** Executions and orders that a disk does not take are read again later. */
const waitingMax = 10_000

/** What was polled and is not in the file yet. */
export class Waiting {
  bars: (readonly [string, Bar])[] = []
  fills: Fill[] = []
  /** More executions came than wait here: they are to be read again. */
  isFillsCut = false
  orders: Order[] = []
  /** All withdrawals, once they were polled. */
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
    // Many at once: moving the rest for each of them would take long.
    if (this.bars.length > waitingBarsMax * 1.2) this.bars = this.bars.slice(-waitingBarsMax)
  }

  book(event: Extract<FeedEvent, { type: 'book' }>): void {
    this.#books.set(event.symbol, { value: event.book, atMs: event.atMs })
  }

  addFills(fills: readonly Fill[]): void {
    // The same listing again brings nothing.
    if (fills === this.#lastFills) return
    this.#lastFills = fills
    this.fills.push(...fills)
    if (this.fills.length <= waitingMax) return
    this.fills = []
    this.isFillsCut = true
  }

  addOrder(order: Order): void {
    if (this.orders.length < waitingMax) this.orders.push(order)
  }

  /** The bars so far, those of the running minute too: what is seen of it later is put beside them. */
  takeBars(): (readonly [string, Bar])[] {
    const taken = [...this.bars, ...this.#running]
    this.bars = []
    this.#running.clear()
    return taken.slice(-waitingBarsMax)
  }
}
