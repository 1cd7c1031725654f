import type { RandomBytes } from './http/token.ts'
import type { ForgetfulHistory } from './market/forgetful-history.ts'
import { createMarket, type Market } from './market/market.ts'
import { clockTime } from './timekeeper.ts'
import type { Venue } from './venue.ts'
import { createWorld, type World } from './world.ts'

const dayMs = 86_400_000
const auctionInMs = 30 * 60_000
/** How long orders have been gathering for the auction when the sandbox starts. */
const auctionBuildMs = 45_000

/**
 * Makes the world. With a seed the market lives: then the world is a day old already, and that day has been played, so
 * that books and figures are believable from the start.
 */
export function populate(options: {
  venue: Venue
  history: ForgetfulHistory
  randomBytes: RandomBytes
  marketSeed: number | undefined
}): { world: World; market: Market | undefined } {
  const { venue, history, randomBytes, marketSeed } = options
  const nowMs = venue.nowMs()
  const isLiving = marketSeed !== undefined
  const startMs = isLiving ? nowMs - dayMs : nowMs
  const haltMs = isLiving ? nowMs - auctionBuildMs : nowMs
  const world = createWorld(venue, randomBytes, startMs)
  const { marketAccounts: accounts, profiles } = world
  history.forget([...accounts.makers, accounts.crowd, accounts.takers])
  const market = isLiving ? createMarket(venue, { accounts, profiles, seed: marketSeed, startMs }) : undefined
  market?.warmUp(haltMs)
  for (const symbol of world.haltedSymbols) {
    venue.execute('setSymbolStatus', { symbol, status: 'halt' }, haltMs)
    venue.execute('setAuctionTime', { symbol, time: clockTime(nowMs + auctionInMs) }, haltMs)
  }
  market?.advance(nowMs)
  return { world, market }
}
