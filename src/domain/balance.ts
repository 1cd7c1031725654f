import type { Listing } from './listing.ts'
import { averageScale, type Instrument } from './market/instrument.ts'
import { Decimal, formatFixed, formatGrouped, zero } from './money.ts'

/** A currency of an account. `balance` − `available` is held by orders and withdrawals. */
export type Balance = {
  currency: string
  balance: Decimal
  available: Decimal
  /** Balance and available amount in the account's local currency. */
  balanceLocal: Decimal
  availableLocal: Decimal
  /** Local currency per unit. */
  rate: Decimal
}

/** The amount held by working orders and pending withdrawals. */
export const heldAmount = (balance: Balance): Decimal => balance.balance.minus(balance.available)

/**
 * Common decimals of a currency's amounts shown together: as many as the finest needs, at least two, and at most the
 * currency's own if known.
 */
export const sharedDecimals = (amounts: readonly Decimal[], scale = Number.POSITIVE_INFINITY): number =>
  Math.min(scale, Math.max(2, ...amounts.map((amount) => amount.decimalPlaces())))

/** The available amount of a currency; zero for an unlisted one. */
export const availableOf = (currency: string, balances: readonly Balance[]): Decimal =>
  balances.find((balance) => balance.currency === currency)?.available ?? zero

/** Account name → its balances. `primary` always exists. */
export type Accounts = ReadonlyMap<string, Listing<Balance>>
export const primaryAccount = 'primary'

/** Maker and taker rate as fractions (0.002 is 0.2%). */
export type Fees = {
  makerRate: Decimal
  takerRate: Decimal
  volumeUsd: Decimal
}

/**
 * What a buy needs per unit of its notional, for checks of funds. A rebate is paid after the fill, so it funds nothing:
 * the factor is never below 1.
 */
export const buyCostFactor = ({ takerRate }: Fees): Decimal => Decimal.max(takerRate, zero).plus(1)

/** Last price and 24-hour figures of a symbol; each may be missing before the first trade. */
export type Ticker = {
  symbol: string
  lastPrice: Decimal | null
  price24h: Decimal | null
  volume24h: Decimal | null
}

/** Change over 24 hours as a fraction; null when either price is missing. */
export function change24h(ticker: Ticker): Decimal | null {
  if (ticker.lastPrice === null || ticker.price24h === null || ticker.price24h.isZero()) return null
  return ticker.lastPrice.minus(ticker.price24h).div(ticker.price24h)
}

/** The known rules of symbols. */
export type Instruments = ReadonlyMap<string, Instrument> | null

/** Maximum decimals of an average price for a symbol with unknown rules. */
export const averageScaleUnknown = 8

/** Decimals of a symbol's displayed prices and quantities. */
export type AmountScales = Pick<Instrument, 'priceScale' | 'quantityScale'>

/** Formats an amount with a number of decimals, with or without thousands separators. */
export type WriteAmount = (amount: Decimal, decimals: number) => string

/** Only the decimals of a symbol, for storing; undefined when its rules are unknown. */
export const scalesOf = (rules: AmountScales | undefined): AmountScales | undefined =>
  rules === undefined ? undefined : { priceScale: rules.priceScale, quantityScale: rules.quantityScale }

/**
 * Formats amounts for sentences with the symbol's decimals, prices with commas: `64,209.50`. Finer amounts, and those
 * of a symbol with unknown rules, keep all digits.
 */
export function amountsOf(symbol: string, instruments: Instruments) {
  const rules = instruments?.get(symbol)
  const counterScale = rules?.counterScale ?? 0
  return {
    ...amountsIn(rules),
    /** An amount paid or received, in the counter currency. */
    counter: (amount: Decimal) => formatGrouped(amount, finer(amount, counterScale)),
  }
}

/** `amountsOf` for known decimals only, or none; `write` formats prices. */
export function amountsIn(scales: AmountScales | undefined, write: WriteAmount = formatGrouped) {
  const { priceScale = 0, quantityScale = 0 } = scales ?? {}
  const averageDecimals = scales === undefined ? averageScaleUnknown : averageScale(scales)
  return {
    price: (price: Decimal) => write(price, finer(price, priceScale)),
    /** An average may have endless digits, so it is rounded to the decimals of displayed averages. */
    average: (price: Decimal) => write(price, Math.min(averageDecimals, finer(price, priceScale))),
    quantity: (quantity: Decimal) => formatFixed(quantity, finer(quantity, quantityScale)),
  }
}

const finer = (amount: Decimal, decimals: number): number => Math.max(decimals, amount.decimalPlaces())
