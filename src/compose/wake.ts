import type { FeedName } from '../domain/desk/events.ts'
import type { Needs } from '../domain/desk/feeds.ts'
import type { FeedPoller } from '../services/polling/feed-poller.ts'
import type { LadderData } from '../services/polling/market-data.ts'
import type { Poller } from '../services/polling/poller.ts'
import { followWatches } from '../store/alerts/alert-changes.ts'
import type { DeskState, DeskStore } from '../store/desk.ts'
import { feedNeeds, isAuctionShown, mayNeedOthers } from '../store/feeds/feed-needs.ts'
import { leftFailing } from '../store/feeds/feed-news.ts'
import { ladderWants } from '../store/feeds/ladder-wants.ts'

type Pollers = { pollers: Record<FeedName, FeedPoller>; ladders: LadderData; watched: Poller }

/** How much each poll is needed, reckoned anew only where it may have changed: the same object until then. */
export function needsOf(store: DeskStore): () => Needs {
  let state = store.getState()
  let needs = feedNeeds(state)
  return () => {
    const now = store.getState()
    if (mayNeedOthers(now, state)) needs = feedNeeds(now)
    state = now
    return needs
  }
}

/** A key was pressed, or the keyboard has come back to this terminal. */
const isAtKeys = (state: DeskState, before: DeskState): boolean =>
  state.lastKeyAtMs !== before.lastKeyAtMs || state.terminal.backAtMs !== before.terminal.backAtMs

/** What a person begins to look at, or to have watched, is not waited for as long as before. */
export function wakeOnDemand(store: DeskStore, { pollers, ladders, watched }: Pollers): void {
  const { otherBook, otherQueue } = ladders
  const all = [...Object.values(pollers), otherBook, otherQueue]
  store.subscribe((state, before) => {
    // Somebody is at the keys, or back at them, and sees the market as quick as it is.
    if (isAtKeys(state, before)) for (const poller of all) poller.resetInterval()
    else if (mayNeedOthers(state, before)) for (const poller of all) poller.rescheduleIfSooner()
  })
  wakeLadders(store, ladders)
  followWatches(store, watched.wake)
  wakeForAuctions(store, pollers.instruments)
  wakeForMoney(store, pollers.balances)
  wakeAfterOutage(store, pollers)
}

/**
 * An exchange that answers one feed again is asked for the others that failed, whose own next try may be many seconds
 * away.
 */
function wakeAfterOutage(store: DeskStore, pollers: Record<FeedName, FeedPoller>): void {
  store.subscribe((state, before) => {
    for (const name of leftFailing(state, before)) pollers[name].wake()
  })
}

/** The rules tell of an auction: they are asked for as soon as one is seen, and again when it is over. */
function wakeForAuctions(store: DeskStore, instruments: Poller): void {
  let before = isAuctionShown(store.getState())
  store.subscribe((state) => {
    const now = isAuctionShown(state)
    if (now !== before) instruments.wake()
    before = now
  })
}

/** A withdrawal that was sent, or has ended, changes what may be spent: the balance beside it is asked for at once. */
function wakeForMoney(store: DeskStore, balances: Poller): void {
  store.subscribe(({ followed }, { followed: before }) => {
    if (followed.leaving !== before.leaving || followed.awaitingBalance.length > before.awaitingBalance.length)
      balances.wake()
  })
}

/** What a ladder begins to want is asked for at once. */
function wakeLadders(store: DeskStore, ladders: LadderData): void {
  let before = ladderWants(store.getState())
  store.subscribe((state, last) => {
    if (!mayNeedOthers(state, last)) return
    const now = ladderWants(state)
    for (const name of ['otherBook', 'queue', 'otherQueue'] as const)
      if (now[name] !== null && now[name] !== before[name]) ladders[name].wake()
    before = now
  })
}
