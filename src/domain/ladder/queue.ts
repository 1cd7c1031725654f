import type { OrderByOrderBook, QueueOrder } from '../market/book.ts'
import { type Decimal, zero } from '../money.ts'

/** An order in the queue of a row. */
export type QueueEntry = { orderId: string | null; quantity: Decimal; isOwn: boolean }

/** The place of an own order among those of its price; 1 trades next. */
export type QueuePlace = { place: number; count: number /** Quantity that trades before it. */; ahead: Decimal }

export type LadderQueues = {
  /** One queue per row, the next order to trade first; in a row of several prices better ones come first. */
  bids: QueueEntry[][]
  asks: QueueEntry[][]
  /** Places of own orders by id, also outside the rows. */
  places: ReadonlyMap<string, QueuePlace>
}

/** Groups orders by row, from the best price outward like `sumSide`. */
function byRow(
  prices: readonly Decimal[],
  orders: readonly QueueOrder[],
  step: Decimal,
  side: 'bid' | 'ask',
  ownIds: ReadonlySet<string>,
): QueueEntry[][] {
  let at = 0
  return prices.map((price) => {
    const bound = side === 'bid' ? price.plus(step) : price.minus(step)
    const row: QueueEntry[] = []
    for (let order = orders[at]; order !== undefined; order = orders[at]) {
      if (side === 'bid' ? order.price.lt(price) : order.price.gt(price)) break
      const { orderId, quantity } = order
      if (side === 'bid' ? order.price.lt(bound) : order.price.gt(bound))
        row.push({ orderId, quantity, isOwn: orderId !== null && ownIds.has(orderId) })
      at += 1
    }
    return row
  })
}

/** The place of `own` among the orders of its price, which are adjacent. */
function placeOf(orders: readonly QueueOrder[], own: QueueOrder, at: number): QueuePlace {
  const isBeside = (index: number) => orders[index]?.price.eq(own.price) === true
  let ahead = zero
  let first = at
  for (; isBeside(first - 1); first -= 1) ahead = ahead.plus(orders[first - 1]?.quantity ?? zero)
  let last = at
  while (isBeside(last + 1)) last += 1
  return { place: at - first + 1, count: last - first + 1, ahead }
}

/** Adds the places of one side's own orders; others' orders only cost an id lookup. */
function addPlaces(orders: readonly QueueOrder[], ownIds: ReadonlySet<string>, places: Map<string, QueuePlace>): void {
  orders.forEach((order, at) => {
    const { orderId } = order
    if (orderId !== null && ownIds.has(orderId)) places.set(orderId, placeOf(orders, order, at))
  })
}

/** Groups the level 3 book by the rows of a scale, highest first, `step` apart, with the places of own orders. */
export function ladderQueues(
  book: OrderByOrderBook,
  prices: readonly Decimal[],
  step: Decimal,
  ownIds: ReadonlySet<string>,
): LadderQueues {
  const places = new Map<string, QueuePlace>()
  // With an unreadable entry, no order's place is known.
  if (ownIds.size > 0 && book.unreadable === undefined) {
    addPlaces(book.bids, ownIds, places)
    addPlaces(book.asks, ownIds, places)
  }
  return {
    bids: byRow(prices, book.bids, step, 'bid', ownIds),
    asks: byRow(prices.toReversed(), book.asks, step, 'ask', ownIds).toReversed(),
    places,
  }
}
