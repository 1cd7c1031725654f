import type { Decimal } from './money.ts'
import type { Side } from './order.ts'

/** One execution of one of our orders. `fee` is in the counter currency; the two sides of a trade share `tradeId`. */
export type Fill = {
  orderId: string
  tradeId: string
  /** Unique to this execution: what lists of fills are de-duplicated by. */
  execId: string
  symbol: string
  side: Side
  price: Decimal
  quantity: Decimal
  fee: Decimal
  timestampMs: number
}

/** What a fill moves in the counter currency, without its fee. */
export const fillNotional = (fill: Fill): Decimal => fill.price.times(fill.quantity)
