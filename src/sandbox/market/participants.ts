import type { Random } from '../../base/random.ts'
import type { AccountId, CoreEvent } from '../core/types.ts'
import type { Venue } from '../venue.ts'
import { createCrowd } from './crowd.ts'
import type { Zone } from './grid.ts'
import { createMaker, type MarketView } from './maker.ts'
import type { SymbolProfile } from './profile.ts'
import { createTakerFlow } from './taker-flow.ts'
import { take } from './takers.ts'
import { createTrader } from './trader.ts'

/** The accounts that make the market. They hold more than they will ever need. */
export type MarketAccounts = { makers: readonly [AccountId, AccountId]; crowd: AccountId; takers: AccountId }

/** Everybody who trades in one symbol, and what each can do. */
export type Participants = {
  /** Both makers bring their ladders up to date. */
  quote(view: MarketView, zones: readonly Zone[]): void
  /** One order of the crowd comes, in an open market or while an auction builds. */
  stir(view: MarketView): void
  gather(view: MarketView): void
  /** The makers take everything back. */
  leave(atMs: number): void
  /** One taker trades; the lots bought, negative when sold. */
  take(view: MarketView): number
  /** Seconds until the next taker comes. */
  takerWait(): number
  onEvent(event: CoreEvent): void
}

export function createParticipants(
  venue: Venue,
  accounts: MarketAccounts,
  profile: SymbolProfile,
  random: Random,
): Participants {
  const traderOf = (account: AccountId) => createTrader(venue, account, profile.symbol)
  const [first, second] = [traderOf(accounts.makers[0]), traderOf(accounts.makers[1])]
  const makers = [createMaker(first, profile, 0, random), createMaker(second, profile, 1, random)]
  const crowdTrader = traderOf(accounts.crowd)
  const crowd = createCrowd(crowdTrader, profile, random)
  const trader = traderOf(accounts.takers)
  const flow = createTakerFlow(profile.tradesPerSecond, random)
  return {
    quote: (view, zones) => {
      for (const maker of makers) maker.withdraw(view)
      crowd.flee(view)
      for (const maker of makers) maker.quote(view, zones)
    },
    leave: (atMs) => {
      for (const maker of makers) maker.leave(atMs)
    },
    stir: crowd.stir,
    gather: crowd.gather,
    take: (view) => {
      const book = venue.read().top(profile.symbol)
      return book === undefined ? 0 : take(book, { trader, flow, profile, random }, view)
    },
    takerWait: flow.nextWait,
    onEvent: (event) => {
      for (const each of [first, second, crowdTrader]) each.onEvent(event)
    },
  }
}
