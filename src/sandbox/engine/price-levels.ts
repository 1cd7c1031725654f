import type { Side } from '../../domain/side.ts'

/**
 * An order as the engine sees it: whole lots and whole ticks only. It waits in at most one queue at a time, a price
 * level of the book or of the stops, and that queue owns `level`, `previous` and `next`. `Self` is the caller's own
 * order type.
 */
export interface BookOrder<Self extends BookOrder<Self>> {
  /** Ascending in the order of acceptance. */
  readonly id: number
  /** Orders of one owner never trade with each other. */
  readonly owner: number
  readonly side: Side
  /** What is still to be executed; the engine lowers it with every fill. */
  openLots: number
  level: PriceLevel<Self> | null
  previous: Self | null
  next: Self | null
}

/** Bounds that no limit price reaches: what a market order may pay or take. Prices are at least one tick. */
export const anyPriceTicks = { BUY: Number.MAX_SAFE_INTEGER, SELL: 0 } as const

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

// Levels are kept sorted in pieces of at most this many, so that a new one moves few others however many there are.
const chunkLevelsMax = 128
// A power of two: prices this many ticks apart share a place among the levels at hand.
const atHandCount = 1_024

/**
 * The price levels of one side, best first by the links, with the orders in them. Taking an order out is O(1) while its
 * level has others; making or dropping a level costs a binary search and a move inside one chunk, next to nothing at
 * the best price. No cost depends on the length of a queue or on what was there before.
 */
export class PriceLevels<O extends BookOrder<O>> {
  best: PriceLevel<O> | null = null
  /** Every level that has orders, the best one last; no chunk is empty. */
  private readonly chunks: PriceLevel<O>[][] = []
  /**
   * The levels used last, with orders or without, by the low bits of their price: finds nearly every level without a
   * search and spares making it anew. A level is in use at most once: what is at hand at a price is the one there, if
   * any is.
   */
  private readonly atHand: (PriceLevel<O> | null)[] = new Array(atHandCount).fill(null)
  private readonly isHighestBest: boolean

  constructor(best: 'highest' | 'lowest') {
    this.isHighestBest = best === 'highest'
  }

  /** Puts the order at the end of its price's queue. */
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

  /** Takes the order out of its queue; it must be in one of this side. */
  remove(order: O): void {
    const level = order.level
    if (level === null) throw new Error(`order ${order.id} waits in no queue`)
    level.unlink(order)
    if (level.first === null) this.drop(level)
  }

  /** True when `left` is strictly the better price. */
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
    // Not better than the best, so there is a better neighbour: in this chunk or at the start of the next.
    const better = chunk[index] ?? this.chunkAt(chunkIndex + 1)[0]
    if (better === undefined) throw new Error(`no level is better than ${level.ticks}`)
    level.linkBetween(better, better.worse)
    // By hand: `splice` would make an array for what it takes out each time.
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

  /** The level with orders at this price, if there is one. */
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

  /** The last chunk whose first level is not better than `ticks`; the first chunk when there is none. */
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

  /** Where in the chunk a level of this price is, or would go. */
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
