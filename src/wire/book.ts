import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import type { UnreadableEntry } from '../domain/listing.ts'
import type { Book, Level, OrderByOrderBook, QueueOrder } from '../domain/market/book.ts'
import type { Decimal } from '../domain/money.ts'
import { type WireMode, writeJson } from './exact-json.ts'
import { anyList, type EntryReader, entryReader, type Known, readWithEntries } from './listing.ts'
import { amount, isMissing, message, ofAsked, optionalInt64, optionalNamed } from './message.ts'

/** OrderBookEntry of level 2: `num` is the number of orders at the price. */
const levelMessage = message({
  px: amount,
  qty: amount,
  num: optionalInt64,
})
/** OrderBookEntry of level 3: `num` is the order's id; without it the entry keeps its place in the queue. */
const queueOrderMessage = levelMessage

/** Refuses entries with a price or quantity of zero or less. */
function standing<T>({ px, qty }: { px: Decimal; qty: Decimal }, entry: T): Result<T> {
  if (!px.gt(0)) return err('field "px" must be above 0')
  return qty.gt(0) ? ok(entry) : err('field "qty" must be above 0')
}

const readLevel = entryReader(levelMessage, (read) =>
  standing<Level>(read, { price: read.px, quantity: read.qty, orderCount: read.num }),
)
const readQueueOrder = entryReader(queueOrderMessage, (read) =>
  standing<QueueOrder>(read, { price: read.px, quantity: read.qty, orderId: read.num?.toString() ?? null }),
)

/** OrderBook of either level; entries are read one by one. */
const bookMessage = message({
  symbol: optionalNamed,
  bids: z.nullish(anyList),
  asks: z.nullish(anyList),
})

/** Reads both sides of the book of `symbol`, sorted best first. An answer with neither side is not a book. */
function readSides<Entry extends { price: Decimal }>(
  json: string,
  symbol: string,
  readEntry: EntryReader<Entry>,
  known: Known<Entry> | undefined,
): Result<{ symbol: string; bids: Entry[]; asks: Entry[]; unreadable?: readonly UnreadableEntry[] }> {
  const read = readWithEntries(json, bookMessage, readEntry, known)
  if (!read.ok) return read
  const { message, listing } = read.value
  const { bids, asks } = message
  if (isMissing(bids) && isMissing(asks)) return err('fields "bids" and "asks" are missing')
  const side = (name: 'bids' | 'asks') => {
    const { entries, unreadable } = listing(message[name] ?? [])
    return { entries: bestFirst([...entries], name), unreadable }
  }
  const [bid, ask] = [side('bids'), side('asks')]
  const unreadable = [...bid.unreadable, ...ask.unreadable]
  const book = { symbol, bids: bid.entries, asks: ask.entries, ...(unreadable.length === 0 ? {} : { unreadable }) }
  return ofAsked('symbol', symbol, message.symbol, book)
}

/** Reads the level 2 book of `symbol`. */
export const readBook = (json: string, symbol: string, known?: Known<Level>): Result<Book> =>
  readSides(json, symbol, readLevel, known)

/** Reads the level 3 book of `symbol`. Keeps the exchange's order within a price, which is the queue. */
export const readOrderByOrderBook = (
  json: string,
  symbol: string,
  known?: Known<QueueOrder>,
): Result<OrderByOrderBook> => readSides(json, symbol, readQueueOrder, known)

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

export const fromLevel = (level: Level) => ({
  px: level.price,
  qty: level.quantity,
  num: level.orderCount,
})
export const fromQueueOrder = (order: QueueOrder) => ({
  px: order.price,
  qty: order.quantity,
  num: order.orderId === null ? null : BigInt(order.orderId),
})

/** Sorts only if needed; the sort is stable, so a queue keeps its time priority. */
function bestFirst<Entry extends { price: Decimal }>(entries: Entry[], side: 'bids' | 'asks'): Entry[] {
  const compare = (left: Entry, right: Entry) =>
    side === 'bids' ? right.price.cmp(left.price) : left.price.cmp(right.price)
  const isSorted = entries.every((entry, index) => {
    const before = entries[index - 1]
    return before === undefined || compare(before, entry) <= 0
  })
  return isSorted ? entries : entries.sort(compare)
}
