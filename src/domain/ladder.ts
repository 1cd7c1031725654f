import type { Book, Level } from './book.ts'
import type { Instrument } from './instrument.ts'
import { Decimal, zero } from './money.ts'
import { isWorking, type Order, openQuantity, type Side } from './order.ts'

/** One row of the ladder: a fixed price with what rests there. Quantities are null where nothing rests. */
export type LadderRow = {
  price: Decimal
  bidQuantity: Decimal | null
  askQuantity: Decimal | null
  /** What a taker would meet up to and including this row, from the best price outward; null outside the book's side. */
  bidDepth: Decimal | null
  askDepth: Decimal | null
  ownBuyQuantity: Decimal | null
  ownSellQuantity: Decimal | null
  isLast: boolean
  isOwnAverage: boolean
}

export type LadderInput = {
  book: Book | null
  instrument: Instrument
  /** Row height in ticks, 1 or more. */
  groupTicks: number
  /** The top row's price is `centre` + rows above it; the scale depends on nothing else, so it holds still. */
  centrePrice: Decimal
  rowCount: number
  orders: readonly Order[]
  lastPrice: Decimal | null
  /** Average price of the own position or session, marked when it falls in a row. */
  ownAveragePrice: Decimal | null
}

/** The price of the row a price belongs to: bids and other prices round down to the group, asks round up. */
export function rowPrice(price: Decimal, instrument: Instrument, groupTicks: number, side: 'bid' | 'ask'): Decimal {
  const step = instrument.tickSize.times(groupTicks)
  return price.toNearest(step, side === 'bid' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)
}

type SideRows = {
  quantity: Map<string, Decimal>
  depth: Array<{ price: Decimal; total: Decimal }>
}

/** Sums a side by row; `depth` runs outward from the best price, one entry a row that holds something. */
function groupSide(levels: readonly Level[], input: LadderInput, side: 'bid' | 'ask'): SideRows {
  const quantity = new Map<string, Decimal>()
  const depth: SideRows['depth'] = []
  let total = zero
  for (const level of levels) {
    const price = rowPrice(level.price, input.instrument, input.groupTicks, side)
    const key = price.toString()
    quantity.set(key, (quantity.get(key) ?? zero).plus(level.quantity))
    total = total.plus(level.quantity)
    const last = depth.at(-1)
    if (last?.price.eq(price)) last.total = total
    else depth.push({ price, total })
  }
  return { quantity, depth }
}

/** Depth at a row that may itself be empty: the total of the last filled row at or before it, seen from the best price. */
function depthAt({ depth }: SideRows, price: Decimal, side: 'bid' | 'ask'): Decimal | null {
  let found: Decimal | null = null
  for (const entry of depth) {
    const isPast = side === 'bid' ? entry.price.lt(price) : entry.price.gt(price)
    if (isPast) break
    found = entry.total
  }
  return found
}

/** Own open quantity by row: a buy in the row its price rounds down to, a sell in the one it rounds up to. */
function ownBySide(input: LadderInput, side: Side): Map<string, Decimal> {
  const own = new Map<string, Decimal>()
  for (const order of input.orders) {
    if (order.side !== side || order.limitPrice === null || order.status === 'PENDING' || !isWorking(order)) continue
    if (order.symbol !== input.instrument.symbol) continue
    const bookSide = side === 'BUY' ? 'bid' : 'ask'
    const key = rowPrice(order.limitPrice, input.instrument, input.groupTicks, bookSide).toString()
    own.set(key, (own.get(key) ?? zero).plus(openQuantity(order) ?? zero))
  }
  return own
}

/**
 * The ladder as rows, highest price first. The scale is `centrePrice` rounded to the group, half of the rows above it:
 * data that arrives changes what stands in the rows and never the rows themselves. Rows at or below zero are left out.
 */
export function ladderRows(input: LadderInput): LadderRow[] {
  const { instrument, groupTicks, rowCount, lastPrice, ownAveragePrice } = input
  const step = instrument.tickSize.times(groupTicks)
  const centre = rowPrice(input.centrePrice, instrument, groupTicks, 'bid')
  const bids = groupSide(input.book?.bids ?? [], input, 'bid')
  const asks = groupSide(input.book?.asks ?? [], input, 'ask')
  const ownBuys = ownBySide(input, 'BUY')
  const ownSells = ownBySide(input, 'SELL')
  const lastRow = lastPrice === null ? null : rowPrice(lastPrice, instrument, groupTicks, 'bid')
  const averageRow = ownAveragePrice === null ? null : rowPrice(ownAveragePrice, instrument, groupTicks, 'bid')
  const rows: LadderRow[] = []
  const top = centre.plus(step.times(Math.floor(rowCount / 2)))
  for (let index = 0; index < rowCount; index += 1) {
    const price = top.minus(step.times(index))
    if (price.lte(0)) break
    const key = price.toString()
    rows.push({
      price,
      bidQuantity: bids.quantity.get(key) ?? null,
      askQuantity: asks.quantity.get(key) ?? null,
      bidDepth: depthAt(bids, price, 'bid'),
      askDepth: depthAt(asks, price, 'ask'),
      ownBuyQuantity: ownBuys.get(key) ?? null,
      ownSellQuantity: ownSells.get(key) ?? null,
      isLast: lastRow?.eq(price) ?? false,
      isOwnAverage: averageRow?.eq(price) ?? false,
    })
  }
  return rows
}

/** Group sizes in ticks that `+` and `-` step through. */
export const groupSteps: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
