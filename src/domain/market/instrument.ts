import { Decimal, formatFixed } from '../money.ts'
import type { Side } from '../orders/order.ts'

/** A symbol's trading status, in the service's own words. */
export type SymbolStatus = 'open' | 'close' | 'suspend' | 'halt' | 'halt-freeze'
export const symbolStatuses: readonly SymbolStatus[] = ['open', 'close', 'suspend', 'halt', 'halt-freeze']
/** A status after a symbol's name, in a sentence. */
export const statusWords: Readonly<Record<SymbolStatus, string>> = {
  open: 'is open',
  close: 'is closed',
  suspend: 'is suspended',
  halt: 'is halted',
  'halt-freeze': 'is in halt-freeze',
}

/** What the service tells of an opening auction while a symbol is halted; each part may be blank. */
export type Auction = {
  price: Decimal | null
  quantity: Decimal | null
  /** UTC, `HHMM`. */
  time: string | null
  /** Above 0: buy orders are left over at the auction price. Below 0: sell orders. */
  imbalance: Decimal | null
}

/** A symbol with its trading rules. All sizes are in units of the currency, not in scaled integers. */
export type Instrument = {
  symbol: string
  /** The number the exchange knows it by, where it tells one. */
  id?: bigint
  base: string
  counter: string
  /** Decimals the currency can be split in. */
  baseScale: number
  counterScale: number
  tickSize: Decimal
  /** Decimals a price is shown with, as the service states them with the tick: a tick of 0.50 shows two. */
  priceScale: number
  lotSize: Decimal
  /** Decimals a quantity is shown with, as the service states them with the lot. */
  quantityScale: number
  minQuantity: Decimal
  /** Null: no limit. */
  maxQuantity: Decimal | null
  status: SymbolStatus
  auction: Auction
}

/** While a symbol is halted its book builds for an auction. */
export const isHalted = ({ status }: Pick<Instrument, 'status'>): boolean =>
  status === 'halt' || status === 'halt-freeze'

/** True when `price` is a whole number of ticks. */
export const isOnTick = (price: Decimal, { tickSize }: Instrument): boolean => price.mod(tickSize).isZero()
/** True when `quantity` is a whole number of lots. */
export const isOnLot = (quantity: Decimal, { lotSize }: Instrument): boolean => quantity.mod(lotSize).isZero()

/** The tick at or below and the tick at or above a price; the same one twice when the price is on the tick. */
export const ticksAround = (price: Decimal, { tickSize }: Instrument): [Decimal, Decimal] => [
  price.toNearest(tickSize, Decimal.ROUND_FLOOR),
  price.toNearest(tickSize, Decimal.ROUND_CEIL),
]
/** The lot at or below and the lot at or above a quantity. */
export const lotsAround = (quantity: Decimal, { lotSize }: Instrument): [Decimal, Decimal] => [
  quantity.toNearest(lotSize, Decimal.ROUND_FLOOR),
  quantity.toNearest(lotSize, Decimal.ROUND_CEIL),
]

/** Rounds a limit price to the tick on the passive side: a buy down, a sell up. */
export const roundToTick = (price: Decimal, side: Side, { tickSize }: Instrument): Decimal =>
  price.toNearest(tickSize, side === 'BUY' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)

/**
 * Fixed-point text with the symbol's own decimals: a tick of 0.00000001 prints 8, never 1e-8. A price that is finer
 * than the tick (a mid) keeps as many more as `extraDecimals` asks for.
 */
export const formatPrice = (price: Decimal, instrument: Instrument, extraDecimals = 0): string =>
  formatFixed(price, instrument.priceScale + extraDecimals)
/** Decimals of an average price, wherever one is shown: it is finer than the tick, and may have digits without end. */
export const averageScale = ({ priceScale }: Pick<Instrument, 'priceScale'>): number => priceScale + 2
/** An average price as fixed-point text with two decimals more than the symbol's prices. */
export const formatAverage = (price: Decimal, instrument: Instrument): string =>
  formatFixed(price, averageScale(instrument))
/** Fixed-point text with the symbol's own decimals. */
export const formatQuantity = (quantity: Decimal, instrument: Instrument): string =>
  formatFixed(quantity, instrument.quantityScale)
