import type { BookOrder } from './book-order.ts'

/** The orders at one price, first come first served. */
export class PriceLevel<O extends BookOrder<O>> {
  readonly ticks: number
  /** The sum of what the orders have open. */
  lots = 0
  orderCount = 0
  first: O | null = null
  last: O | null = null
  /** The neighbouring levels that have orders. */
  better: PriceLevel<O> | null = null
  worse: PriceLevel<O> | null = null

  constructor(ticks: number) {
    this.ticks = ticks
  }

  append(order: O): void {
    order.level = this
    order.previous = this.last
    if (this.last === null) this.first = order
    else this.last.next = order
    this.last = order
    this.lots += order.openLots
    this.orderCount += 1
  }

  unlink(order: O): void {
    const { previous, next } = order
    if (previous === null) this.first = next
    else previous.next = next
    if (next === null) this.last = previous
    else next.previous = previous
    order.level = null
    order.previous = null
    order.next = null
    this.lots -= order.openLots
    this.orderCount -= 1
  }

  linkBetween(better: PriceLevel<O> | null, worse: PriceLevel<O> | null): void {
    this.better = better
    this.worse = worse
    if (better !== null) better.worse = this
    if (worse !== null) worse.better = this
  }

  unlinkNeighbours(): void {
    const { better, worse } = this
    if (better !== null) better.worse = worse
    if (worse !== null) worse.better = better
    this.better = null
    this.worse = null
  }
}
