import { err, ok, type Result } from '../../base/result.ts'
import type { Decimal } from '../money.ts'
import type { WithdrawalRequest } from './transfer.ts'

/** Whom a draft pays: the name is what the whitelist called the entry when the draft was made. */
type DraftBeneficiary = { whitelistId: string; name: string }

/** A second person's consent. `by` names that person; it holds for what the draft said then, and for nothing else. */
export type DraftApproval = { kind: 'none' } | { kind: 'wanted' } | { kind: 'given'; by: string; atMs: number }

/** Why the exchange does not have it although it was not refused: resolved as not placed, or never sent. */
type NotTaken = 'notPlaced' | 'notSent'

/** How far a draft has come. Every `atMs` is the time at which it came there. */
export type DraftState =
  | { kind: 'draft' }
  /**
   * It is being sent: what will be heard of it is not known yet. Only with `isBegun` on disk does it leave: its entry
   * in the journal was begun then, and one that is not found is lost.
   */
  | { kind: 'sending'; atMs: number; isBegun: boolean }
  /** It may have been sent: `journalKey` is the key of the unsettled write, see `withdrawalKey`. */
  | { kind: 'unknown'; atMs: number; journalKey: string }
  /** The exchange has it; it may leave out the id. */
  | { kind: 'sent'; withdrawalId: string | null; atMs: number }
  /** It was tried once and nothing left the account. */
  | { kind: 'refused'; reason: string; atMs: number; how?: NotTaken | undefined }
  | { kind: 'dropped'; atMs: number }

/** A withdrawal on this machine, from the moment it is prepared. It goes out at most once, whatever happens. */
export type WithdrawalDraft = {
  /** Unique over all desks and machines: it stands in the journal beside what was sent. */
  draftId: string
  currency: string
  beneficiary: DraftBeneficiary
  /** An amount above zero, or all that is available less the fee. */
  amount: Decimal | 'max'
  createdAtMs: number
  /** A remark of the person's own; it is not sent. */
  note: string | null
  /** The caller's own key, which makes a repeat safe; missing where none was given. */
  key?: string | undefined
  approval: DraftApproval
  state: DraftState
  /** Of one that a hub keeps: see `HubDraft`. */
  version?: number | undefined
  revision?: number | undefined
  madeBy?: string | undefined
}

/** What a person decides about a draft. */
export type DraftContent = Pick<WithdrawalDraft, 'currency' | 'beneficiary' | 'amount' | 'note' | 'key'> & {
  /** A second person is to agree before it may go. */
  wantsApproval: boolean
  /** Which version of a hub's draft the person has changed. */
  version?: number | undefined
}

/** What the journal holds of a draft that was tried; `none` when it shows that nothing was ever begun for it. */
export type DraftRecord =
  | { kind: 'none' }
  | { kind: 'open'; atMs: number; journalKey: string }
  | { kind: 'taken'; atMs: number; withdrawalId: string | null }
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
export const noteLengthMost = 200

/** A remark as it is kept: without the blanks around it, null where nothing is left. */
export const keptNote = (note: string | null): string | null =>
  note === null || note.trim() === '' ? null : note.trim().slice(0, noteLengthMost)

/** A new draft; `draftId` is one that was never used. */
export function newDraft(content: DraftContent, draftId: string, nowMs: number): WithdrawalDraft {
  const { wantsApproval, note, version: _, ...rest } = content
  return {
    ...rest,
    draftId,
    createdAtMs: nowMs,
    note: keptNote(note),
    approval: { kind: wantsApproval ? 'wanted' : 'none' },
    state: { kind: 'draft' },
  }
}

/** What the service is asked for. */
export const requestOf = ({ currency, beneficiary, amount }: WithdrawalDraft): WithdrawalRequest => ({
  currency,
  beneficiary: beneficiary.whitelistId,
  amount,
})

/** True for a draft that nothing can happen to any more. */
export const isEnded = ({ state }: WithdrawalDraft): boolean =>
  state.kind === 'sent' || state.kind === 'refused' || state.kind === 'dropped'

/** The state as scripts name it; of a refused one how it was not taken, where that is known. */
export const draftStateName = (state: DraftState): DraftState['kind'] | NotTaken =>
  state.kind === 'refused' ? (state.how ?? 'refused') : state.kind

/** The state in words, `not placed`. */
export const draftStateText = (state: DraftState): string =>
  draftStateName(state).replace(/[A-Z]/, (letter) => ` ${letter.toLowerCase()}`)

/** The state of a draft that had its turn and did not leave the account; without `how` the exchange refused it. */
export const refusedState = (reason: string, atMs: number, how?: NotTaken): DraftState => ({
  kind: 'refused',
  reason,
  atMs,
  ...(how === undefined ? {} : { how }),
})

