import { err, ok, type Result } from '../base/result.ts'
import { shortName } from '../base/short-name.ts'

/** Why the exchange does not have it although it was not refused: resolved as not placed, or never sent. */
export type NotTaken = 'notPlaced' | 'notSent'

/** What the exchange calls what was sent; it may leave out the id. */
export type SentAs = { withdrawalId: string | null } | { orderId: string | null }

/** How far a draft has come. Every `atMs` is the time at which it came there. */
export type DraftState<As extends SentAs = SentAs> =
  | { kind: 'draft' }
  /**
   * It is being sent: what will be heard of it is not known yet. Only with `isBegun` on disk does it leave: its entry
   * in the journal was begun then, and one that is not found is lost.
   */
  | { kind: 'sending'; atMs: number; isBegun: boolean }
  /** It may have been sent: `journalKey` is the key of the unsettled write, see `withdrawalKey` and `orderKey`. */
  | { kind: 'unknown'; atMs: number; journalKey: string }
  /** The exchange has it. */
  | ({ kind: 'sent'; atMs: number } & As)
  /** It was tried once and the exchange does not have it. */
  | { kind: 'refused'; reason: string; atMs: number; how?: NotTaken | undefined }
  /** A person gave it up, or its time was over. */
  | { kind: 'dropped'; atMs: number; how?: 'expired' | undefined }

/** What is prepared on this machine, to be sent later or never. It goes out at most once, whatever happens. */
export type Draft<As extends SentAs = SentAs> = {
  /** Unique over all desks and machines: it stands in the journal beside what was sent. */
  draftId: string
  createdAtMs: number
  state: DraftState<As>
}

/** What the journal holds of a draft that was tried; `none` when it shows that nothing was ever begun for it. */
export type DraftRecord<As extends SentAs = SentAs> =
  | { kind: 'none' }
  | { kind: 'open'; atMs: number; journalKey: string }
  | { kind: 'taken'; atMs: number; as: As }
  | { kind: 'notTaken'; atMs: number; reason: string; how?: NotTaken | undefined }

/**
 * The states that may follow each. Whatever has left `draft` for the exchange comes back only while nothing is on
 * record.
 */
export const nextDraftStates: Record<DraftState['kind'], readonly DraftState['kind'][]> = {
  draft: ['sending', 'unknown', 'sent', 'refused', 'dropped'],
  sending: ['draft', 'unknown', 'sent', 'refused'],
  unknown: ['sent', 'refused'],
  sent: [],
  refused: [],
  dropped: ['unknown', 'sent', 'refused'],
}

/** The longest remark that is kept. */
export const noteLengthMax = 200

/** A remark as it is kept: without the blanks around it, null where nothing is left. */
export const keptNote = (note: string | null): string | null =>
  note === null || note.trim() === '' ? null : note.trim().slice(0, noteLengthMax)

const makerCellsMax = 40

/**
 * Who or what made a draft, as it is kept and shown: one line of at most 40 cells, of signs that can be seen. `unknown`
 * where nothing is left.
 */
export const makerName = (by: string): string => shortName(by, makerCellsMax) || 'unknown'

/** True for a draft that nothing can happen to any more. */
export const isEnded = ({ state }: { state: Pick<DraftState, 'kind'> }): boolean =>
  state.kind === 'sent' || state.kind === 'refused' || state.kind === 'dropped'

/** Drafts that wait, for all makers together: a program that runs wild fills neither the list nor the disk. */
export const waitingMax = 200

/** Whether one more may be kept beside these; the error is a clause. */
export const mayAdd = (drafts: readonly { state: Pick<DraftState, 'kind'> }[]): Result<null> =>
  drafts.filter((draft) => !isEnded(draft)).length < waitingMax
    ? ok(null)
    : err(`${waitingMax} drafts wait already: send or discard some first`)

/** Whether a maker may add one more beside these, besides what `mayAdd` says; the error is a clause. */
export type Room<D> = (drafts: readonly D[]) => Result<null>

export const anyRoom: Room<unknown> = () => ok(null)

/** The state as scripts name it; of an ended one how, where that is known. */
export const draftStateName = (state: DraftState): DraftState['kind'] | NotTaken | 'expired' =>
  state.kind === 'refused' || state.kind === 'dropped' ? (state.how ?? state.kind) : state.kind

