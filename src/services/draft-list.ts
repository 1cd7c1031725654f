import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import { dayMs } from '../base/text/time-text.ts'
import { asRecorded, type Draft, type DraftRecord, isEnded, type NotTaken, type SentAs } from '../domain/draft.ts'
import type { Refusal } from '../domain/write-outcome.ts'
import {
  type JournalEntry,
  JournalError,
  type WriteIntent,
  type WriteJournal,
  type WriteKey,
} from '../journal/entry.ts'

/** Stored drafts, shared by all desks of the account: see `createDraftsFile`. */
export type DraftsKeeper<D> = {
  read(): Promise<Result<readonly D[]>>
  update(change: (drafts: readonly D[]) => Result<readonly D[]>): Promise<Result<readonly D[]>>
  alone<T>(run: () => Promise<T>): Promise<Result<T>>
}

/** Stores nothing: for a desk without drafts. */
export const noDrafts: DraftsKeeper<never> = {
  read: () => Promise.resolve(ok([])),
  update: (change) => Promise.resolve(change([])),
  alone: async (run) => ok(await run()),
}

/** The differences between kinds of drafts: how the journal names them, and what it says about them. */
export type DraftKind<D extends Draft<As>, As extends SentAs> = {
  keyOf(draft: D): WriteKey
  /** The journal's intent for a draft, and the key of its open write. */
  intentOf(draft: D): WriteIntent
  journalKeyOf(draft: D, entryId: string): string
  /** The state of each draft by its journal entries, by draft id; without drafts that were never sent. */
  recordsOf(entries: readonly JournalEntry[]): ReadonlyMap<string, DraftRecord<As>>
  /** True for an ended draft that may turn out to have been sent: it is looked up as long as this holds. */
  mayTurnUp?(draft: D, nowMs: number): boolean
  /** The draft after expiry; the same object when unchanged. */
  aged?(draft: D): D
}

export type DraftListContext<D> = {
  drafts: DraftsKeeper<D>
  journal: Pick<WriteJournal, 'findAll' | 'begin' | 'open'>
  clock: Clock
  /**
   * Called when a draft may have been sent but its journal entry is lost: the entry was recreated and must be looked
   * up.
   */
  onLostRecord?: (entry: JournalEntry) => void
  /** Called with all drafts after each change. */
  onDrafts: (drafts: readonly D[]) => void
}

/** Which drafts to look up in the journal. `all` requires the lock: nobody else may be sending one of them. */
type Asked = 'none' | 'unknown' | 'all'

/** How long, and how many, ended drafts are kept; the journal keeps what was sent forever. */
const endedKeptMs = 90 * dayMs
const endedKeptMax = 500

/** The stored drafts combined with the journal, which takes precedence. */
export class DraftList<D extends Draft<As>, As extends SentAs> {
  readonly #kind: DraftKind<D, As>
  readonly #context: DraftListContext<D>
  /** The drafts last passed to listeners, and the same as text. */
  #known: readonly D[] = []
  #told = ''

  constructor(kind: DraftKind<D, As>, context: DraftListContext<D>) {
    this.#kind = kind
    this.#context = context
  }

  /** The draft as last passed to listeners. */
  known(draftId: string): D | undefined {
    return this.#known.find((draft) => draft.draftId === draftId)
  }

