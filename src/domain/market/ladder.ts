import { compareAmounts, Decimal, zero } from '../money.ts'
import { isPending, isWorking, type Order, openQuantity, type Side } from '../orders/order.ts'
import type { OwnStop } from '../orders/own-draft.ts'
import type { Book, Level } from './book.ts'
import type { Instrument } from './instrument.ts'

/** One row of the ladder: a fixed price with what rests there. Quantities are null where nothing rests. */
export type LadderRow = {
  price: Decimal
  bidQuantity: Decimal | null
  askQuantity: Decimal | null
  /**
   * What a taker would meet up to and including this row, from the best price outward; null outside the book's side.
   */
  bidDepth: Decimal | null
  askDepth: Decimal | null
  ownBuy: OwnInRow | null
  ownSell: OwnInRow | null
  /** Own stops that wait in the row of their stop price; they are in no book and in none of the sums above. */
  stopBuy: OwnInRow | null
  stopSell: OwnInRow | null
  isLast: boolean
  isOwnAverage: boolean
  /** The price at which a halted symbol would open now. */
  isAuction: boolean
}

/** What the rows' prices depend on, and nothing else. */
type ScaleInput = {
  instrument: Instrument
  /** Row height in ticks, 1 or more. */
  groupTicks: number
  /** The top row's price is `center` + rows above it; the scale depends on nothing else, so it holds still. */
  centerPrice: Decimal
  rowCount: number
}

export type LadderInput = ScaleInput & {
  book: Book | null
  orders: readonly Order[]
  /** Own stops that wait; none unless given. */
  stops?: readonly OwnStop[]
  lastPrice: Decimal | null
  /** Average price of the own position, marked when it falls in a row. */
  ownAveragePrice: Decimal | null
  auctionPrice: Decimal | null
}

/** The price of the row a price belongs to: bids and other prices round down to the group, asks round up. */
export function rowPrice(price: Decimal, instrument: Instrument, groupTicks: number, side: 'bid' | 'ask'): Decimal {
  const step = instrument.tickSize.times(groupTicks)
  return price.toNearest(step, side === 'bid' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)
}

type BookInput = Pick<LadderInput, 'book' | 'instrument' | 'groupTicks'>

type SideRows = { quantity: (Decimal | null)[]; depth: (Decimal | null)[] }

/**
 * Sums a side by row in one walk outward from the best price: `prices` and `levels` both run that way. A row holds the
 * levels from its price up to, and without, the next row inward; the first row leaves out what stands further inward,
 * its depth counts it.
 */
function sumSide(prices: readonly Decimal[], levels: readonly Level[], step: Decimal, side: 'bid' | 'ask'): SideRows {
  const rows: SideRows = { quantity: [], depth: [] }
  const outward = side === 'bid' ? -1 : 1
  let bound = side === 'bid' ? prices[0]?.plus(step) : prices[0]?.minus(step)
  let total: Decimal | null = null
  let at = 0
  for (const price of prices) {
    let quantity: Decimal | null = null
    for (let level = levels[at]; level !== undefined; level = levels[at]) {
      if (compareAmounts(level.price, price) === outward) break
      total = total === null ? level.quantity : total.plus(level.quantity)
      if (bound !== undefined && compareAmounts(level.price, bound) === outward)
        quantity = quantity === null ? level.quantity : quantity.plus(level.quantity)
      at += 1
    }
    rows.quantity.push(quantity)
    rows.depth.push(total)
    bound = price
  }
  return rows
}

/** What rests in the rows of a scale on either side, in the order of its prices, highest first. */
type BookRows = { bids: SideRows; asks: SideRows }

/** The book by the rows of a scale; of each row the lowest price. */
export function bookRows({ book, instrument, groupTicks }: BookInput, prices: readonly Decimal[]): BookRows {
  const step = instrument.tickSize.times(groupTicks)
  const asks = sumSide(prices.toReversed(), book?.asks ?? [], step, 'ask')
  return {
    bids: sumSide(prices, book?.bids ?? [], step, 'bid'),
    asks: { quantity: asks.quantity.reverse(), depth: asks.depth.reverse() },
  }
}

/**
 * Own orders that rest in one row: their open quantity in sum, null where a report leaves one out, and how many they
 * are.
 */
export type OwnInRow = { quantity: Decimal | null; count: number }

/** True for an order that rests in the book at a price: a stop that waits for its trigger does not. */
export const restsInBook = (order: Order): order is Order & { limitPrice: Decimal } =>
  order.limitPrice !== null && !isPending(order) && isWorking(order)

type OwnAt = { price: Decimal; quantity: Decimal | null }

type OwnInput = Pick<LadderInput, 'instrument' | 'groupTicks' | 'orders' | 'stops'>

