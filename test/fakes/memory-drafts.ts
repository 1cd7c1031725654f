import type { WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import type { WithdrawalDraftsKeeper } from '../../src/services/transfers/withdrawal-drafts.ts'

/** Drafts in memory, for one desk: they are gone with its process. */
export function createMemoryDrafts(): WithdrawalDraftsKeeper & { readonly drafts: readonly WithdrawalDraft[] } {
  let drafts: readonly WithdrawalDraft[] = []
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
