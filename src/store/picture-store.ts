import type { DeskStore } from './store.ts'
import { shownState } from './view.ts'

/**
 * The store as the panes see it: while the picture is frozen its data stand still, and what the person does goes on.
 * Nobody is told of what changes behind a frozen picture.
 */
export const createPictureStore = (store: DeskStore): DeskStore => ({
  ...store,
  getState: () => shownState(store.getState()),
  getInitialState: () => shownState(store.getInitialState()),
  subscribe: (listener) =>
    store.subscribe((state, before) => {
      const shown = shownState(state)
      const shownBefore = shownState(before)
      if (shown !== shownBefore) listener(shown, shownBefore)
    }),
})
