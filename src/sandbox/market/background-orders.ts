import type { Random } from '../../base/random.ts'
import type { Side } from '../../domain/orders/order.ts'
import type { MarketView } from './market-maker.ts'
import { allowedLots, type SymbolProfile } from './symbol-profile.ts'
import type { Trader } from './trader.ts'

/** Everybody else's resting orders: at any distance, for as long as patience lasts. */
type BackgroundOrders = {
  /** The price moved through some of its orders: most of them are taken back just in time. */
  cancelCrossed(view: MarketView): void
  /** In an open market: one goes, one comes. */
  churn(view: MarketView): void
  /** While an auction builds: orders on both sides of the fair price, many of which would trade. */
  buildAuction(view: MarketView): void
}

const ordersMax = 50
const gatheredMax = 36
const patienceSeconds = 75
/** Most orders are near the price, and some absurdly far: P(distance > d) falls as a power of d. */
const distanceTail = 1.25
const distanceMaxTicks = 1_500
/** Now and then somebody offers a better price than the makers do. */
const improvingShare = 0.2
const sleepersShare = 0.12

export function createBackgroundOrders(trader: Trader, profile: SymbolProfile, random: Random): BackgroundOrders {
  const patienceMs = new Map<number, number>()

  const place = (side: Side, ticks: number, atMs: number) => {
    const wanted = profile.typicalLots * Math.exp(0.9 * random.normal() - 0.4)
    const order = { side, ticks: Math.max(1, ticks), lots: allowedLots(wanted, profile), timeInForce: 'GTC' as const }
    const report = trader.place(order, atMs)
    if (report !== undefined) patienceMs.set(report.exOrdId, atMs + random.exponential(patienceSeconds * 1_000))
  }

  /** Takes back what has waited long enough, and the oldest when there are too many. */
  const giveUp = (atMs: number, countMax: number) => {
    for (const exOrdId of patienceMs.keys()) if (!trader.resting.has(exOrdId)) patienceMs.delete(exOrdId)
    for (const [exOrdId, untilMs] of patienceMs) {
      if (untilMs > atMs && patienceMs.size <= countMax) continue
      patienceMs.delete(exOrdId)
      trader.cancel(exOrdId, atMs)
    }
  }

  return {
    cancelCrossed: ({ fairTicks, atMs }) => {
      trader.cancelWhere(({ side, ticks }) => {
        const isThrough = side === 'BUY' ? ticks > fairTicks : ticks < fairTicks
        return isThrough && !random.chance(sleepersShare)
      }, atMs)
    },
    churn: ({ fairTicks, atMs }) => {
      giveUp(atMs, ordersMax)
      const side = random.chance(0.5) ? 'BUY' : 'SELL'
      const outward = side === 'BUY' ? -1 : 1
      const distance = Math.min(distanceMaxTicks, Math.floor(random.pareto(distanceTail)))
      const ticks = random.chance(improvingShare) ? fairTicks + outward * 0.5 : fairTicks + outward * (1 + distance)
      place(side, side === 'BUY' ? Math.floor(ticks) : Math.ceil(ticks), atMs)
    },
    buildAuction: ({ fairTicks, atMs }) => {
      giveUp(atMs, gatheredMax)
      const side = random.chance(0.5) ? 'BUY' : 'SELL'
      const eagerness = profile.volatilityTicks * 12 * random.normal()
      place(side, Math.round(fairTicks + (side === 'BUY' ? eagerness : -eagerness)), atMs)
    },
  }
}
