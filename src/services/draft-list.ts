import type { Clock } from '../base/clock.ts'
import { err, ok, type Result } from '../base/result.ts'
import { dayMs } from '../base/time-text.ts'
import { asRecorded, type Draft, type DraftRecord, isEnded, type NotTaken, type SentAs } from '../domain/draft.ts'
import {
  type JournalEntry,
  JournalError,
  type WriteIntent,
  type WriteJournal,
  type WriteKey,
} from '../journal/entry.ts'

/** Where drafts are kept, for this desk and all others of the account: see `createDraftsFile`. */
export type DraftsKeeper<D> = {
  read(): Promise<Result<readonly D[]>>
  update(change: (drafts: readonly D[]) => Result<readonly D[]>): Promise<Result<readonly D[]>>
  alone<T>(run: () => Promise<T>): Promise<Result<T>>
}

/** Keeps nothing, and has nothing: for a desk that prepares nothing. */
export const noDrafts: DraftsKeeper<never> = {
  read: () => Promise.resolve(ok([])),
  update: (change) => Promise.resolve(change([])),
  alone: async (run) => ok(await run()),
}

/** What sets drafts of one kind apart: how the journal names them, and what it says of them. */
export type DraftKind<D extends Draft<As>, As extends SentAs> = {
  keyOf(draft: D): WriteKey
  /** What is begun for it, and what the open write is called everywhere else. */
  intentOf(draft: D): WriteIntent
  journalKeyOf(draft: D, entryId: string): string
  /**
   * How far each draft has come as the entries tell it, by the id of the draft; one that was never begun is not among
   * them.
   */
  recordsOf(entries: readonly JournalEntry[]): ReadonlyMap<string, DraftRecord<As>>
  /** What time alone has made of it; the same object when nothing. */
  aged?(draft: D): D
}

export type DraftListContext<D> = {
  drafts: DraftsKeeper<D>
  journal: Pick<WriteJournal, 'findAll' | 'begin' | 'open'>
  clock: Clock
  /**
   * A draft may have been sent, and the journal's record of that is lost: the entry was made anew and is to be looked
   * up.
   */
  onLostRecord?: (entry: JournalEntry) => void
  /** Told of all drafts whenever they have changed. */
  onDrafts: (drafts: readonly D[]) => void
}

/**
 * Which drafts the journal is asked about. `all` is for a caller that holds the lock: no one else is sending one of
 * them.
 */
type Asked = 'none' | 'unknown' | 'all'

/** Ended drafts are kept this long, and this many of them: the journal keeps what was sent for good. */
const endedKeptMs = 90 * dayMs
const endedKeptMax = 500

/** The drafts as they are kept and as the journal has them, which counts more. */
export class DraftList<D extends Draft<As>, As extends SentAs> {
  readonly #kind: DraftKind<D, As>
  readonly #context: DraftListContext<D>
  /** The drafts told to listeners last, and the same as text. */
  #known: readonly D[] = []
  #told = ''

  constructor(kind: DraftKind<D, As>, context: DraftListContext<D>) {
    this.#kind = kind
    this.#context = context
  }

  /** As it was told of last. */
  known(draftId: string): D | undefined {
    return this.#known.find((draft) => draft.draftId === draftId)
  }

  /** Reads what is kept, and asks the journal what became of drafts. The error is a sentence about the file. */
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
    // What came in between stays: only states that the journal has settled are taken over.
    const written = await drafts.update((now) => ok(now.map((draft) => withState(draft, seen.get(draft.draftId)))))
    // A disk that refuses changes nothing about what is known.
    this.#tell(written.ok ? written.value : recorded)
    return written.ok ? written : ok(recorded)
  }

  /** Puts one draft in the place of what it was, on disk when it resolves. */
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
   * The drafts as the whole journal has them, whatever time it says. The error: the journal cannot be read, or does not
   * take what it has to hold before anything else may be sent.
   */
  async #recorded(kept: readonly D[], asked: Asked): Promise<Result<readonly D[]>> {
    const isAsked = (draft: D) =>
      asked === 'all' ? !isEnded(draft) : asked === 'unknown' && draft.state.kind === 'unknown'
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
   * No desk is sending the draft, and the journal has no record of it. Where it was not begun, and all of the journal
   * could be read, it was never sent: null. Else it may have been sent: its entry is begun again, without an answer, so
   * that the desk looks for it at the exchange and asks the user.
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

export const missing = (draftId: string): Result<never> => err(`no draft ${draftId} is kept here`)

/** The drafts with one in the place of what it was, newest first; old ones that have ended are forgotten. */
export function withDraft<D extends Draft>(drafts: readonly D[], draft: D, nowMs: number): D[] {
  const others = drafts.filter(({ draftId }) => draftId !== draft.draftId)
  return withoutOld([draft, ...others].sort(newestFirst), nowMs)
}

/** The draft with the state that was found for it, unless it has moved on since it was looked at. */
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

/** What an entry says of the draft it was begun for; `journalKey` is what its write is called while it is open. */
export function recordOf<As extends SentAs>(
  { atMs, outcome, settlement }: JournalEntry,
  journalKey: string,
  sentAs: (id: string | null) => As,
): DraftRecord<As> {
  const notTaken = (reason: string, how?: NotTaken): DraftRecord<As> => ({
    ...{ kind: 'notTaken', atMs, reason },
    ...(how === undefined ? {} : { how }),
  })
  if (settlement !== null) {
    const { how, by, evidence } = settlement
    if (how === 'placed') return { kind: 'taken', atMs, as: sentAs(settlement.id) }
    const reason = by === 'person' ? 'not placed, by you' : evidence
    return notTaken(reason, how === 'notPlaced' ? how : undefined)
  }
  if (outcome === null || outcome.kind === 'unknown') return { kind: 'open', atMs, journalKey }
  if (outcome.kind === 'accepted') return { kind: 'taken', atMs, as: sentAs(outcome.id) }
  const reason = 'reason' in outcome ? outcome.reason : outcome.kind
  return notTaken(reason, outcome.kind === 'notSent' ? outcome.kind : undefined)
}
