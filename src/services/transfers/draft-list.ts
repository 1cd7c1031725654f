import type { Clock } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { dayMs } from '../../base/time-text.ts'
import { withdrawalKey } from '../../domain/orders/unknown-write.ts'
import { asRecorded, type DraftRecord, isEnded, requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { type JournalEntry, JournalError, type WriteJournal } from '../../journal/entry.ts'

export type Drafts = readonly WithdrawalDraft[]

/** Where drafts are kept, for this desk and all others of the account: see `createDraftsFile`. */
export type DraftsKeeper = {
  read(): Promise<Result<Drafts>>
  update(change: (drafts: Drafts) => Result<Drafts>): Promise<Result<Drafts>>
  alone<T>(run: () => Promise<T>): Promise<Result<T>>
}

export type DraftListContext = {
  drafts: DraftsKeeper
  journal: Pick<WriteJournal, 'findAll' | 'begin' | 'open'>
  clock: Clock
  /**
   * A draft may have been sent, and the journal's record of that is lost: the entry was made anew and is to be looked
   * up.
   */
  onLostRecord?: (entry: JournalEntry) => void
  /** Told of all drafts whenever they have changed. */
  onDrafts: (drafts: Drafts) => void
}

/**
 * Which drafts the journal is asked about. `all` is for a caller that holds the lock: no one else is sending one of
 * them.
 */
type Asked = 'none' | 'unknown' | 'all'

/** Ended drafts are kept this long, and this many of them: the journal keeps what was sent for good. */
const endedKeptMs = 90 * dayMs
const endedKeptMost = 500

/** The drafts as they are kept and as the journal has them, which counts more. */
export class DraftList {
  readonly #context: DraftListContext
  /** The drafts told to listeners last, and the same as text. */
  #known: Drafts = []
  #told = ''

  constructor(context: DraftListContext) {
    this.#context = context
  }

  /** As it was told of last. */
  known(draftId: string): WithdrawalDraft | undefined {
    return this.#known.find((draft) => draft.draftId === draftId)
  }

  /** Reads what is kept, and asks the journal what became of drafts. The error is a sentence about the file. */
  async refresh(asked: Asked): Promise<Result<Drafts>> {
    const { drafts } = this.#context
    const kept = await drafts.read()
    if (!kept.ok) return kept
    const found = await this.#recorded(kept.value, asked)
    if (!found.ok) return found
    const recorded = found.value
    if (recorded.every((draft, at) => draft === kept.value[at])) {
      this.#tell(kept.value)
      return kept
    }
    const seen = new Map(
      kept.value.map((draft, at) => [draft.draftId, { before: draft, found: recorded[at] ?? draft }]),
    )
    // What came in between stays: only states that the journal has settled are taken over.
    const written = await drafts.update((now) => ok(now.map((draft) => withState(draft, seen.get(draft.draftId)))))
    // A disk that refuses changes nothing about what is known.
    this.#tell(written.ok ? written.value : recorded)
    return written.ok ? written : ok(recorded)
  }

  /** Puts one draft in the place of what it was, on disk when it resolves. */
  async change(
    draftId: string,
    next: (before: WithdrawalDraft | undefined, all: Drafts) => Result<WithdrawalDraft>,
  ): Promise<Result<WithdrawalDraft>> {
    const { drafts, clock } = this.#context
    let changed: Result<WithdrawalDraft> = missing(draftId)
    const written = await drafts.update((now) => {
      changed = next(
        now.find((draft) => draft.draftId === draftId),
        now,
      )
      if (!changed.ok) return changed
      const { value } = changed
      const others = now.filter((draft) => draft.draftId !== draftId)
      return ok(withoutOld([value, ...others].sort(newestFirst), clock.wallMs()))
    })
    if (!written.ok) return written
    this.#tell(written.value)
    return changed
  }

  #tell(drafts: Drafts): void {
    const text = JSON.stringify(drafts)
    if (text === this.#told) return
    this.#told = text
    this.#known = drafts
    this.#context.onDrafts(drafts)
  }

  /**
   * The drafts as the whole journal has them, whatever time it says. The error: the journal cannot be read, or does not
   * take what it has to hold before anything else may be sent.
   */
  async #recorded(kept: Drafts, asked: Asked): Promise<Result<Drafts>> {
    const isAsked = (draft: WithdrawalDraft) =>
      asked === 'all' ? !isEnded(draft) : asked === 'unknown' && draft.state.kind === 'unknown'
    const open = kept.filter(isAsked)
    if (open.length === 0) return ok(kept)
    try {
      const { entries, gap } = await this.#context.journal.findAll(open.map(keyOf))
      const records = new Map(draftRecords(entries))
      if (asked === 'all')
        for (const draft of open) {
          const lost = records.has(draft.draftId) ? null : await this.#recordLost(draft, gap)
          if (lost !== null) records.set(draft.draftId, lost)
        }
      const isOpen = new Set(open)
      return ok(
        kept.map((draft) =>
          isOpen.has(draft) ? asRecorded(draft, records.get(draft.draftId) ?? { kind: 'none' }) : draft,
        ),
      )
    } catch (error) {
      if (error instanceof JournalError) return err(error.message)
      throw error
    }
  }

  /**
   * No desk is sending the draft, and the journal has no record of it. Where it was not begun, and all of the journal
   * could be read, it was never sent: null. Else it may have been sent: its entry is begun again, without an answer, so
   * that the desk looks for it at the exchange and asks the user.
   */
  async #recordLost(draft: WithdrawalDraft, gap: string | null): Promise<DraftRecord | null> {
    const { journal, clock, onLostRecord } = this.#context
    const { state, draftId } = draft
    if (state.kind !== 'sending' && state.kind !== 'unknown') return null
    const reason = gap ?? (state.kind === 'sending' && !state.isBegun ? null : 'its record is gone from the journal')
    if (reason === null) return null
    const { atMs } = state
    const { id, end } = await journal.begin({ kind: 'withdrawal', request: requestOf(draft), draftId }, atMs)
    await end({ kind: 'unknown', reason: `draft ${draftId} was being sent, and ${reason}` }, clock.wallMs())
    const entry = journal.open().find((each) => each.id === id)
    if (entry !== undefined) onLostRecord?.(entry)
    return { kind: 'open', atMs, journalKey: withdrawalKey(id) }
  }
}

const keyOf = ({ draftId }: WithdrawalDraft) => ({ kind: 'draft', id: draftId }) as const

export const missing = (draftId: string): Result<never> => err(`no draft ${draftId} is kept here`)

/** The draft with the state that was found for it, unless it has moved on since it was looked at. */
const withState = (
  now: WithdrawalDraft,
  seen: { before: WithdrawalDraft; found: WithdrawalDraft } | undefined,
): WithdrawalDraft => (seen?.before.state.kind === now.state.kind ? { ...now, state: seen.found.state } : now)

const newestFirst = (left: WithdrawalDraft, right: WithdrawalDraft): number => right.createdAtMs - left.createdAtMs

function withoutOld(drafts: Drafts, nowMs: number): Drafts {
  let endedCount = 0
  return drafts.filter((draft) => {
    if (!isEnded(draft)) return true
    endedCount += 1
    return endedCount <= endedKeptMost && nowMs - draft.createdAtMs <= endedKeptMs
  })
}

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
function recordOf({ id, atMs, outcome, settlement }: JournalEntry): DraftRecord {
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
