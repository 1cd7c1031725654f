import type { Side } from '../../domain/side.ts'

/**
 * An order as the engine sees it: whole lots and ticks only. It is in at most one queue at a time, a price level of the
 * book or of the stops, and that queue owns `level`, `previous` and `next`. `Self` is the caller's own order type.
 */
export interface BookOrder<Self extends BookOrder<Self>> {
  /** Ascending in order of acceptance. */
  readonly id: number
  /** Orders of one owner never trade with each other. */
  readonly owner: number
  readonly side: Side
  /** Lots not executed yet; the engine lowers it with every fill. */
  openLots: number
  level: PriceLevel<Self> | null
  previous: Self | null
  next: Self | null
}

/** Bounds that no limit price reaches: the limits of a market order. Prices are at least one tick. */
export const anyPriceTicks = { BUY: Number.MAX_SAFE_INTEGER, SELL: 0 } as const

/** The orders at one price, in time priority. */
export class PriceLevel<O extends BookOrder<O>> {
  readonly ticks: number
  /** Sum of the orders' open lots. */
  lots = 0
  orderCount = 0
  first: O | null = null
  last: O | null = null
  /** The neighboring levels that have orders. */
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

// Levels are kept sorted in chunks of at most this many, so that a new one moves only a few others.
const chunkLevelsMax = 128
// A power of two: prices this many ticks apart share a cache slot.
const atHandCount = 1_024

/**
 * The price levels of one side, linked best first, with their orders. Removing an order is O(1) while its level has
 * others; adding or dropping a level costs a binary search and a move within one chunk, and almost nothing at the best
 * price. No cost depends on a queue's length or on past levels.
 */
export class PriceLevels<O extends BookOrder<O>> {
  best: PriceLevel<O> | null = null
  /** Every level that has orders, best one last; no chunk is empty. */
  private readonly chunks: PriceLevel<O>[][] = []
  /**
   * A cache of recently used levels, with or without orders, by the low bits of their price: it finds nearly every
   * level without a search, and avoids creating it again. There is never more than one level per price in use, so a
   * cached level at a price is the one in use, if any is.
   */
  private readonly atHand: (PriceLevel<O> | null)[] = new Array(atHandCount).fill(null)
  private readonly isHighestBest: boolean

  constructor(best: 'highest' | 'lowest') {
    this.isHighestBest = best === 'highest'
  }

  /** Appends the order to its price's queue. */
  append(order: O, ticks: number): void {
    const place = ticks & (atHandCount - 1)
    let level = this.atHand[place]
    if (level?.ticks !== ticks) {
      level = this.search(ticks) ?? new PriceLevel<O>(ticks)
      this.atHand[place] = level
    }
    if (level.first === null) this.insert(level)
    level.append(order)
  }

  /** Removes the order from its queue, which must be one of this side. */
  remove(order: O): void {
    const level = order.level
    if (level === null) throw new Error(`order ${order.id} waits in no queue`)
    level.unlink(order)
    if (level.first === null) this.drop(level)
  }

  /** Whether `left` is strictly the better price. */
  isBetter(left: number, right: number): boolean {
    return this.isHighestBest ? left > right : left < right
  }

  private insert(level: PriceLevel<O>): void {
    const { best } = this
    if (best === null || this.isBetter(level.ticks, best.ticks)) {
      level.linkBetween(null, best)
      this.best = level
      const top = this.chunks.at(-1)
      if (top === undefined || top.length >= chunkLevelsMax) this.chunks.push([level])
      else top.push(level)
      return
    }
    const chunkIndex = this.chunkOf(level.ticks)
    const chunk = this.chunkAt(chunkIndex)
    const index = this.positionIn(chunk, level.ticks)
    // Not better than the best, so a better neighbor exists: in this chunk or at the start of the next.
    const better = chunk[index] ?? this.chunkAt(chunkIndex + 1)[0]
    if (better === undefined) throw new Error(`no level is better than ${level.ticks}`)
    level.linkBetween(better, better.worse)
    // By hand: `splice` would allocate an array for the removed items each time.
    for (let to = chunk.push(level) - 1; to > index; to--) chunk[to] = chunk[to - 1] ?? level
    chunk[index] = level
    if (chunk.length > chunkLevelsMax) this.chunks.splice(chunkIndex + 1, 0, chunk.splice(chunkLevelsMax / 2))
  }

  private drop(level: PriceLevel<O>): void {
    const isBest = level === this.best
    if (isBest) this.best = level.worse
    level.unlinkNeighbours()
    const chunkIndex = isBest ? this.chunks.length - 1 : this.chunkOf(level.ticks)
    const chunk = this.chunkAt(chunkIndex)
    if (!isBest)
      for (let from = this.positionIn(chunk, level.ticks) + 1; from < chunk.length; from++)
        chunk[from - 1] = chunk[from] ?? level
    chunk.pop()
    if (chunk.length === 0) this.chunks.splice(chunkIndex, 1)
  }

  /** The level with orders at this price, if any. */
  private search(ticks: number): PriceLevel<O> | undefined {
    if (this.chunks.length === 0) return undefined
    const chunk = this.chunkAt(this.chunkOf(ticks))
    const level = chunk[this.positionIn(chunk, ticks)]
    return level?.ticks === ticks ? level : undefined
  }

  private chunkAt(index: number): PriceLevel<O>[] {
    const chunk = this.chunks[index]
    if (chunk === undefined) throw new Error(`there is no chunk ${index} of price levels`)
    return chunk
  }

  /** The last chunk whose first level is not better than `ticks`; otherwise the first chunk. */
  private chunkOf(ticks: number): number {
    let low = 0
    let high = this.chunks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      const first = this.chunkAt(middle)[0]
      if (first !== undefined && this.isBetter(first.ticks, ticks)) high = middle - 1
      else low = middle
    }
    return low
  }

  /** The index of this price's level in the chunk, or where it would be inserted. */
  private positionIn(chunk: readonly PriceLevel<O>[], ticks: number): number {
    let low = 0
    let high = chunk.length
    while (low < high) {
      const middle = (low + high) >> 1
      const level = chunk[middle]
      if (level !== undefined && this.isBetter(ticks, level.ticks)) low = middle + 1
      else high = middle
    }
    return low
  }
}
