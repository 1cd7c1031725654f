import type { OrderDraft } from '../domain/order.ts'
import type { CancelAllOutcome, CancelOutcome, OrderOutcome } from '../domain/order-outcome.ts'

/** A write as it is about to leave. */
export type WriteIntent =
  | { kind: 'order'; clientOrderId: string; draft: OrderDraft }
  | { kind: 'cancel'; orderId: string }
  | { kind: 'cancelAll'; symbol: string | null }

export type JournalOutcome = OrderOutcome | CancelOutcome | CancelAllOutcome | { kind: 'notSent'; reason: string }

/**
 * Where every write is recorded: the intent before anything is sent, the outcome after. `begin` resolves when the intent is
 * kept; a write whose intent could not be kept is not sent.
 */
export type WriteJournal = {
  begin(intent: WriteIntent, atMs: number): Promise<{ end(outcome: JournalOutcome, atMs: number): Promise<void> }>
}

export type JournalEntry = { intent: WriteIntent; atMs: number; outcome: JournalOutcome | null }

/** A journal in memory: it lives as long as the desk does. */
export function createMemoryJournal(): WriteJournal & { entries: readonly JournalEntry[] } {
  const entries: JournalEntry[] = []
  return {
    entries,
    begin(intent, atMs) {
      const entry: JournalEntry = { intent, atMs, outcome: null }
      entries.push(entry)
      const end = (outcome: JournalOutcome) => {
        entry.outcome = outcome
        return Promise.resolve()
      }
      return Promise.resolve({ end })
    },
  }
}
