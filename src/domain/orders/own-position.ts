import { Decimal, zero } from '../money.ts'
import type { Fill } from './fills.ts'
import { compareIds, type Side } from './order.ts'

/** What a run of fills leaves open in one symbol. */
export type OwnPosition = {
  /** In the base currency; above zero bought, below zero sold. */
  netQuantity: Decimal
  /** Volume-weighted price of the fills that make up the net quantity, without fees; null when nothing is open. */
  averagePrice: Decimal | null
}

export const flat: OwnPosition = { netQuantity: zero, averagePrice: null }

type OpenFill = { side: Side; price: Decimal; quantity: Decimal }

/**
 * The position that the known fills of a symbol have built up, beginning with none: whatever was held before the first
 * of them is not in it. A fill on the position's side adds to it; one against it closes the oldest open fills first,
 * and what is over opens a position on the other side. The average is that of the fills, and parts of fills, still
 * open. Executions come in any order and are taken in that of their ids.
 */
export function ownPosition(fills: readonly Fill[], symbol: string): OwnPosition {
  const own = fills
    .filter((fill) => fill.symbol === symbol)
    .toSorted((left, right) => compareIds(left.execId, right.execId))
  const open: OpenFill[] = []
  let oldest = 0
  for (const { side, price, quantity } of own) {
    let left = quantity
    for (let first = open[oldest]; first !== undefined && first.side !== side && left.gt(0); first = open[oldest]) {
      const closed = Decimal.min(left, first.quantity)
      left = left.minus(closed)
      first.quantity = first.quantity.minus(closed)
      if (first.quantity.isZero()) oldest += 1
    }
    if (left.gt(0)) open.push({ side, price, quantity: left })
  }
  const still = open.slice(oldest)
  const [first] = still
  if (first === undefined) return flat
  const quantity = still.reduce((sum, each) => sum.plus(each.quantity), zero)
  const value = still.reduce((sum, each) => sum.plus(each.price.times(each.quantity)), zero)
  return { netQuantity: first.side === 'BUY' ? quantity : quantity.neg(), averagePrice: value.div(quantity) }
}
