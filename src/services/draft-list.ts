import type { Clock } from '../clock.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { asRecorded, isEnded, type WithdrawalDraft } from '../domain/transfers/draft.ts'
import type { WriteJournal } from '../journal/entry.ts'
import { draftRecords } from './draft-record.ts'

export type Drafts = readonly WithdrawalDraft[]

/** Where drafts are kept, for this desk and all others of the profile: see `createDraftsFile`. */
export type DraftsKeeper = {
  read(): Promise<Result<Drafts>>
  update(change: (drafts: Drafts) => Result<Drafts>): Promise<Result<Drafts>>
  alone<T>(run: () => Promise<T>): Promise<T | null>
}

export type DraftListContext = {
  drafts: DraftsKeeper
  journal: Pick<WriteJournal, 'history'>
  clock: Clock
  /** Told of all drafts whenever they have changed. */
  onDrafts: (drafts: Drafts) => void
}

/** Which drafts the journal is asked about. `all` is for whoever is alone: then nobody is sending one of them. */
export type Asked = 'none' | 'unknown' | 'all'

/** An entry may carry a time a little before its draft's where the machine's clock was set back. */
const clockMarginMs = 86_400_000
/** Ended drafts are kept this long, and this many of them: the journal keeps what was sent for good. */
const endedKeptMs = 90 * 86_400_000
const endedKeptMost = 500

/** The drafts as they are kept and as the journal has them, which counts more. */
export class DraftList {
  readonly #context: DraftListContext
  /** The drafts that were told of last, and the same as text. */
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
    const recorded = await this.#recorded(kept.value, asked)
    if (recorded.every((draft, at) => draft === kept.value[at])) {
      this.#tell(kept.value)
      return kept
    }
    const byId = new Map(recorded.map((draft) => [draft.draftId, draft]))
    // What came in between stays: only states that the journal has settled are taken over.
    const written = await drafts.update((now) =>
      ok(now.map((draft) => withState(draft, byId.get(draft.draftId), kept.value))),
    )
    // A disk that refuses changes nothing about what is known.
    this.#tell(written.ok ? written.value : recorded)
    return written.ok ? written : ok(recorded)
  }

  /** Puts one draft in the place of what it was, on disk when it resolves. */
  async change(
    draftId: string,
    next: (before: WithdrawalDraft | undefined) => Result<WithdrawalDraft>,
  ): Promise<Result<WithdrawalDraft>> {
    const { drafts, clock } = this.#context
    let changed: Result<WithdrawalDraft> = missing(draftId)
    const written = await drafts.update((now) => {
      changed = next(now.find((draft) => draft.draftId === draftId))
      if (!changed.ok) return changed
      const { value } = changed
      const others = now.filter((draft) => draft.draftId !== draftId)
      return ok(withoutOld([value, ...others].sort(newestFirst), clock.now()))
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

  async #recorded(kept: Drafts, asked: Asked): Promise<Drafts> {
    const isAsked = (draft: WithdrawalDraft) =>
      asked === 'all' ? !isEnded(draft) : asked === 'unknown' && draft.state.kind === 'unknown'
    const open = kept.filter(isAsked)
    if (open.length === 0) return kept
    const sinceMs = Math.min(...open.map(({ createdAtMs }) => createdAtMs)) - clockMarginMs
    const records = draftRecords(await this.#context.journal.history(Math.max(0, sinceMs)))
    const isOpen = new Set(open)
    return kept.map((draft) =>
      isOpen.has(draft) ? asRecorded(draft, records.get(draft.draftId) ?? { kind: 'none' }) : draft,
    )
  }
}

export const missing = (draftId: string): Result<never> => err(`no draft ${draftId} is kept here`)

/** The draft with the state that was found for it, unless it has moved on since it was looked at. */
function withState(now: WithdrawalDraft, found: WithdrawalDraft | undefined, seen: Drafts): WithdrawalDraft {
  const before = seen.find(({ draftId }) => draftId === now.draftId)
  return found === undefined || before?.state.kind !== now.state.kind ? now : { ...now, state: found.state }
}

const newestFirst = (left: WithdrawalDraft, right: WithdrawalDraft): number => right.createdAtMs - left.createdAtMs

function withoutOld(drafts: Drafts, nowMs: number): Drafts {
  let endedCount = 0
  return drafts.filter((draft) => {
    if (!isEnded(draft)) return true
    endedCount += 1
    return endedCount <= endedKeptMost && nowMs - draft.createdAtMs <= endedKeptMs
  })
}
