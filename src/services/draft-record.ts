import { withdrawalKey } from '../domain/orders/unknown-write.ts'
import type { DraftRecord } from '../domain/transfers/draft.ts'
import type { JournalEntry } from '../journal/entry.ts'

/**
 * How far each draft has come as the journal tells it, by the id of the draft; a draft that was never begun is not
 * among them.
 */
export function draftRecords(entries: readonly JournalEntry[]): ReadonlyMap<string, DraftRecord> {
  const records = new Map<string, DraftRecord>()
  for (const entry of entries) {
    const { intent } = entry
    if (intent.kind === 'withdrawal' && intent.draftId !== null) records.set(intent.draftId, recordOf(entry))
  }
  return records
}

/** What an entry says of the draft it was begun for. */
export function recordOf({ id, atMs, outcome, settlement }: JournalEntry): DraftRecord {
  if (settlement !== null) {
    const { how, by, evidence } = settlement
    if (how === 'placed') return { kind: 'taken', atMs, withdrawalId: settlement.id }
    const reason = by === 'person' ? 'not placed, by you' : evidence
    return { kind: 'notTaken', atMs, reason, ...(how === 'notPlaced' ? { how } : {}) }
  }
  if (outcome === null || outcome.kind === 'unknown') return { kind: 'open', atMs, journalKey: withdrawalKey(id) }
  if (outcome.kind === 'accepted') return { kind: 'taken', atMs, withdrawalId: outcome.id }
  const reason = 'reason' in outcome ? outcome.reason : outcome.kind
  return { kind: 'notTaken', atMs, reason, ...(outcome.kind === 'notSent' ? { how: outcome.kind } : {}) }
}
