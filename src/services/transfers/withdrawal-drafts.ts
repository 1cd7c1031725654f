import { dayMs } from '../../base/text/time-text.ts'
import { type DraftRecord, requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { withdrawalKey } from '../../domain/unknown-write.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { type DraftKind, type DraftsKeeper, recordOf } from '../draft-list.ts'

export type Drafts = readonly WithdrawalDraft[]
export type WithdrawalDraftsKeeper = DraftsKeeper<WithdrawalDraft>

/** After this time a refused draft no longer changes: its outcome is in the journal. */
const turnedUpWithinMs = dayMs

/** Drafts of withdrawals. The exchange takes no client id, so the journal has them by draft id. */
export const withdrawalDrafts: DraftKind<WithdrawalDraft, { withdrawalId: string | null }> = {
  keyOf: ({ draftId }) => ({ kind: 'draft', id: draftId }),
  intentOf: (draft) => ({ kind: 'withdrawal', request: requestOf(draft), draftId: draft.draftId }),
  journalKeyOf: (_, entryId) => withdrawalKey(entryId),
  recordsOf: draftRecords,
  mayTurnUp: ({ state }, nowMs) =>
    state.kind === 'refused' && state.how === undefined && nowMs - state.atMs < turnedUpWithinMs,
}

/** The state of each draft by the journal, by draft id; without drafts that were never begun. */
export function draftRecords(entries: readonly JournalEntry[]): ReadonlyMap<string, DraftRecord> {
  const records = new Map<string, DraftRecord>()
  for (const entry of entries) {
    const { intent, id } = entry
    if (intent.kind === 'withdrawal' && intent.draftId !== null)
      records.set(
        intent.draftId,
        recordOf(entry, withdrawalKey(id), (withdrawalId) => ({ withdrawalId })),
      )
  }
  return records
}
