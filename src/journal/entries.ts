import type { JournalEntry } from './entry.ts'
import type { JournalRecord } from './record.ts'

/**
 * Entries made of the records that are added, in the order of their first record. A record that comes twice, because
 * its entry was carried over to another file, changes nothing.
 */
export class Entries {
  readonly #byId = new Map<string, JournalEntry>()

  add(record: JournalRecord): void {
    if (record.record === 'desk') return
    const entry = this.#byId.get(record.id)
    if (record.record === 'begin') {
      const { id, at: atMs, intent } = record
      if (entry === undefined) this.#byId.set(id, { id, atMs, intent, steps: [], outcome: null, settlement: null })
      return
    }
    // Its beginning was lost with a damaged line: without it nothing can be said of the rest.
    if (entry === undefined) return
    this.#byId.set(record.id, withRecord(entry, record))
  }

  get(id: string): JournalEntry | undefined {
    return this.#byId.get(id)
  }

  forget(id: string): void {
    this.#byId.delete(id)
  }

  all(): JournalEntry[] {
    return [...this.#byId.values()]
  }
}

function withRecord(entry: JournalEntry, record: Exclude<JournalRecord, { record: 'desk' | 'begin' }>): JournalEntry {
  switch (record.record) {
    case 'step': {
      const others = entry.steps.filter(({ step }) => step !== record.step.step)
      return { ...entry, steps: [...others, record.step] }
    }
    case 'outcome':
      // A late `unknown`, from a copy, says less than what is known already.
      return entry.outcome !== null && record.outcome.kind === 'unknown' ? entry : { ...entry, outcome: record.outcome }
    case 'settled':
      return entry.settlement === null ? { ...entry, settlement: record.settlement } : entry
  }
}

/** The records that make up an entry: to carry it over to another file. */
export function recordsOf({ id, atMs: at, intent, steps, outcome, settlement }: JournalEntry): JournalRecord[] {
  const records: JournalRecord[] = [{ record: 'begin', at, id, intent }]
  for (const step of steps) records.push({ record: 'step', at, id, step })
  if (outcome !== null) records.push({ record: 'outcome', at, id, outcome })
  if (settlement !== null) records.push({ record: 'settled', at, id, settlement })
  return records
}
