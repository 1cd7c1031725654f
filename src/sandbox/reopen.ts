import { createMarket, type Market } from './market/market.ts'
import type { SymbolProfile } from './market/profile.ts'
import { auctionInMs } from './populate.ts'
import type { SandboxClock } from './sandbox-clock.ts'
import { clockTime } from './timekeeper.ts'
import type { Venue } from './venue.ts'
import type { World } from './world.ts'

/** How much of the time it was away the market makes up for, so that its book is whole again. */
const resumeMs = 45_000
const minuteMs = 60_000

/**
 * Wakes a world that was made earlier: books, orders and money are as they were, and time goes on from there or from
 * now, whichever is later. The market's own hands have forgotten their orders, so these are taken back, as a venue does
 * for those who lose their connection; it begins anew at the prices of the last trades.
 */
export function reopen(options: {
  venue: Venue
  clock: SandboxClock
  world: World
  marketSeed: number | undefined
}): Market | undefined {
  const { venue, clock, world, marketSeed } = options
  const lastMs = venue.read().nowMs()
  clock.putForward(Math.max(0, lastMs - clock.now()))
  if (marketSeed === undefined) return undefined
  const { marketAccounts: accounts } = world
  for (const account of [...accounts.makers, accounts.crowd, accounts.takers])
    venue.execute('cancelOrders', { account })
  announceAgain(venue)
  const market = createMarket(venue, {
    accounts,
    profiles: world.profiles.map((profile) => startingAtLastTrade(venue, profile)),
    // Another stretch of the same market: with the seed alone it would play its first day again.
    seed: marketSeed + lastMs,
    startMs: Math.max(lastMs, venue.nowMs() - resumeMs),
  })
  market.advance(venue.nowMs())
  return market
}

function startingAtLastTrade(venue: Venue, profile: SymbolProfile): SymbolProfile {
  const lastTicks = venue.read().top(profile.symbol)?.lastTicks ?? null
  return lastTicks === null ? profile : { ...profile, startTicks: lastTicks }
}

/** An auction whose time has gone by takes place after a while; its time of day would come only tomorrow. */
function announceAgain(venue: Venue): void {
  const nowMs = venue.nowMs()
  const soon = new Set<string>()
  for (let inMs = 0; inMs <= auctionInMs; inMs += minuteMs) soon.add(clockTime(nowMs + inMs))
  for (const { spec, auction } of venue.read().symbols()) {
    if (auction?.time == null || soon.has(auction.time)) continue
    venue.execute('setAuctionTime', { symbol: spec.symbol, time: clockTime(nowMs + auctionInMs) })
  }
}
