import type { Listing } from './listing.ts'
import { averageScale, type Instrument } from './market/instrument.ts'
import { type Decimal, formatFixed, formatGrouped, zero } from './money.ts'

/** One currency of an account. `balance` − `available` is what orders and withdrawals hold. */
export type Balance = {
  currency: string
  balance: Decimal
  available: Decimal
  /** Balance and available amount in the account's local currency. */
  balanceLocal: Decimal
  availableLocal: Decimal
  /** Local currency for one unit. */
  rate: Decimal
}

/** What is spoken for by working orders and withdrawals in flight. */
export const heldAmount = (balance: Balance): Decimal => balance.balance.minus(balance.available)

/**
 * Decimals of all amounts of one currency that stand beside each other, in lists, tables and sentences: as many as the
 * finest of them has, two at least, and never more than the currency's own where these are known. Zeros behind them are
 * left out.
 */
export const sharedDecimals = (amounts: readonly Decimal[], scale = Number.POSITIVE_INFINITY): number =>
  Math.min(scale, Math.max(2, ...amounts.map((amount) => amount.decimalPlaces())))

/** What is available of a currency: nothing of one that is not listed. */
export const availableOf = (currency: string, balances: readonly Balance[]): Decimal =>
  balances.find((balance) => balance.currency === currency)?.available ?? zero

/** Account name → its balances. The service always has `primary`. */
export type Accounts = ReadonlyMap<string, Listing<Balance>>
export const primaryAccount = 'primary'

/** Maker and taker rate as fractions (0.002 is 0.2%). */
export type Fees = {
  makerRate: Decimal
  takerRate: Decimal
  volumeUsd: Decimal
}

/** Last price and 24-hour figures of a symbol; each part may be missing before the first trade. */
export type Ticker = {
  symbol: string
  lastPrice: Decimal | null
  price24h: Decimal | null
  volume24h: Decimal | null
}

/** Change over 24 hours as a fraction, or null when either price is missing. */
export function change24h(ticker: Ticker): Decimal | null {
  if (ticker.lastPrice === null || ticker.price24h === null || ticker.price24h.isZero()) return null
  return ticker.lastPrice.minus(ticker.price24h).div(ticker.price24h)
}

/** The rules of the symbols as far as they are known. */
export type Instruments = ReadonlyMap<string, Instrument> | null

/** Decimals of an average price of a symbol whose rules are not known, at most. */
export const averageScaleUnknown = 8

/** Decimals that a symbol's prices and quantities are shown with. */
export type AmountScales = Pick<Instrument, 'priceScale' | 'quantityScale'>

/** Writes an amount with so many decimals: with commas between thousands, or without. */
export type WriteAmount = (amount: Decimal, decimals: number) => string

/** The decimals of a symbol alone, to be kept; undefined where its rules are not known. */
export const scalesOf = (rules: AmountScales | undefined): AmountScales | undefined =>
  rules === undefined ? undefined : { priceScale: rules.priceScale, quantityScale: rules.quantityScale }

/**
 * Writes amounts in sentences with the symbol's own decimals, prices with commas: `64,209.50`. What is finer keeps
 * every digit, and so does everything of a symbol whose rules are not known.
 */
export function amountsOf(symbol: string, instruments: Instruments) {
  const rules = instruments?.get(symbol)
  const counterScale = rules?.counterScale ?? 0
  return {
    ...amountsIn(rules),
    /** What is paid or received, in the currency that prices are in. */
    counter: (amount: Decimal) => formatGrouped(amount, finer(amount, counterScale)),
  }
}

/** `amountsOf` where only the decimals are known, or not even these; `write` writes the prices. */
export function amountsIn(scales: AmountScales | undefined, write: WriteAmount = formatGrouped) {
  const { priceScale = 0, quantityScale = 0 } = scales ?? {}
  const averageDecimals = scales === undefined ? averageScaleUnknown : averageScale(scales)
  return {
    price: (price: Decimal) => write(price, finer(price, priceScale)),
    /** An average may have digits without end: it is rounded where it has more than averages are shown with. */
    average: (price: Decimal) => write(price, Math.min(averageDecimals, finer(price, priceScale))),
    quantity: (quantity: Decimal) => formatFixed(quantity, finer(quantity, quantityScale)),
  }
}

const finer = (amount: Decimal, decimals: number): number => Math.max(decimals, amount.decimalPlaces())
