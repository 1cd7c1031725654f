import type { AccountId } from './core/types.ts'
import type { RandomBytes } from './http/token.ts'
import { createMarket, type Market } from './market/market.ts'
import { clockTime } from './timekeeper.ts'
import type { Venue } from './venue.ts'
import { createWorld, type World } from './world.ts'

const dayMs = 86_400_000
/** How long after its announcement an auction takes place. */
export const auctionInMs = 30 * 60_000
/** How long orders have been gathering for the auction when the sandbox starts. */
const auctionBuildMs = 45_000

/**
 * Makes the world. With a seed the market lives: then the world is a day old already, and that day has been played, so
 * that books and figures are believable from the start.
 */
export function populate(options: {
  venue: Venue
  /** Told which accounts need no history: it would be millions of orders a day that nobody asks for. */
  forget: (accounts: readonly AccountId[]) => void
  randomBytes: RandomBytes
  /** Tokens to use for these people instead of new ones. */
  tokens?: ReadonlyMap<string, string>
  marketSeed: number | undefined
}): { world: World; market: Market | undefined } {
  const { venue, forget, randomBytes, tokens, marketSeed } = options
  const nowMs = venue.nowMs()
  const isLiving = marketSeed !== undefined
  const startMs = isLiving ? nowMs - dayMs : nowMs
  const haltMs = isLiving ? nowMs - auctionBuildMs : nowMs
  const world = createWorld(venue, randomBytes, startMs, tokens)
  const { marketAccounts: accounts, profiles } = world
  forget([...accounts.makers, accounts.crowd, accounts.takers])
  const market = isLiving ? createMarket(venue, { accounts, profiles, seed: marketSeed, startMs }) : undefined
  market?.warmUp(haltMs)
  for (const symbol of world.haltedSymbols) {
    venue.execute('setSymbolStatus', { symbol, status: 'halt' }, haltMs)
    venue.execute('setAuctionTime', { symbol, time: clockTime(nowMs + auctionInMs) }, haltMs)
  }
  market?.advance(nowMs)
  return { world, market }
}
