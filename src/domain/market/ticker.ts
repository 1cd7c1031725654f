import type { Decimal } from '../money.ts'

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
