import type { Side } from '../../domain/orders/order.ts'
import type { PriceLevel } from './price-level.ts'

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
