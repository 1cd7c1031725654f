import { createStore } from 'zustand/vanilla'
import type { StoreEvent } from './events.ts'
import { reduce } from './reduce.ts'
import type { DeskState } from './state.ts'

/** The desk's one store: read it, subscribe to it, and change it by events only. */
export type DeskStore = {
  getState(): DeskState
  getInitialState(): DeskState
  subscribe(listener: (state: DeskState, before: DeskState) => void): () => void
  dispatch(event: StoreEvent): void
  /** Several events with one notification: what services brought since the last commit. */
  dispatchAll(events: readonly StoreEvent[]): void
}

/** A store that starts from `initial`. A batch of events is one change to those who subscribe. */
export function createDeskStore(initial: DeskState): DeskStore {
  const store = createStore<DeskState>()(() => initial)
  const dispatchAll = (events: readonly StoreEvent[]) => {
    if (events.length > 0) store.setState((state) => events.reduce(reduce, state), true)
  }
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    dispatch: (event) => dispatchAll([event]),
    dispatchAll,
  }
}
