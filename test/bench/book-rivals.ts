import { OrderBook, Side as PeerSide } from 'nodejs-order-book'
import type { Side } from '../../src/domain/side.ts'
import { MatchingBook } from '../../src/sandbox/engine/matching-book.ts'
import { anyPriceTicks, type BookOrder, type PriceLevel } from '../../src/sandbox/engine/price-levels.ts'
import type { Book, Reference } from './book-workload.ts'

/** A bare order: what the engine asks for and nothing else. */
export class PlainOrder implements BookOrder<PlainOrder> {
  level: PriceLevel<PlainOrder> | null = null
  previous: PlainOrder | null = null
  next: PlainOrder | null = null
  openLots = 0
  id = 0
  side: Side = 'BUY'

  /** Every order has an owner of its own: the peer has no rule against self-matches unless asked. */
  get owner(): number {
    return this.id
  }
}

/** Runs steps on this project's engine; `trades` collects one line a fill when asked. */
export class OwnBook implements Reference {
  private readonly book: MatchingBook<PlainOrder>
  /** The working orders by id. */
  private readonly orders: (PlainOrder | undefined)[]
  /** Orders to use, again and again: what is measured is the book, not the allocation of orders. */
  private readonly pool: PlainOrder[] = []

  constructor(orderCount: number, trades?: string[]) {
    this.orders = new Array<PlainOrder | undefined>(orderCount).fill(undefined)
    this.book = new MatchingBook<PlainOrder>({
      onFill: (taker, maker, ticks, lots) => {
        if (maker.openLots === 0) this.free(maker)
        trades?.push(`${taker.id} ${maker.id} ${ticks} ${lots}`)
      },
    })
  }

  add(id: number, side: Side, ticks: number, lots: number): void {
    const order = this.newOrder(id, side, lots)
    this.book.match(order, ticks, lots)
    if (order.openLots > 0) this.book.rest(order, ticks)
    else this.free(order)
  }

  take(id: number, side: Side, lots: number): void {
    const order = this.newOrder(id, side, lots)
    this.book.match(order, anyPriceTicks[side], lots)
    this.free(order)
  }

  cancel(id: number): void {
    const order = this.orders[id]
    if (order === undefined) return
    this.book.remove(order)
    this.free(order)
  }

  isResting(id: number): boolean {
    return this.orders[id] !== undefined
  }

  private newOrder(id: number, side: Side, lots: number): PlainOrder {
    const order = this.pool.pop() ?? new PlainOrder()
    order.id = id
    order.side = side
    order.openLots = lots
    this.orders[id] = order
    return order
  }

  private free(order: PlainOrder): void {
    this.orders[order.id] = undefined
    this.pool.push(order)
  }
}

const peerSides = { BUY: PeerSide.BUY, SELL: PeerSide.SELL } as const

/** Runs the same steps on the npm package. Ids are made into text beforehand: that is no work of the book's. */
export class PeerBook implements Book {
  private readonly book = new OrderBook()
  private readonly ids: readonly string[]
  private readonly trades: string[] | undefined

  constructor(ids: readonly string[], trades?: string[]) {
    this.ids = ids
    this.trades = trades
  }

  add(id: number, side: Side, ticks: number, lots: number): void {
    const report = this.book.limit({ id: this.idOf(id), side: peerSides[side], size: lots, price: ticks })
    if (this.trades !== undefined) this.record(id, report)
  }

  take(id: number, side: Side, lots: number): void {
    const report = this.book.market({ side: peerSides[side], size: lots })
    if (this.trades !== undefined) this.record(id, report)
  }

  cancel(id: number): void {
    this.book.cancel(this.idOf(id))
  }

  private idOf(id: number): string {
    return this.ids[id] ?? ''
  }

  /** Its report names the makers filled whole (`done`) and the one filled in part (`partial`). */
  private record(takerId: number, report: ReturnType<OrderBook['limit']>): void {
    const taker = this.idOf(takerId)
    for (const maker of report.done)
      if ('price' in maker && maker.id !== taker) this.push(takerId, maker.id, maker.price, maker.size)
    const part = report.partial
    if (part !== null && part.id !== taker) this.push(takerId, part.id, part.price, report.partialQuantityProcessed)
  }

  private push(takerId: number, makerId: string, price: number, size: number): void {
    this.trades?.push(`${takerId} ${makerId} ${price} ${size}`)
  }
}
