import { type Decimal, zero } from '../money.ts'
import type { OrderByOrderBook, QueueOrder } from './book.ts'

/** An order in the queue of a row. */
export type QueueEntry = { orderId: string | null; quantity: Decimal; isOwn: boolean }

/** Where an own order stands among those of its price: 1 is the next to trade. */
export type QueuePlace = { place: number; count: number /** Quantity that trades before it. */; ahead: Decimal }

export type LadderQueues = {
  /** One queue a row, the order that trades first in front; in a row of several prices the better ones come first. */
  bids: QueueEntry[][]
  asks: QueueEntry[][]
  /** By order id, for own orders only, also those outside the rows. */
  places: ReadonlyMap<string, QueuePlace>
}

/** Orders by row, walked outward from the best price as `sumSide` does. */
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

/** The place of the order at `own` among those of its price, which stand beside each other. */
function placeOf(orders: readonly QueueOrder[], own: QueueOrder, at: number): QueuePlace {
  const isBeside = (index: number) => orders[index]?.price.eq(own.price) === true
  let ahead = zero
  let first = at
  for (; isBeside(first - 1); first -= 1) ahead = ahead.plus(orders[first - 1]?.quantity ?? zero)
  let last = at
  while (isBeside(last + 1)) last += 1
  return { place: at - first + 1, count: last - first + 1, ahead }
}

/** Adds the places of own orders of one side; most orders are others', and cost no more than a look at their ids. */
function addPlaces(orders: readonly QueueOrder[], ownIds: ReadonlySet<string>, places: Map<string, QueuePlace>): void {
  orders.forEach((order, at) => {
    const { orderId } = order
    if (orderId !== null && ownIds.has(orderId)) places.set(orderId, placeOf(orders, order, at))
  })
}

/** The level 3 book by the rows of a scale, highest first, `step` apart; and the own places in it. */
export function ladderQueues(
  book: OrderByOrderBook,
  prices: readonly Decimal[],
  step: Decimal,
  ownIds: ReadonlySet<string>,
): LadderQueues {
  const places = new Map<string, QueuePlace>()
  // Where an entry cannot be read, nobody's place among the others is known.
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
