import type { CommandContext } from '../command-context.ts'
import { allFills } from './fill-history.ts'

export type FillHistoryCommands = {
  /** Asks for the fills before the oldest one known, unless a page is on its way or nothing is older. */
  fetchOlderFills(): void
}

/** Older fills are fetched when a person scrolls to them and never by themselves. */
export function createFillHistoryCommands({ store, port }: CommandContext): FillHistoryCommands {
  return {
    fetchOlderFills() {
      const { fillHistory, fills } = store.getState()
      const { call, reach } = fillHistory
      if (fills.value === null || call.kind === 'asking' || reach === 'all' || reach === 'most') return
      const oldest = allFills(fills.value, fillHistory.fills).at(-1)
      if (oldest === undefined) return
      store.dispatch({ type: 'fillHistoryAsked' })
      port.fetchFillHistory(oldest.execId)
    },
  }
}
