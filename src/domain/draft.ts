import { err, ok, type Result } from '../base/result.ts'
import { shortName } from '../base/text/short-name.ts'
import type { Refusal } from './write-outcome.ts'

/** Why the exchange does not have it without a refusal: resolved as not placed, or never sent. */
export type NotTaken = 'notPlaced' | 'notSent'

/** The exchange's id of what was sent, which it may omit. */
export type SentAs = { withdrawalId: string | null } | { orderId: string | null }

/** Characters kept of an amount that is typed again before it is sent: longer than any that can be sent. */
export const retypedMax = 32

/** The state of a draft. Each `atMs` is when it entered the state. */
export type DraftState<As extends SentAs = SentAs> =
  | { kind: 'draft' }
  /**
   * Being sent, result unknown. It is sent only with `isBegun` on disk, when its journal entry has begun; if that entry
   * is missing, it was lost.
   */
  | { kind: 'sending'; atMs: number; isBegun: boolean }
  /** Possibly sent: `journalKey` is the key of the unknown write, see `withdrawalKey` and `orderKey`. */
  | { kind: 'unknown'; atMs: number; journalKey: string }
  /** The exchange has it. */
  | ({ kind: 'sent'; atMs: number } & As)
  /** Tried once; the exchange does not have it. */
  | ({ kind: 'refused'; atMs: number; how?: NotTaken | undefined } & Refusal)
  /** Dropped by the user, or expired. */
  | { kind: 'dropped'; atMs: number; how?: 'expired' | undefined }

/** Something prepared on this machine to be sent later or never. It is sent at most once, whatever happens. */
export type Draft<As extends SentAs = SentAs> = {
  /** Unique over all desks and machines; recorded in the journal when sent. */
  draftId: string
  createdAtMs: number
  state: DraftState<As>
}

/** The journal's record of a draft that was tried; `none` when nothing was ever begun for it. */
export type DraftRecord<As extends SentAs = SentAs> =
  | { kind: 'none' }
  | { kind: 'open'; atMs: number; journalKey: string }
  | { kind: 'taken'; atMs: number; as: As }
  /** Answered as rejected, and seen at the exchange all the same. */
  | { kind: 'turnedUp'; atMs: number; as: As }
  | ({ kind: 'notTaken'; atMs: number; how?: NotTaken | undefined } & Refusal)

/** The possible next states. A draft that left `draft` for the exchange returns only while nothing is on record. */
export const nextDraftStates: Record<DraftState['kind'], readonly DraftState['kind'][]> = {
  draft: ['sending', 'unknown', 'sent', 'refused', 'dropped'],
  sending: ['draft', 'unknown', 'sent', 'refused'],
  unknown: ['sent', 'refused'],
  sent: [],
  refused: [],
  dropped: ['unknown', 'sent', 'refused'],
}

/** Maximum length of a note. */
export const noteLengthMax = 200

/** Cleans a note: without surrounding spaces, null when empty. */
export const keptNote = (note: string | null): string | null =>
  note === null || note.trim() === '' ? null : note.trim().slice(0, noteLengthMax)

const makerCellsMax = 40

/** The maker's name for storing and display: one line of at most 40 cells of visible characters, or `unknown`. */
export const makerName = (by: string): string => shortName(by, makerCellsMax) || 'unknown'

/** True for a finished draft. */
export const isEnded = ({ state }: { state: Pick<DraftState, 'kind'> }): boolean =>
  state.kind === 'sent' || state.kind === 'refused' || state.kind === 'dropped'

/** True for a draft that left for the exchange, or may have. */
export const mayHaveLeft = ({ state }: { state: Pick<DraftState, 'kind'> }): boolean =>
  state.kind === 'sending' || state.kind === 'unknown' || state.kind === 'sent'

/** Maximum pending drafts of all makers, so that a runaway program fills neither the list nor the disk. */
export const waitingMax = 200

/** Whether another draft may be added; the error is a clause. */
export const mayAdd = (drafts: readonly { state: Pick<DraftState, 'kind'> }[]): Result<null> =>
  drafts.filter((draft) => !isEnded(draft)).length < waitingMax
    ? ok(null)
    : err(`${waitingMax} drafts wait already: send or discard some first`)

