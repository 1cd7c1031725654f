import type { ExchangeClient } from '../api/exchange-client.ts'
import type { FeedName } from '../domain/desk/events.ts'
import type { Needs, PolledName } from '../domain/desk/feeds.ts'
import { type Account, createAccount } from '../services/polling/account.ts'
import { type FeedPoller, type ServiceContext, withStaleLimits } from '../services/polling/feed-poller.ts'
import { createLadderData, createMarketData, createWatchedBooks } from '../services/polling/market-data.ts'
import { slowdown } from '../services/polling/poll-interval.ts'
import type { Poller } from '../services/polling/poller.ts'
import { createTransfers, type Transfers } from '../services/polling/transfers.ts'
import { watchedSymbols } from '../store/alerts/alert-changes.ts'
import type { DeskStore } from '../store/desk.ts'
import { isAuctionShown } from '../store/feeds/feed-needs.ts'
import { ladderWants } from '../store/feeds/ladder-wants.ts'
import { needsOf, wakeOnDemand } from './wake.ts'

/** Everything that the desk asks the exchange by itself. */
export type Polls = {
  account: Account
  transfers: Transfers
  /** Asks for the chosen symbol's book now. */
  refresh: () => void
  /** To be run, each until the desk's signal is aborted. */
  loops: readonly Poller[]
}

/** How many times longer pauses are, reckoned anew when needs have changed. */
function createSlowdown(needs: () => Needs, perSecond: number, pollMs: ServiceContext['pollMs']): () => number {
  let last: { needs: Needs; times: number } | null = null
  return () => {
    const now = needs()
    if (last?.needs !== now) last = { needs: now, times: slowdown(now, perSecond, pollMs) }
    return last.times
  }
}

/**
 * Builds the polls of a desk: each as quick as what is on screen, and what a person does, need it; all of them together
 * make `callsPerSecond` calls a second at the most, as far as that keeps no feed from looking alive.
 */
export function createPolls(
  store: DeskStore,
  client: ExchangeClient,
  services: Omit<ServiceContext, 'need' | 'slowdown'>,
  callsPerSecond: number,
): Polls {
  const emit = withStaleLimits(services.emit, services.pollMs ?? {})
  const needs = needsOf(store)
  const need = (name: PolledName) => needs()[name]
  const context = { ...services, emit, need, slowdown: createSlowdown(needs, callsPerSecond, services.pollMs) }
  const shown = { symbol: () => store.getState().symbol, isAuctionShown: () => isAuctionShown(store.getState()) }
  const market = createMarketData(client, shown, context)
  const ladders = createLadderData(client, () => ladderWants(store.getState()), context)
  const watched = createWatchedBooks(client, () => watchedSymbols(store.getState()), context)
  const account = createAccount(client, context)
  const transfers = createTransfers(client, context)
  const { orders, fills, balances, fees } = account
  const ofAccount = { orders, fills, balances, fees, ...transfers.pollers }
  const pollers: Record<FeedName, FeedPoller> = { ...market, ...ofAccount, queue: ladders.queue }
  wakeOnDemand(store, { pollers, ladders, watched })
  const loops = [...Object.values(pollers), ladders.otherBook, ladders.otherQueue, watched]
  return { account, transfers, refresh: () => market.book.wake(), loops }
}
