import type { CommandContext } from '../command-context.ts'
import { activeLadder } from './ladders.ts'

export type LadderCommands = {
  /** Level 2 or level 3 in the active ladder. */
  toggleLadderView(): void
}

/** What a person does to how a ladder looks. */
export function createLadderCommands({ store, port }: CommandContext): LadderCommands {
  return {
    toggleLadderView() {
      const atMs = port.now()
      store.dispatch({ type: 'ladderViewToggled', atMs })
      const state = store.getState()
      const text =
        state[activeLadder(state)].view === 'queues'
          ? 'Level 3: each order in its queue. 3 goes back; 2, then 3: the fills.'
          : 'Level 2: what rests at each price, in sum.'
      store.dispatch({ type: 'noted', level: 'info', text, atMs })
    },
  }
}
