import { indicativeAuction, selfMatchesAt } from '../engine/auction.ts'
import { selfMatch } from './execution.ts'
import type { Market } from './market.ts'
import { withdrawOrder } from './order-end.ts'
import type { ExchangeState } from './state.ts'

/**
 * Trades out what crosses, in one step at one price; for a market that is not open yet. Of two orders of one account
 * that would meet, the newer is cancelled whole beforehand, and the price is found again without it.
 */
export function uncross(state: ExchangeState, market: Market): void {
  for (;;) {
    const auction = indicativeAuction(market.book, market.ticker.lastTicks)
    if (auction === null) return
    const own = selfMatchesAt(market.book, auction.ticks)
    for (const order of own) withdrawOrder(state, order, 'CANCELED', selfMatch)
    if (own.length > 0) continue
    market.book.uncross(auction.ticks)
    return
  }
}
