import type { Book, Level } from '../market/book.ts'
import { type Instrument, isOnTick } from '../market/instrument.ts'
import { compareAmounts, Decimal, zero } from '../money.ts'
import { type Order, openQuantity, restsInBook } from '../orders/order.ts'
import type { OwnStop, OwnUnknown } from '../orders/own-draft.ts'
import type { Side } from '../side.ts'

/** A row of the ladder: a fixed price and the quantities there, null for none. */
export type LadderRow = {
  price: Decimal
  bidQuantity: Decimal | null
  askQuantity: Decimal | null
  /** Cumulative quantity from the best price to this row; null outside the book's side. */
  bidDepth: Decimal | null
  askDepth: Decimal | null
  ownBuy: OwnInRow | null
  ownSell: OwnInRow | null
  /** Own pending stops with their stop price in this row; not in any book or in the sums above. */
  stopBuy: OwnInRow | null
  stopSell: OwnInRow | null
  /** Own orders without an answer: they may rest or wait in this row. */
  unknownBuy: UnknownInRow | null
  unknownSell: UnknownInRow | null
  isLast: boolean
  isOwnAverage: boolean
  /** True for the price at which a halted symbol would open now. */
  isAuction: boolean
}

/** Everything that determines the rows' prices. */
type ScaleInput = {
  instrument: Instrument
  /** Row height in ticks, 1 or more. */
  groupTicks: number
  /** The top row's price is `center` + rows above it; nothing else moves the scale. */
  centerPrice: Decimal
  rowCount: number
}

export type LadderInput = ScaleInput & {
  book: Book | null
  orders: readonly Order[]
  /** Own pending stops; none by default. */
  stops?: readonly OwnStop[]
  /** Own orders without an answer; none by default. */
  unknown?: readonly OwnUnknown[]
  lastPrice: Decimal | null
  /** Average price of the own position, marked if in a row. */
  ownAveragePrice: Decimal | null
  auctionPrice: Decimal | null
}

/** The row of a price: bids and other prices round down to the group, asks round up. */
export function rowPrice(price: Decimal, instrument: Instrument, groupTicks: number, side: 'bid' | 'ask'): Decimal {
  const step = instrument.tickSize.times(groupTicks)
  return price.toNearest(step, side === 'bid' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)
}

type BookInput = Pick<LadderInput, 'book' | 'instrument' | 'groupTicks'>

type SideRows = { quantity: (Decimal | null)[]; depth: (Decimal | null)[] }

/**
 * Sums a side by row in one pass from the best price outward, the order of `prices` and `levels`. A row contains the
 * levels from its price to before the next row inward; levels inward of the first row count only in its depth.
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

/** Quantities in the rows of a scale on either side, in the order of its prices, highest first. */
type BookRows = { bids: SideRows; asks: SideRows }

/** Groups the book by the rows of a scale; a row has its lowest price. */
export function bookRows({ book, instrument, groupTicks }: BookInput, prices: readonly Decimal[]): BookRows {
  const step = instrument.tickSize.times(groupTicks)
  const asks = sumSide(prices.toReversed(), book?.asks ?? [], step, 'ask')
  return {
    bids: sumSide(prices, book?.bids ?? [], step, 'bid'),
    asks: { quantity: asks.quantity.reverse(), depth: asks.depth.reverse() },
  }
}

/** Own resting orders in a row: the sum of open quantities, null when one is not reported, and their number. */
export type OwnInRow = {
  quantity: Decimal | null
  count: number
  /** True where one of them is at a price between two ticks, which no row has. */
  isOffTick?: true
}

/** Own orders without an answer in a row; `isStop`: all of them are stops. */
export type UnknownInRow = OwnInRow & { isStop: boolean }

type OwnAt = { price: Decimal; quantity: Decimal | null }

type OwnInput = Pick<LadderInput, 'instrument' | 'groupTicks' | 'orders' | 'stops' | 'unknown'>

