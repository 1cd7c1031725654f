import type { JournalEntry, JournalOutcome, Settlement, WriteIntent, WriteJournal } from '../../src/journal/entry.ts'
import { amountOf, priceOf } from './setting.ts'

/** What became of a write in the end, whoever said so. */
export type Fate = { kind: 'took'; id: string | null } | { kind: 'tookNot' } | { kind: 'open' }

/** A move took effect when its new order is there: one that ended with the cancel of the old one placed nothing. */
export function fateOf({ kind }: WriteIntent, outcome: JournalOutcome | null, settlement: Settlement | null): Fate {
  if (settlement !== null) {
    const took = settlement.how === 'placed' || (settlement.how === 'canceled' && kind !== 'move')
    return took ? { kind: 'took', id: settlement.id } : { kind: 'tookNot' }
  }
  if (outcome === null || outcome.kind === 'unknown') return { kind: 'open' }
  if (outcome.kind === 'accepted') return { kind: 'took', id: outcome.id }
  return outcome.kind === 'canceled' && kind !== 'move' ? { kind: 'took', id: null } : { kind: 'tookNot' }
}

/** What a write was about: the item of an order, the order of a cancel, the item of a withdrawal. */
export function subjectOf(intent: WriteIntent): string {
  if (intent.kind === 'order') return `order ${intent.draft.limitPrice?.toFixed() ?? ''}`
  if (intent.kind === 'cancel') return `cancel ${intent.orderId}`
  if (intent.kind === 'move') return moveSubject(intent.orderId)
  return intent.kind === 'withdrawal' ? `withdrawal ${intent.request.amount.toString()}` : intent.kind
}
export const orderSubject = (item: number): string => `order ${priceOf(item).toFixed()}`
export const moveSubject = (orderId: string): string => `move ${orderId}`
export const cancelSubject = (orderId: string): string => `cancel ${orderId}`
export const withdrawalSubject = (item: number): string => `withdrawal ${amountOf(item).toString()}`

/** Knows how each subject stands, from the journal of all earlier runs and from what happens now. */
export class Standings {
  readonly #fates = new Map<string, Fate>()
  readonly #waiting = new Map<string, Array<() => void>>()

  constructor(history: readonly JournalEntry[]) {
    for (const { intent, outcome, settlement } of history) this.note(intent, fateOf(intent, outcome, settlement))
  }

  get(subject: string): Fate | undefined {
    return this.#fates.get(subject)
  }

  /** What took effect stays so, whatever is tried later. */
  note(intent: WriteIntent, fate: Fate): void {
    const subject = subjectOf(intent)
    if (this.#fates.get(subject)?.kind !== 'took') this.#fates.set(subject, fate)
    if (fate.kind === 'open') return
    for (const wake of this.#waiting.get(subject) ?? []) wake()
    this.#waiting.delete(subject)
  }

  /** Resolves when the subject is open no more. */
  settled(subject: string): Promise<void> {
    if (this.#fates.get(subject)?.kind !== 'open') return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.set(subject, [...(this.#waiting.get(subject) ?? []), resolve])
    })
  }
}

/** The journal, with every word of it passed on to the standings. */
export function observed(journal: WriteJournal, standings: Standings): WriteJournal {
  return {
    ...delegate(journal),
    async begin(intent, atMs) {
      const write = await journal.begin(intent, atMs)
      standings.note(intent, { kind: 'open' })
      return {
        ...write,
        async end(outcome, endAtMs) {
          await write.end(outcome, endAtMs)
          standings.note(intent, fateOf(intent, outcome, null))
        },
      }
    },
    async settle(id, settlement, atMs) {
      const entry = journal.open().find((each) => each.id === id)
      await journal.settle(id, settlement, atMs)
      if (entry !== undefined) standings.note(entry.intent, fateOf(entry.intent, null, settlement))
    },
  }
}

const delegate = (journal: WriteJournal): WriteJournal => ({
  find: (key) => journal.find(key),
  findAll: (keys) => journal.findAll(keys),
  alone: (run) => journal.alone(run),
  begin: (intent, atMs) => journal.begin(intent, atMs),
  settle: (id, settlement, atMs) => journal.settle(id, settlement, atMs),
  open: () => journal.open(),
  adopt: () => journal.adopt(),
  retry: () => journal.retry(),
  openElsewhere: () => journal.openElsewhere(),
  history: (sinceMs) => journal.history(sinceMs),
  listen: (onTrouble) => journal.listen(onTrouble),
  close: () => journal.close(),
})
