import type { Book, Level, QueueOrder } from '../../src/domain/market/book.ts'
import { Decimal } from '../../src/domain/money.ts'

type Side = ReadonlyArray<readonly [price: string, quantity: string]>

/** A book from pairs of price and quantity, best first. */
export function aBook(bids: Side, asks: Side, symbol = 'BTC-USD'): Book {
  const levels = (side: Side): Level[] =>
    side.map(([price, quantity]) => ({ price: new Decimal(price), quantity: new Decimal(quantity), orderCount: 1n }))
  return { symbol, bids: levels(bids), asks: levels(asks) }
}

/** Sums level 3 by price, as level 2 must show the same book. */
export function aggregate(queue: readonly QueueOrder[]): Level[] {
  const levels: Level[] = []
  for (const { price, quantity } of queue) {
    const last = levels.at(-1)
    if (last?.price.eq(price)) {
      levels[levels.length - 1] = {
        price,
        quantity: last.quantity.plus(quantity),
        orderCount: (last.orderCount ?? 0n) + 1n,
      }
    } else levels.push({ price, quantity, orderCount: 1n })
  }
  return levels
}