/** Own quantities by row price: buys round down to their row, sells up. */
function byRow(own: readonly OwnAt[], { instrument, groupTicks }: OwnInput, side: Side): Map<string, OwnInRow> {
  const rows = new Map<string, OwnInRow>()
  for (const { price, quantity } of own) {
    const key = rowPrice(price, instrument, groupTicks, side === 'BUY' ? 'bid' : 'ask').toString()
    const before: OwnInRow = rows.get(key) ?? { quantity: zero, count: 0 }
    const sum = before.quantity === null || quantity === null ? null : before.quantity.plus(quantity)
    const isOffTick = before.isOffTick === true || !isOnTick(price, instrument)
    rows.set(key, { quantity: sum, count: before.count + 1, ...(isOffTick ? { isOffTick } : {}) })
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

function unknownBySide(input: OwnInput, side: Side): Map<string, UnknownInRow> {
  const unknown = (input.unknown ?? []).filter((each) => each.side === side && each.symbol === input.instrument.symbol)
  const resting = byRow(
    unknown.filter(({ isStop }) => !isStop),
    input,
    side,
  )
  return new Map([...byRow(unknown, input, side)].map(([key, row]) => [key, { ...row, isStop: !resting.has(key) }]))
}

/** Own orders, stops, and what has no answer, by their row's price, as text. */
export type OwnRows = Record<'buys' | 'sells' | 'stopBuys' | 'stopSells', ReadonlyMap<string, OwnInRow>> &
  Record<'unknownBuys' | 'unknownSells', ReadonlyMap<string, UnknownInRow>>

/** Groups own orders by the rows of a scale, whichever part is visible. */
export const ownRows = (input: OwnInput): OwnRows => ({
  buys: ownBySide(input, 'BUY'),
  sells: ownBySide(input, 'SELL'),
  stopBuys: stopsBySide(input, 'BUY'),
  stopSells: stopsBySide(input, 'SELL'),
  unknownBuys: unknownBySide(input, 'BUY'),
  unknownSells: unknownBySide(input, 'SELL'),
})

/** The price of each row, highest first; rows at or below zero are omitted. */
export function scalePrices({ instrument, groupTicks, centerPrice, rowCount }: ScaleInput): readonly Decimal[] {
  const step = instrument.tickSize.times(groupTicks)
  const top = rowPrice(centerPrice, instrument, groupTicks, 'bid').plus(step.times(Math.floor(rowCount / 2)))
  const prices: Decimal[] = []
  for (let price = top; prices.length < rowCount && price.gt(0); price = price.minus(step)) prices.push(price)
  return prices
}

/** The prices of a scale as text, by which own orders are looked up. */
const scaleKeys = new WeakMap<readonly Decimal[], readonly string[]>()

function keysOf(prices: readonly Decimal[]): readonly string[] {
  const known = scaleKeys.get(prices)
  if (known !== undefined) return known
  const keys = prices.map(String)
  scaleKeys.set(prices, keys)
  return keys
}

/** Index of the row that contains a price, from its own price to before the next; -1 for none. */
function rowHolding(prices: readonly Decimal[], step: Decimal, price: Decimal | null): number {
  if (price === null) return -1
  const at = prices.findIndex((row) => compareAmounts(price, row) >= 0)
  return prices[at]?.plus(step).gt(price) === true ? at : -1
}

/**
 * Builds the ladder's rows, highest price first. The scale is `centerPrice` rounded to the group, with half of the rows
 * above it: new data changes the contents of rows, never the rows. Rows at or below zero are omitted. Callers may pass
 * the precomputed `prices`, `own` and `inBook`.
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
      unknownBuy: own.unknownBuys.get(key) ?? null,
      unknownSell: own.unknownSells.get(key) ?? null,
      isLast: index === lastAt,
      isOwnAverage: index === averageAt,
      isAuction: index === auctionAt,
    }
  })
}

/** Group sizes in ticks, selected by `+` and `-`. */
export const groupSteps: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

/** Contents of a ladder's price column: prices, or ticks from the mid or from the cursor. */
export const ladderPrices = ['absolute', 'mid', 'cursor'] as const
export type LadderPrices = (typeof ladderPrices)[number]
