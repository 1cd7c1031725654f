import { OrderBook, Side as PeerSide } from 'nodejs-order-book'
import type { Side } from '../../src/domain/order.ts'
import { anyPriceTicks, type BookOrder } from '../../src/sandbox/engine/book-order.ts'
import { MatchingBook } from '../../src/sandbox/engine/matching-book.ts'
import type { PriceLevel } from '../../src/sandbox/engine/price-level.ts'
import type { Reference, Step } from './book-workload.ts'

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

  apply(step: Step): void {
    switch (step.kind) {
      case 'add': {
        const order = this.newOrder(step.id, step.side, step.lots)
        this.book.match(order, step.ticks, step.lots)
        if (order.openLots > 0) this.book.rest(order, step.ticks)
        else this.free(order)
        return
      }
      case 'take': {
        const order = this.newOrder(step.id, step.side, step.lots)
        this.book.match(order, anyPriceTicks[step.side], step.lots)
        this.free(order)
        return
      }
      case 'cancel': {
        const order = this.orders[step.target]
        if (order === undefined) return
        this.book.remove(order)
        this.free(order)
      }
    }
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

  isResting(id: number): boolean {
    return this.orders[id] !== undefined
  }
}

/** Runs the same steps on the npm package. Ids are made into text beforehand: that is no work of the book's. */
export class PeerBook {
  private readonly book = new OrderBook()
  private readonly ids: readonly string[]
  private readonly trades: string[] | undefined

  constructor(ids: readonly string[], trades?: string[]) {
    this.ids = ids
    this.trades = trades
  }

  apply(step: Step): void {
    switch (step.kind) {
      case 'add': {
        const { id, lots, ticks } = step
        const side = step.side === 'BUY' ? PeerSide.BUY : PeerSide.SELL
        const report = this.book.limit({ id: this.idOf(id), side, size: lots, price: ticks })
        if (this.trades !== undefined) this.record(id, report)
        return
      }
      case 'take': {
        const side = step.side === 'BUY' ? PeerSide.BUY : PeerSide.SELL
        const report = this.book.market({ side, size: step.lots })
        if (this.trades !== undefined) this.record(step.id, report)
        return
      }
      case 'cancel':
        this.book.cancel(this.idOf(step.target))
    }
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
