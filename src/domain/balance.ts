import type { Listing } from './listing.ts'
import type { Decimal } from './money.ts'

/** One currency of an account. `balance` − `available` is what orders and withdrawals hold. */
export type Balance = {
  currency: string
  balance: Decimal
  available: Decimal
  /** The same two amounts in the account's local currency. */
  balanceLocal: Decimal
  availableLocal: Decimal
  /** Local currency for one unit. */
  rate: Decimal
}

/** What is spoken for by working orders and withdrawals in flight. */
export const heldAmount = (balance: Balance): Decimal => balance.balance.minus(balance.available)

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
