import type { FeedName } from '../domain/desk-events.ts'
import type { LadderData } from '../services/ladder-data.ts'
import type { Poller } from '../services/poller.ts'
import { followWatches } from '../store/alerts/follow-alerts.ts'
import { isAuctionShown, ladderWants } from '../store/ladder/wanted.ts'
import type { DeskStore } from '../store/store.ts'
import { feedsOnScreen } from '../store/visibility.ts'

type Pollers = { pollers: Record<FeedName, Poller>; ladders: LadderData; watched: Poller }

/** What a person begins to look at, or to have watched, is asked for at once instead of after a pause. */
export function wakeOnDemand(store: DeskStore, { pollers, ladders, watched }: Pollers): void {
  wakeWhatAppears(store, pollers)
  wakeLadders(store, ladders)
  followWatches(store, watched.wake)
  wakeForAuctions(store, pollers.instruments)
  wakeForMoney(store, pollers.balances)
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
  store.subscribe((state) => {
    const now = ladderWants(state)
    for (const name of ['otherBook', 'queue', 'otherQueue'] as const)
      if (now[name] !== null && now[name] !== before[name]) ladders[name].wake()
    before = now
  })
}

/** A feed that comes on screen is asked for at once instead of after its slow pause. */
function wakeWhatAppears(store: DeskStore, pollers: Record<FeedName, Poller>): void {
  let shown = feedsOnScreen(store.getState())
  store.subscribe((state, before) => {
    if (state.screen === before.screen && state.ticket === before.ticket && state.focus === before.focus) return
    const now = feedsOnScreen(state)
    for (const feed of now) if (!shown.has(feed)) pollers[feed].wake()
    shown = now
  })
}
