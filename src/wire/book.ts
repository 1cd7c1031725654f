import { z } from 'zod'
import type { Book, Level, OrderByOrderBook, QueueOrder } from '../domain/book.ts'
import type { Decimal } from '../domain/money.ts'
import type { Result } from '../domain/result.ts'
import { amount, int64, optionalInt64, optionalText } from './fields.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { mapResult, message, readMessage } from './message.ts'

/** OrderBookEntry of level 2: `num` is how many orders stand at the price. */
export const levelMessage = message({
  px: amount,
  qty: amount,
  num: optionalInt64,
})
/** OrderBookEntry of level 3: `num` is the id of the one order. */
export const queueOrderMessage = message({
  px: amount,
  qty: amount,
  num: int64,
})

/** OrderBook, level 2. */
export const bookMessage = message({
  symbol: optionalText,
  bids: z.nullish(z.array(levelMessage)),
  asks: z.nullish(z.array(levelMessage)),
})
/** OrderBook, level 3. */
export const orderByOrderBookMessage = message({
  symbol: optionalText,
  bids: z.nullish(z.array(queueOrderMessage)),
  asks: z.nullish(z.array(queueOrderMessage)),
})

/** Reads a level 2 book, best first whatever order it came in. `symbol` is what was asked for, should the answer not say. */
export const readBook = (json: string, symbol: string): Result<Book> =>
  mapResult(readMessage(bookMessage, json), (read) => ({
    symbol: read.symbol ?? symbol,
    bids: bestFirst((read.bids ?? []).map(toLevel), 'bids'),
    asks: bestFirst((read.asks ?? []).map(toLevel), 'asks'),
  }))

/** Reads a level 3 book, best first; within a price the service's order is kept, for it is the queue. */
export const readOrderByOrderBook = (json: string, symbol: string): Result<OrderByOrderBook> =>
  mapResult(readMessage(orderByOrderBookMessage, json), (read) => ({
    symbol: read.symbol ?? symbol,
    bids: bestFirst((read.bids ?? []).map(toQueueOrder), 'bids'),
    asks: bestFirst((read.asks ?? []).map(toQueueOrder), 'asks'),
  }))

export const writeBook = (book: Book, mode: WireMode): string =>
  writeJson(
    {
      symbol: book.symbol,
      bids: book.bids.map(fromLevel),
      asks: book.asks.map(fromLevel),
    },
    mode,
  )

export const writeOrderByOrderBook = (book: OrderByOrderBook, mode: WireMode): string =>
  writeJson(
    {
      symbol: book.symbol,
      bids: book.bids.map(fromQueueOrder),
      asks: book.asks.map(fromQueueOrder),
    },
    mode,
  )

const toLevel = (read: z.infer<typeof levelMessage>): Level => ({
  price: read.px,
  quantity: read.qty,
  orderCount: Number(read.num ?? 0n),
})
const toQueueOrder = (read: z.infer<typeof queueOrderMessage>): QueueOrder => ({
  price: read.px,
  quantity: read.qty,
  orderId: read.num.toString(),
})
export const fromLevel = (level: Level) => ({
  px: level.price,
  qty: level.quantity,
  num: level.orderCount,
})
export const fromQueueOrder = (order: QueueOrder) => ({
  px: order.price,
  qty: order.quantity,
  num: BigInt(order.orderId),
})

/** Sorts only when it must; the sort is stable, so that a queue keeps its time priority. */
function bestFirst<Entry extends { price: Decimal }>(entries: Entry[], side: 'bids' | 'asks'): Entry[] {
  const compare = (left: Entry, right: Entry) =>
    side === 'bids' ? right.price.cmp(left.price) : left.price.cmp(right.price)
  const isSorted = entries.every((entry, index) => {
    const before = entries[index - 1]
    return before === undefined || compare(before, entry) <= 0
  })
  return isSorted ? entries : entries.sort(compare)
}
