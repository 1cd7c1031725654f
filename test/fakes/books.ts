import type { Book, Level } from '../../src/domain/market/book.ts'
import { Decimal } from '../../src/domain/money.ts'

type Side = ReadonlyArray<readonly [price: string, quantity: string]>

/** A book from pairs of price and quantity, best first. */
export function aBook(bids: Side, asks: Side, symbol = 'BTC-USD'): Book {
  const levels = (side: Side): Level[] =>
    side.map(([price, quantity]) => ({ price: new Decimal(price), quantity: new Decimal(quantity), orderCount: 1n }))
  return { symbol, bids: levels(bids), asks: levels(asks) }
}
