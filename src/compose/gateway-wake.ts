import type { Need } from '../domain/desk/feeds.ts'
import type { EligibilityPart } from '../domain/gateway/service-events.ts'
import type { Poller } from '../services/polling/poller.ts'
import type { DeskState, DeskStore } from '../store/desk.ts'
import { isPictureLive } from '../store/feeds/feed-needs.ts'

/** What may be sold is needed while its pane shows how things stand now. */
export const eligibilityNeed = (state: DeskState): Need =>
  isPictureLive(state) && state.screen.visiblePanes.includes('gateway') ? 'visible' : 'hidden'

/**
 * What may be sold is asked for when its pane comes on screen, unless that was just done, and the regions when a person
 * wants others.
 */
export function wakeEligibility(store: DeskStore, pollers: Readonly<Record<EligibilityPart, Poller>>): void {
  store.subscribe((state, before) => {
    if (state.gateway.onlyBuyAllowed !== before.gateway.onlyBuyAllowed) pollers.regions.wake()
    if (eligibilityNeed(state) !== eligibilityNeed(before))
      for (const poller of Object.values(pollers)) poller.rescheduleIfSooner()
  })
}

/** Keeps how far a person has looked, whenever that goes on. */
export function keepSeen(store: DeskStore, keep: (sequence: number) => void): void {
  store.subscribe(({ gateway }, before) => {
    const { seenSequence } = gateway.inbox
    if (seenSequence !== before.gateway.inbox.seenSequence) keep(seenSequence)
  })
}
