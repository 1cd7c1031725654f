import type { Result } from '../../base/result.ts'
import {
  type Draft,
  type DraftRecord as KeptRecord,
  type DraftState as KeptState,
  keptNote,
  markedSending,
  unless,
  whyNotADraft,
} from '../draft.ts'
import type { Decimal } from '../money.ts'
import type { WithdrawalRequest } from './transfer.ts'

/** Whom a draft pays: the name is what the whitelist called the entry when the draft was made. */
type DraftBeneficiary = { whitelistId: string; name: string }

/** A second person's consent. `by` names that person; it holds for what the draft said then, and for nothing else. */
export type DraftApproval = { kind: 'none' } | { kind: 'wanted' } | { kind: 'given'; by: string; atMs: number }

type SentAs = { withdrawalId: string | null }

/** How far a draft of a withdrawal has come. */
export type DraftState = KeptState<SentAs>

/** A withdrawal on this machine, from the moment it is prepared. It goes out at most once, whatever happens. */
export type WithdrawalDraft = Draft<SentAs> & {
  currency: string
  beneficiary: DraftBeneficiary
  /** An amount above zero, or all that is available less the fee. */
  amount: Decimal | 'max'
  /** A remark of the person's own; it is not sent. */
  note: string | null
  /** The caller's own key, which makes a repeat safe; missing where none was given. */
  key?: string | undefined
  approval: DraftApproval
  /** The program that prepared it on this machine, such as `mcp NAME`; missing where a person did. */
  origin?: string | undefined
  /** Of one that a hub keeps: see `HubDraft`. */
  version?: number | undefined
  revision?: number | undefined
  madeBy?: string | undefined
}

/** Who or what made the draft: a person at a hub, or a program on this machine; undefined for a person here. */
export const makerOf = ({ madeBy, origin }: Pick<WithdrawalDraft, 'madeBy' | 'origin'>): string | undefined =>
  madeBy ?? origin

/** What a person decides about a draft. */
export type DraftContent = Pick<WithdrawalDraft, 'currency' | 'beneficiary' | 'amount' | 'note' | 'key' | 'origin'> & {
  /** A second person is to agree before it may go. */
  wantsApproval: boolean
  /** Which version of a hub's draft the person has changed. */
  version?: number | undefined
}

/** What the journal holds of a draft that was tried. */
export type DraftRecord = KeptRecord<SentAs>

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

/** The draft with other contents. An approval was given for what it said before: it is wanted anew. */
export function edited(draft: WithdrawalDraft, content: DraftContent): Result<WithdrawalDraft> {
  return unless(whyNotADraft(draft), 'changed', () => {
    const { key, origin } = draft
    const stays = { ...(key === undefined ? {} : { key }), ...(origin === undefined ? {} : { origin }) }
    const next = newDraft({ ...content, ...stays }, draft.draftId, draft.createdAtMs)
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

/** The draft on its way: from here on only the journal can say that it may be sent. */
export const sending = (draft: WithdrawalDraft, atMs: number): Result<WithdrawalDraft> =>
  markedSending(draft, whyNotSendable(draft), atMs)
