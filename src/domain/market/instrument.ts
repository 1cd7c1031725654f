import { Decimal, formatFixed } from '../money.ts'
import type { Side } from '../side.ts'

/** A symbol's trading status, in the service's words. */
export type SymbolStatus = 'open' | 'close' | 'suspend' | 'halt' | 'halt-freeze'
export const symbolStatuses: readonly SymbolStatus[] = ['open', 'close', 'suspend', 'halt', 'halt-freeze']
/** A status for a sentence, after the symbol's name. */
export const statusWords: Readonly<Record<SymbolStatus, string>> = {
  open: 'is open',
  close: 'is closed',
  suspend: 'is suspended',
  halt: 'is halted',
  'halt-freeze': 'is in halt-freeze',
}

/** The opening auction of a halted symbol; each part may be missing. */
export type Auction = {
  price: Decimal | null
  quantity: Decimal | null
  /** UTC, `HHMM`. */
  time: string | null
  /** Above 0 when buy orders remain at the auction price, below 0 for sell orders. */
  imbalance: Decimal | null
}

/** A symbol with its trading rules. Sizes are in units of the currency, not scaled integers. */
export type Instrument = {
  symbol: string
  /** The exchange's number for it, if reported. */
  id?: bigint
  base: string
  counter: string
  /** Decimals of the currency. */
  baseScale: number
  counterScale: number
  tickSize: Decimal
  /** Decimals of displayed prices, as reported with the tick: a tick of 0.50 has two. */
  priceScale: number
  lotSize: Decimal
  /** Decimals of displayed quantities, as reported with the lot. */
  quantityScale: number
  minQuantity: Decimal
  /** Null for no limit. */
  maxQuantity: Decimal | null
  status: SymbolStatus
  auction: Auction
}

/** The base currency of a symbol BASE-COUNTER, the currency of its quantities. */
export const baseOf = (symbol: string): string => symbol.slice(0, symbol.indexOf('-'))

/** The counter currency of a symbol BASE-COUNTER, the currency of its prices. */
export const counterOf = (symbol: string): string => symbol.slice(symbol.indexOf('-') + 1)

/** True while a symbol is halted and its book builds for an auction. */
export const isHalted = ({ status }: Pick<Instrument, 'status'>): boolean =>
  status === 'halt' || status === 'halt-freeze'

/** True when `price` is a whole number of ticks. */
export const isOnTick = (price: Decimal, { tickSize }: Instrument): boolean => price.mod(tickSize).isZero()
/** True when `quantity` is a whole number of lots. */
export const isOnLot = (quantity: Decimal, { lotSize }: Instrument): boolean => quantity.mod(lotSize).isZero()

/** The nearest ticks at or below and at or above a price; equal when it is on the tick. */
export const ticksAround = (price: Decimal, { tickSize }: Instrument): [Decimal, Decimal] => [
  price.toNearest(tickSize, Decimal.ROUND_FLOOR),
  price.toNearest(tickSize, Decimal.ROUND_CEIL),
]
/** The nearest lots at or below and at or above a quantity. */
export const lotsAround = (quantity: Decimal, { lotSize }: Instrument): [Decimal, Decimal] => [
  quantity.toNearest(lotSize, Decimal.ROUND_FLOOR),
  quantity.toNearest(lotSize, Decimal.ROUND_CEIL),
]

/** Rounds a limit price to the tick on the passive side: a buy down, a sell up. */
export const roundToTick = (price: Decimal, side: Side, { tickSize }: Instrument): Decimal =>
  price.toNearest(tickSize, side === 'BUY' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL)

/**
 * Fixed-point text with the symbol's decimals: a tick of 0.00000001 prints 8, never 1e-8. A price finer than the tick,
 * such as a mid, gets up to `extraDecimals` more.
 */
export const formatPrice = (price: Decimal, instrument: Instrument, extraDecimals = 0): string =>
  formatFixed(price, instrument.priceScale + extraDecimals)
/**
 * Decimals of a price that an order has or trades at: the symbol's, and all it has where it is finer. An exchange that
 * makes its tick coarser keeps orders at prices of the old one, and a rounded price would be another order's.
 */
export const exactPriceScale = (price: Decimal, { priceScale }: Pick<Instrument, 'priceScale'>): number =>
  Math.max(priceScale, price.decimalPlaces())
/** The price of an order or a fill, never rounded: see `exactPriceScale`. */
export const formatExactPrice = (price: Decimal, instrument: Pick<Instrument, 'priceScale'>): string =>
  formatFixed(price, exactPriceScale(price, instrument))
/** Decimals of a displayed average price, which is finer than the tick and may have endless digits. */
export const averageScale = ({ priceScale }: Pick<Instrument, 'priceScale'>): number => priceScale + 2
/** An average price with two more decimals than the symbol's prices. */
export const formatAverage = (price: Decimal, instrument: Instrument): string =>
  formatFixed(price, averageScale(instrument))
/**
 * A quantity with the symbol's decimals, and all it has where it is finer: see `exactPriceScale`. Orders, holdings and
 * books keep the lots they came in, and a rounded quantity would be another order's, or more than there is.
 */
export const formatQuantity = (quantity: Decimal, { quantityScale }: Pick<Instrument, 'quantityScale'>): string =>
  formatFixed(quantity, Math.max(quantityScale, quantity.decimalPlaces() || 0))
