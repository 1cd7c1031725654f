import type { DeskState, DeskStore } from '../../src/store/desk.ts'

type Listener = (state: DeskState, before: DeskState) => void

/**
 * The store as a screen is to follow it: told once of all that changes before whoever changes it gives way. The
 * program's regions are asked for their lines when a frame is due; those of a test are text, made anew whenever the
 * screen is told of a change, and most of that nobody sees.
 */
export function calmStore(store: DeskStore): DeskStore {
  const subscribe = (listener: Listener) => {
    let seen = store.getState()
    let isDue = false
    let isOver = false
    const tell = () => {
      isDue = false
      const [state, before] = [store.getState(), seen]
      seen = state
      if (!isOver && state !== before) listener(state, before)
    }
    const leave = store.subscribe(() => {
      if (isDue) return
      isDue = true
      queueMicrotask(tell)
    })
    return () => {
      isOver = true
      leave()
    }
  }
  return { ...store, subscribe }
}