/** Why the draft may not be sent or changed, as a clause; null when it may. */
export function whyNotADraft({ state }: WithdrawalDraft): string | null {
  switch (state.kind) {
    case 'draft':
      return null
    case 'sending':
      return 'it is being sent'
    case 'unknown':
      return 'it may have been sent: its outcome is unknown'
    case 'sent':
      return `it was sent${state.withdrawalId === null ? '' : ` as ${state.withdrawalId}`}`
    case 'refused':
      return `it was ${draftStateText(state)} (${state.reason}): make a new one`
    case 'dropped':
      return 'it was dropped: make a new one'
  }
}

/** Why the draft may not go out now as far as it says itself, as a clause; null when it may. */
export function whyNotSendable(draft: WithdrawalDraft): string | null {
  return whyNotADraft(draft) ?? (draft.approval.kind === 'wanted' ? 'it waits for the approver' : null)
}

const sameAmount = (left: Decimal | 'max', right: Decimal | 'max'): boolean =>
  left === 'max' || right === 'max' ? left === right : left.eq(right)

/** Whether both ask for the same money to the same beneficiary. A remark may differ. */
export const asksTheSame = (left: WithdrawalDraft, right: WithdrawalDraft): boolean =>
  left.currency === right.currency &&
  left.beneficiary.whitelistId === right.beneficiary.whitelistId &&
  left.beneficiary.name === right.beneficiary.name &&
  sameAmount(left.amount, right.amount)

const unless = (reason: string | null, act: string, next: () => WithdrawalDraft): Result<WithdrawalDraft> =>
  reason === null ? ok(next()) : err(`the draft cannot be ${act}: ${reason}`)

/** The draft with other contents. An approval was given for what it said before: it is wanted anew. */
export function edited(draft: WithdrawalDraft, content: DraftContent): Result<WithdrawalDraft> {
  return unless(whyNotADraft(draft), 'changed', () => {
    const { key } = draft
    const next = newDraft({ ...content, ...(key === undefined ? {} : { key }) }, draft.draftId, draft.createdAtMs)
    const keepsApproval = draft.approval.kind === 'given' && asksTheSame(draft, next)
    return keepsApproval ? { ...next, approval: draft.approval } : next
  })
}

/** The draft with a second person's consent, which it need not have asked for: the settings may by now. */
export function approved(draft: WithdrawalDraft, by: string, atMs: number): Result<WithdrawalDraft> {
  const reason =
    whyNotADraft(draft) ?? (draft.approval.kind === 'given' ? `${draft.approval.by} has approved it` : null)
  return unless(reason, 'approved', () => ({ ...draft, approval: { kind: 'given', by, atMs } }))
}

/** The draft given up. One that may have been sent stays. */
export const dropped = (draft: WithdrawalDraft, atMs: number): Result<WithdrawalDraft> =>
  unless(whyNotADraft(draft), 'dropped', () => ({ ...draft, state: { kind: 'dropped', atMs } }))

/** The draft on its way: from here on only the journal can say that it may be sent. */
export const sending = (draft: WithdrawalDraft, atMs: number): Result<WithdrawalDraft> =>
  unless(whyNotSendable(draft), 'sent', () => ({ ...draft, state: { kind: 'sending', atMs, isBegun: false } }))

/** The draft as it may leave: its entry is in the journal. */
export const begun = (draft: WithdrawalDraft): Result<WithdrawalDraft> =>
  draft.state.kind === 'sending'
    ? ok({ ...draft, state: { ...draft.state, isBegun: true } })
    : err(`the draft cannot leave: ${whyNotADraft(draft) ?? 'it is not being sent'}`)

/** The state that a record stands for; null when nothing is on record. */
function stateOf(record: DraftRecord): DraftState | null {
  switch (record.kind) {
    case 'none':
      return null
    case 'open':
      return { kind: 'unknown', atMs: record.atMs, journalKey: record.journalKey }
    case 'taken':
      return { kind: 'sent', withdrawalId: record.withdrawalId, atMs: record.atMs }
    case 'notTaken':
      return refusedState(record.reason, record.atMs, record.how)
  }
}

/**
 * The draft as the journal has it, which counts more than the draft's own word: what was begun is never a draft again.
 * One that was being sent by a desk that is gone, and that the journal shows was never begun, is a draft as before. The
 * same object when nothing changes.
 */
export function asRecorded(draft: WithdrawalDraft, record: DraftRecord): WithdrawalDraft {
  const next = stateOf(record) ?? (draft.state.kind === 'sending' ? { kind: 'draft' as const } : null)
  if (next === null || !nextDraftStates[draft.state.kind].includes(next.kind)) return draft
  return { ...draft, state: next }
}