  /** Reads the stored drafts, and looks up their outcome in the journal. The error is a sentence about the file. */
  async refresh(asked: Asked): Promise<Result<readonly D[]>> {
    const { drafts } = this.#context
    const kept = await drafts.read()
    if (!kept.ok) return kept
    const found = await this.#recorded(kept.value, asked)
    if (!found.ok) return found
    const recorded = found.value.map((draft) => this.#kind.aged?.(draft) ?? draft)
    if (recorded.every((draft, at) => draft === kept.value[at])) {
      this.#tell(kept.value)
      return kept
    }
    const seen = new Map(
      kept.value.map((draft, at) => [draft.draftId, { before: draft, found: recorded[at] ?? draft }]),
    )
    // Changes made in between stay: only states settled by the journal are applied.
    const written = await drafts.update((now) => ok(now.map((draft) => withState(draft, seen.get(draft.draftId)))))
    // A failed write does not change what is known.
    this.#tell(written.ok ? written.value : recorded)
    return written.ok ? written : ok(recorded)
  }

  /** Replaces one draft; on disk when it resolves. */
  async change(draftId: string, next: (before: D | undefined, all: readonly D[]) => Result<D>): Promise<Result<D>> {
    const { drafts, clock } = this.#context
    let changed: Result<D> = missing(draftId)
    const written = await drafts.update((now) => {
      changed = next(
        now.find((draft) => draft.draftId === draftId),
        now,
      )
      return changed.ok ? ok(withDraft(now, changed.value, clock.wallMs())) : changed
    })
    if (!written.ok) return written
    this.#tell(written.value)
    return changed
  }

  #tell(drafts: readonly D[]): void {
    const text = JSON.stringify(drafts)
    if (text === this.#told) return
    this.#told = text
    this.#known = drafts
    this.#context.onDrafts(drafts)
  }

  /**
   * The drafts by the whole journal, however old. Fails when the journal cannot be read, or cannot record what it must
   * before anything else may be sent.
   */
  async #recorded(kept: readonly D[], asked: Asked): Promise<Result<readonly D[]>> {
    const nowMs = this.#context.clock.wallMs()
    const isAsked = (draft: D) =>
      asked !== 'none' &&
      ((asked === 'all' ? !isEnded(draft) : draft.state.kind === 'unknown') ||
        this.#kind.mayTurnUp?.(draft, nowMs) === true)
    const open = kept.filter(isAsked)
    if (open.length === 0) return ok(kept)
    try {
      const { entries, gap } = await this.#context.journal.findAll(open.map((draft) => this.#kind.keyOf(draft)))
      const records = new Map(this.#kind.recordsOf(entries))
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
   * Handles a draft that no desk is sending and the journal does not have. Null when the whole journal could be read
   * and the draft was not begun: it was never sent. Otherwise it may have been sent: its entry is begun again without
   * an answer, so that the desk looks for it at the exchange and asks the user.
   */
  async #recordLost(draft: D, gap: string | null): Promise<DraftRecord<As> | null> {
    const { journal, clock, onLostRecord } = this.#context
    const { state, draftId } = draft
    if (state.kind !== 'sending' && state.kind !== 'unknown') return null
    const reason = gap ?? (state.kind === 'sending' && !state.isBegun ? null : 'its record is gone from the journal')
    if (reason === null) return null
    const { atMs } = state
    const { id, end } = await journal.begin(this.#kind.intentOf(draft), atMs)
    await end({ kind: 'unknown', reason: `draft ${draftId} was being sent, and ${reason}` }, clock.wallMs())
    const entry = journal.open().find((each) => each.id === id)
    if (entry !== undefined) onLostRecord?.(entry)
    return { kind: 'open', atMs, journalKey: this.#kind.journalKeyOf(draft, id) }
  }
}

/** Why a draft is not changed that says something else than the user has seen, as a clause. */
export const changedMeanwhile = 'the draft was changed meanwhile: review it again'

export const missing = (draftId: string): Result<never> => err(`no draft ${draftId} is kept here`)

/** The drafts with one replaced, newest first, without old ended ones. */
export function withDraft<D extends Draft>(drafts: readonly D[], draft: D, nowMs: number): D[] {
  const others = drafts.filter(({ draftId }) => draftId !== draft.draftId)
  return withoutOld([draft, ...others].sort(newestFirst), nowMs)
}

/** The draft with the state found for it, unless it has changed since it was looked up. */
const withState = <D extends Draft>(now: D, seen: { before: D; found: D } | undefined): D =>
  seen?.before.state.kind === now.state.kind ? { ...now, state: seen.found.state } : now

const newestFirst = (left: Draft, right: Draft): number => right.createdAtMs - left.createdAtMs

function withoutOld<D extends Draft>(drafts: readonly D[], nowMs: number): D[] {
  let endedCount = 0
  return drafts.filter((draft) => {
    if (!isEnded(draft)) return true
    endedCount += 1
    return endedCount <= endedKeptMax && nowMs - draft.createdAtMs <= endedKeptMs
  })
}

/** The state of a draft by its journal entry; `journalKey` is the key of the open write. */
export function recordOf<As extends SentAs>(
  { atMs, outcome, settlement }: JournalEntry,
  journalKey: string,
  sentAs: (id: string | null) => As,
): DraftRecord<As> {
  const notTaken = ({ reason, refusedFor }: Refusal, how?: NotTaken): DraftRecord<As> => ({
    ...{ kind: 'notTaken', atMs, reason, refusedFor },
    ...(how === undefined ? {} : { how }),
  })
  if (settlement !== null) {
    const { how, by, evidence } = settlement
    const taken = outcome?.kind === 'rejected' ? 'turnedUp' : 'taken'
    if (how === 'placed') return { kind: taken, atMs, as: sentAs(settlement.id) }
    const reason = by === 'person' ? 'not placed, by you' : evidence
    return notTaken({ reason }, how === 'notPlaced' ? how : undefined)
  }
  if (outcome === null || outcome.kind === 'unknown') return { kind: 'open', atMs, journalKey }
  if (outcome.kind === 'accepted') return { kind: 'taken', atMs, as: sentAs(outcome.id) }
  return notTaken(
    'reason' in outcome ? outcome : { reason: outcome.kind },
    outcome.kind === 'notSent' ? outcome.kind : undefined,
  )
}
