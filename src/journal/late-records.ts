import type { JournalEntry, Settlement, WriteIntent } from './entry.ts'

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
    const reason = refusal instanceof Error ? refusal.message : String(refusal)
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