/** Own quantity by row price: a buy in the row its price rounds down to, a sell in the one it rounds up to. */
function byRow(own: readonly OwnAt[], { instrument, groupTicks }: OwnInput, side: Side): Map<string, OwnInRow> {
  const rows = new Map<string, OwnInRow>()
  for (const { price, quantity } of own) {
    const key = rowPrice(price, instrument, groupTicks, side === 'BUY' ? 'bid' : 'ask').toString()
    const before: OwnInRow = rows.get(key) ?? { quantity: zero, count: 0 }
    const sum = before.quantity === null || quantity === null ? null : before.quantity.plus(quantity)
    rows.set(key, { quantity: sum, count: before.count + 1 })
  }
  return rows
}

function ownBySide(input: OwnInput, side: Side): Map<string, OwnInRow> {
  const { symbol } = input.instrument
  const own = input.orders.flatMap((order): OwnAt[] =>
    order.side === side && order.symbol === symbol && restsInBook(order)
      ? [{ price: order.limitPrice, quantity: openQuantity(order) }]
      : [],
  )
  return byRow(own, input, side)
}

function stopsBySide(input: OwnInput, side: Side): Map<string, OwnInRow> {
  const stops = (input.stops ?? []).filter((stop) => stop.side === side && stop.symbol === input.instrument.symbol)
  return byRow(
    stops.map(({ stopPrice, quantity }) => ({ price: stopPrice, quantity })),
    input,
    side,
  )
}

/** Own orders and stops by the price of the row they stand in, as text. */
export type OwnRows = Record<'buys' | 'sells' | 'stopBuys' | 'stopSells', ReadonlyMap<string, OwnInRow>>

/** What of one's own stands in the rows of a scale, whatever part of it is looked at. */
export const ownRows = (input: OwnInput): OwnRows => ({
  buys: ownBySide(input, 'BUY'),
  sells: ownBySide(input, 'SELL'),
  stopBuys: stopsBySide(input, 'BUY'),
  stopSells: stopsBySide(input, 'SELL'),
})

/** The scale: the price of each row, highest first; rows at or below zero are left out. */
export function scalePrices({ instrument, groupTicks, centerPrice, rowCount }: ScaleInput): readonly Decimal[] {
  const step = instrument.tickSize.times(groupTicks)
  const top = rowPrice(centerPrice, instrument, groupTicks, 'bid').plus(step.times(Math.floor(rowCount / 2)))
  const prices: Decimal[] = []
  for (let price = top; prices.length < rowCount && price.gt(0); price = price.minus(step)) prices.push(price)
  return prices
}

/** The prices of a scale as text, which is how own orders are looked for in it. */
const scaleKeys = new WeakMap<readonly Decimal[], readonly string[]>()

function keysOf(prices: readonly Decimal[]): readonly string[] {
  const known = scaleKeys.get(prices)
  if (known !== undefined) return known
  const keys = prices.map(String)
  scaleKeys.set(prices, keys)
  return keys
}

/** The row that holds a price: from its own price up to, and without, the next one; -1 where none does. */
function rowHolding(prices: readonly Decimal[], step: Decimal, price: Decimal | null): number {
  if (price === null) return -1
  const at = prices.findIndex((row) => compareAmounts(price, row) >= 0)
  return prices[at]?.plus(step).gt(price) === true ? at : -1
}

/**
 * The ladder as rows, highest price first. The scale is `centerPrice` rounded to the group, half of the rows above it:
 * data that arrives changes what stands in the rows and never the rows themselves. Rows at or below zero are left out.
 * `prices` is the scale, `own` and `inBook` what stands in it, for whoever has made them already.
 */
export function ladderRows(
  input: LadderInput,
  prices = scalePrices(input),
  own = ownRows(input),
  { bids, asks } = bookRows(input, prices),
): LadderRow[] {
  const { instrument, groupTicks, lastPrice, ownAveragePrice, auctionPrice } = input
  const step = instrument.tickSize.times(groupTicks)
  const keys = Object.values(own).some(({ size }) => size > 0) ? keysOf(prices) : []
  const [lastAt, averageAt, auctionAt] = [lastPrice, ownAveragePrice, auctionPrice].map((price) =>
    rowHolding(prices, step, price),
  )
  return prices.map((price, index): LadderRow => {
    const key = keys[index] ?? ''
    return {
      price,
      bidQuantity: bids.quantity[index] ?? null,
      askQuantity: asks.quantity[index] ?? null,
      bidDepth: bids.depth[index] ?? null,
      askDepth: asks.depth[index] ?? null,
      ownBuy: own.buys.get(key) ?? null,
      ownSell: own.sells.get(key) ?? null,
      stopBuy: own.stopBuys.get(key) ?? null,
      stopSell: own.stopSells.get(key) ?? null,
      isLast: index === lastAt,
      isOwnAverage: index === averageAt,
      isAuction: index === auctionAt,
    }
  })
}

/** Group sizes in ticks that `+` and `-` step through. */
export const groupSteps: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

/** What a ladder's column of prices says: prices, or ticks from the middle of the market or from the cursor. */
export const ladderPrices = ['absolute', 'mid', 'cursor'] as const
export type LadderPrices = (typeof ladderPrices)[number]
