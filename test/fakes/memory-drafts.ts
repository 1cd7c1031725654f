import type { WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import type { DraftsKeeper } from '../../src/services/draft-list.ts'

/** Drafts in memory, for one desk: they are gone with its process. */
export function createMemoryDrafts<D = WithdrawalDraft>(
  initial: readonly D[] = [],
): DraftsKeeper<D> & { readonly drafts: readonly D[] } {
  let drafts = initial
  return {
    get drafts() {
      return drafts
    },
    read: () => Promise.resolve({ ok: true, value: drafts }),
    update(change) {
      const changed = change(drafts)
      if (changed.ok) drafts = changed.value
      return Promise.resolve(changed)
    },
    alone: async (run) => ({ ok: true, value: await run() }),
  }
}