/** What people call a draft that somebody gave up: a withdrawal is dropped, an order is discarded. */
export type GivenUp = 'dropped' | 'discarded'

/** The state in words, `not placed`. */
export const draftStateText = (state: DraftState, givenUp: GivenUp = 'dropped'): string =>
  (state.kind === 'dropped' ? (state.how ?? givenUp) : draftStateName(state)).replace(
    /[A-Z]/,
    (letter) => ` ${letter.toLowerCase()}`,
  )

/** The state of a draft that had its turn and that the exchange does not have; without `how` it was refused there. */
export const refusedState = (
  reason: string,
  atMs: number,
  how?: NotTaken,
): Extract<DraftState, { kind: 'refused' }> => ({
  kind: 'refused',
  reason,
  atMs,
  ...(how === undefined ? {} : { how }),
})

/** What the exchange calls a draft that was sent, where it said so. */
const sentIdOf = (sent: SentAs): string | null => ('orderId' in sent ? sent.orderId : sent.withdrawalId)

/** Why the draft may not be sent or changed, as a clause; null when it may. */
export function whyNotADraft({ state }: Pick<Draft, 'state'>, givenUp: GivenUp = 'dropped'): string | null {
  switch (state.kind) {
    case 'draft':
      return null
    case 'sending':
      return 'it is being sent'
    case 'unknown':
      return 'it may have been sent: its outcome is unknown'
    case 'sent': {
      const id = sentIdOf(state)
      return `it was sent${id === null ? '' : ` as ${id}`}`
    }
    case 'refused':
      return `it was ${draftStateText(state)} (${state.reason}): make a new one`
    case 'dropped':
      return `it ${state.how === 'expired' ? 'expired' : `was ${givenUp}`}: make a new one`
  }
}

/** The draft after an act that nothing speaks against. */
export const unless = <D>(reason: string | null, act: string, next: () => D): Result<D> =>
  reason === null ? ok(next()) : err(`the draft cannot be ${act}: ${reason}`)

/** The draft given up. One that may have been sent stays. */
export const dropped = <D extends Draft>(draft: D, atMs: number, givenUp: GivenUp = 'dropped'): Result<D> =>
  unless(whyNotADraft(draft, givenUp), givenUp, () => ({ ...draft, state: { kind: 'dropped', atMs } }))

/** The draft on its way, unless there is a reason against it: from here on only the journal says whether it may go. */
export const markedSending = <D extends Draft>(draft: D, reason: string | null, atMs: number): Result<D> =>
  unless(reason, 'sent', () => ({ ...draft, state: { kind: 'sending', atMs, isBegun: false } }))

/** The draft as it may leave: its entry is in the journal. */
export const begun = <D extends Draft>(draft: D): Result<D> =>
  draft.state.kind === 'sending'
    ? ok({ ...draft, state: { ...draft.state, isBegun: true } })
    : err(`the draft cannot leave: ${whyNotADraft(draft) ?? 'it is not being sent'}`)

/** The state that a record stands for; null when nothing is on record. */
function stateOf<As extends SentAs>(record: DraftRecord<As>): DraftState<As> | null {
  switch (record.kind) {
    case 'none':
      return null
    case 'open':
      return { kind: 'unknown', atMs: record.atMs, journalKey: record.journalKey }
    case 'taken':
      return { kind: 'sent', atMs: record.atMs, ...record.as }
    case 'notTaken':
      return refusedState(record.reason, record.atMs, record.how)
  }
}

/**
 * The draft as the journal has it, which counts more than the draft's own word: what was begun is never a draft again.
 * One that was being sent by a desk that is gone, and that the journal shows was never begun, is a draft as before. The
 * same object when nothing changes.
 */
export function asRecorded<As extends SentAs, D extends Draft<As>>(draft: D, record: DraftRecord<As>): D {
  const next = stateOf(record) ?? (draft.state.kind === 'sending' ? { kind: 'draft' as const } : null)
  if (next === null || !nextDraftStates[draft.state.kind].includes(next.kind)) return draft
  return { ...draft, state: next }
}
