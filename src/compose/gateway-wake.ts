import type { EligibilityPart } from '../domain/gateway/service-events.ts'
import type { Poller } from '../services/poller.ts'
import type { DeskState } from '../store/state.ts'
import type { DeskStore } from '../store/store.ts'

const isShown = ({ screen }: DeskState): boolean => screen.visiblePanes.includes('gateway')

/** What may be sold is asked for at once when its pane comes on screen, and the regions when a person wants others. */
export function wakeEligibility(store: DeskStore, pollers: Readonly<Record<EligibilityPart, Poller>>): void {
  store.subscribe((state, before) => {
    if (state.gateway.onlyBuyAllowed !== before.gateway.onlyBuyAllowed) pollers.regions.wake()
    if (state.screen !== before.screen && isShown(state) && !isShown(before))
      for (const poller of Object.values(pollers)) poller.wake()
  })
}

/** Keeps how far a person has looked, whenever that goes on. */
export function keepSeen(store: DeskStore, keep: (sequence: number) => void): void {
  store.subscribe(({ gateway }, before) => {
    const { seenSequence } = gateway.inbox
    if (seenSequence !== before.gateway.inbox.seenSequence) keep(seenSequence)
  })
}
