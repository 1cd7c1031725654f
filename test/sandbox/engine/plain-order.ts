import type { Side } from '../../../src/domain/side.ts'
import { MatchingBook } from '../../../src/sandbox/engine/matching-book.ts'
import type { BookOrder, PriceLevel } from '../../../src/sandbox/engine/price-levels.ts'

/** An order with nothing but what the engine needs. */
export class PlainOrder implements BookOrder<PlainOrder> {
  readonly id: number
  readonly side: Side
  readonly owner: number
  openLots: number
  level: PriceLevel<PlainOrder> | null = null
  previous: PlainOrder | null = null
  next: PlainOrder | null = null

  constructor(id: number, side: Side, openLots: number, owner = id) {
    this.id = id
    this.side = side
    this.openLots = openLots
    this.owner = owner
  }
}

export type Trade = { taker: number; maker: number; ticks: number; lots: number }

/** A book that writes down its trades. */
export function recordingBook(): { book: MatchingBook<PlainOrder>; trades: Trade[] } {
  const trades: Trade[] = []
  const book = new MatchingBook<PlainOrder>({
    onFill: (taker, maker, ticks, lots) => trades.push({ taker: taker.id, maker: maker.id, ticks, lots }),
  })
  return { book, trades }
}

/** The queues of one side, best price first: `[ticks, [id, open lots]…]`. */
export function queues(best: PriceLevel<PlainOrder> | null): [number, [number, number][]][] {
  const found: [number, [number, number][]][] = []
  for (let level = best; level !== null; level = level.worse) {
    const orders: [number, number][] = []
    for (let order = level.first; order !== null; order = order.next) orders.push([order.id, order.openLots])
    found.push([level.ticks, orders])
  }
  return found
}