/** A maker's further limit on adding drafts, besides `mayAdd`; the error is a clause. */
export type Room<D> = (drafts: readonly D[]) => Result<null>

export const anyRoom: Room<unknown> = () => ok(null)

/** The state's name in scripts; for a finished draft how it ended, if known. */
export const draftStateName = (state: DraftState): DraftState['kind'] | NotTaken | 'expired' =>
  state.kind === 'refused' || state.kind === 'dropped' ? (state.how ?? state.kind) : state.kind

/** The word for giving up a draft: a withdrawal is dropped, an order discarded. */
export type GivenUp = 'dropped' | 'discarded'

/** The state in words: `not placed`. */
export const draftStateText = (state: DraftState, givenUp: GivenUp = 'dropped'): string =>
  (state.kind === 'dropped' ? (state.how ?? givenUp) : draftStateName(state)).replace(
    /[A-Z]/,
    (letter) => ` ${letter.toLowerCase()}`,
  )

/** The state of a tried draft that the exchange does not have; refused there unless `how` is given. */
export const refusedState = (
  { reason, refusedFor }: Refusal,
  atMs: number,
  how?: NotTaken,
): Extract<DraftState, { kind: 'refused' }> => ({
  kind: 'refused',
  reason,
  atMs,
  ...(how === undefined ? {} : { how }),
  ...(refusedFor === undefined ? {} : { refusedFor }),
})

/** The exchange's id of a sent draft, if given. */
const sentIdOf = (sent: SentAs): string | null => ('orderId' in sent ? sent.orderId : sent.withdrawalId)

/** Why the draft cannot be sent or changed, as a clause; null when it can. */
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

/** Applies an action unless there is a reason against it. */
export const unless = <D>(reason: string | null, act: string, next: () => D): Result<D> =>
  reason === null ? ok(next()) : err(`the draft cannot be ${act}: ${reason}`)

/** Drops a draft, unless it may have been sent. */
export const dropped = <D extends Draft>(draft: D, atMs: number, givenUp: GivenUp = 'dropped'): Result<D> =>
  unless(whyNotADraft(draft, givenUp), givenUp, () => ({ ...draft, state: { kind: 'dropped', atMs } }))

/**
 * Marks a draft as being sent unless there is a reason against it; from then on only the journal says whether it may be
 * sent.
 */
export const markedSending = <D extends Draft>(draft: D, reason: string | null, atMs: number): Result<D> =>
  unless(reason, 'sent', () => ({ ...draft, state: { kind: 'sending', atMs, isBegun: false } }))

/** Marks that the draft's journal entry has begun, so it may be sent. */
export const begun = <D extends Draft>(draft: D): Result<D> =>
  draft.state.kind === 'sending'
    ? ok({ ...draft, state: { ...draft.state, isBegun: true } })
    : err(`the draft cannot leave: ${whyNotADraft(draft) ?? 'it is not being sent'}`)

/** The state according to a record; null when nothing is on record. */
function stateOf<As extends SentAs>(record: DraftRecord<As>): DraftState<As> | null {
  switch (record.kind) {
    case 'none':
      return null
    case 'open':
      return { kind: 'unknown', atMs: record.atMs, journalKey: record.journalKey }
    case 'taken':
    case 'turnedUp':
      return { kind: 'sent', atMs: record.atMs, ...record.as }
    case 'notTaken':
      return refusedState(record, record.atMs, record.how)
  }
}

/**
 * The draft according to the journal, which overrides its own state: what was begun never becomes a draft again. One
 * that a desk which ended was sending, and that was never begun, is a draft again. One that was refused stays so unless
 * it has turned up. The same object when unchanged.
 */
export function asRecorded<As extends SentAs, D extends Draft<As>>(draft: D, record: DraftRecord<As>): D {
  const next = stateOf(record) ?? (draft.state.kind === 'sending' ? { kind: 'draft' as const } : null)
  const isCorrected = record.kind === 'turnedUp' && draft.state.kind === 'refused'
  if (next === null || !(isCorrected || nextDraftStates[draft.state.kind].includes(next.kind))) return draft
  return { ...draft, state: next }
}
