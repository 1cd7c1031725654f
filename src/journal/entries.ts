import { errorText } from '../base/error-text.ts'
import type { JournalEntry, Settlement, WriteIntent } from './entry.ts'
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

/** What was to be sent, in few words: enough to find it by. */
function whatOf(intent: WriteIntent): string {
  switch (intent.kind) {
    case 'order':
      return `order ${intent.clientOrderId}`
    case 'cancel':
      return `cancel of order ${intent.orderId}`
    case 'cancelAll':
      return `cancel of all orders in ${intent.symbol ?? 'every symbol'}`
    case 'move':
      return `move of order ${intent.orderId} as ${intent.clientOrderId}`
    case 'withdrawal': {
      const { amount, currency, beneficiary } = intent.request
      return `withdrawal of ${amount === 'max' ? 'all' : amount.toFixed()} ${currency} to ${beneficiary}`
    }
  }
}

/** What the file holds in one word, as a person reads it. */
const resolvedAs: Readonly<Record<Settlement['how'], string>> = {
  placed: 'placed',
  rejected: 'rejected',
  canceled: 'canceled',
  notCanceled: 'not canceled',
  notPlaced: 'not placed',
}

/** What became of it, as far as this desk knows. */
function endOf({ outcome, settlement }: JournalEntry): string {
  if (settlement !== null) {
    const { how, id } = settlement
    return `resolved as ${resolvedAs[how]}${id === null ? '' : ` (${id})`}`
  }
  if (outcome === null) return 'sent'
  switch (outcome.kind) {
    case 'accepted':
      return `accepted${outcome.id === null ? '' : ` as ${outcome.id}`}`
    case 'unknown':
      return 'sent, no answer'
    case 'notSent':
      return 'not sent'
    default:
      return outcome.kind
  }
}

/** What is known of writes and was not taken by the disk: it is to go with the next record that the disk takes. */
export class LateRecords {
  readonly #entries = new Map<string, JournalEntry>()
  readonly #told = new Set<string>()
  readonly #tell: (sentence: string) => void

  /** `tell` is told of what left, or may have, and is on no record, and when it is; in sentences without their stop. */
  constructor(tell: (sentence: string) => void) {
    this.#tell = tell
  }

  get all(): readonly JournalEntry[] {
    return [...this.#entries.values()]
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /**
   * Keeps an entry with all that is known of it. Without a reason nobody is told: what becomes of it is told in a
   * moment.
   */
  keep(entry: JournalEntry | undefined, refusal: unknown = null): void {
    if (entry === undefined) return
    this.#entries.set(entry.id, entry)
    if (refusal === null) return
    this.#told.add(entry.id)
    const { kind } = entry.intent
    const next = kind === 'cancel' || kind === 'cancelAll' ? '' : '. Do not resubmit'
    const reason = errorText(refusal)
    this.#tell(`Not on record: ${whatOf(entry.intent)}, ${endOf(entry)}; ${reason}${next}`)
  }

  /** The disk has taken these. What was learned of one since then stays. */
  taken(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      if (this.#entries.get(entry.id) !== entry) continue
      this.#entries.delete(entry.id)
      if (this.#told.delete(entry.id)) this.#tell(`Back on record: ${whatOf(entry.intent)}, ${endOf(entry)}`)
    }
  }
}
