import type { FollowedTransfers } from '../../domain/transfers/followed.ts'
import type { DeskStore } from '../store.ts'

/** Hands on what is to be kept of money under way whenever it changed. Returns how to end it. */
export function followTransfers(store: DeskStore, keep: (followed: FollowedTransfers) => void): () => void {
  return store.subscribe((state, before) => {
    if (state.followed !== before.followed) keep(state.followed)
  })
}
