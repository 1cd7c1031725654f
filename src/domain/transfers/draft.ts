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
import { isSameRequest, type WithdrawalAmount, type WithdrawalRequest } from './transfer.ts'

/** The beneficiary of a draft, with the whitelist entry's name when the draft was made. */
type DraftBeneficiary = { whitelistId: string; name: string }

/** A second person's approval by `by`, valid only for the terms at that time. */
export type DraftApproval = { kind: 'none' } | { kind: 'wanted' } | { kind: 'given'; by: string; atMs: number }

type SentAs = { withdrawalId: string | null }

/** The state of a withdrawal draft. */
export type DraftState = KeptState<SentAs>

/** A withdrawal on this machine, from its preparation. It is sent at most once, whatever happens. */
export type WithdrawalDraft = Draft<SentAs> & {
  currency: string
  beneficiary: DraftBeneficiary
  /** An amount above zero, or all that is available minus the fee. */
  amount: WithdrawalAmount
  /** The user's note, which is not sent. */
  note: string | null
  /** The caller's own key, which makes repeats safe; missing when none was given. */
  key?: string | undefined
  /** Saved by what was to send it in the same moment, and did not come to that where it is a draft still. */
  atOnce?: true | undefined
  approval: DraftApproval
  /** The local program that prepared it, such as `mcp NAME`; missing for a person. */
  origin?: string | undefined
  /** For a hub's draft: see `HubDraft`. */
  version?: number | undefined
  revision?: number | undefined
  madeBy?: string | undefined
}

/** The maker of a draft: a person at a hub, or a local program; undefined for the local user. */
export const makerOf = ({ madeBy, origin }: Pick<WithdrawalDraft, 'madeBy' | 'origin'>): string | undefined =>
  madeBy ?? origin

/** The parts of a draft that its maker chooses. */
export type DraftContent = Pick<
  WithdrawalDraft,
  'currency' | 'beneficiary' | 'amount' | 'note' | 'key' | 'atOnce' | 'origin'
> & {
  /** True when it needs a second person's approval before it is sent. */
  wantsApproval: boolean
  /** The version of a hub's draft that is changed. */
  version?: number | undefined
  /** The draft of this machine that is changed, as its maker was shown it. */
  opened?: WithdrawalDraft | undefined
}

/** The journal's record of a draft that was sent or tried. */
export type DraftRecord = KeptRecord<SentAs>

/** Creates a draft; `draftId` must be new. */
export function newDraft(content: DraftContent, draftId: string, nowMs: number): WithdrawalDraft {
  const { wantsApproval, note, version: _, opened: __, ...rest } = content
  return {
    ...rest,
    draftId,
    createdAtMs: nowMs,
    note: keptNote(note),
    approval: { kind: wantsApproval ? 'wanted' : 'none' },
    state: { kind: 'draft' },
  }
}

/** The withdrawal request of a draft. */
export const requestOf = ({ currency, beneficiary, amount }: WithdrawalDraft): WithdrawalRequest => ({
  currency,
  beneficiary: beneficiary.whitelistId,
  amount,
})

/** Why the draft's own state prevents sending, as a clause; null when it does not. */
export function whyNotSendable(draft: WithdrawalDraft): string | null {
  return whyNotADraft(draft) ?? (draft.approval.kind === 'wanted' ? 'it waits for the approver' : null)
}

/** True when both request the same amount to the same beneficiary; notes may differ. */
export const asksTheSame = (left: WithdrawalDraft, right: WithdrawalDraft): boolean =>
  isSameRequest(requestOf(left), requestOf(right)) && left.beneficiary.name === right.beneficiary.name

/** True while nobody has changed what a draft's maker chose since it was `opened`; its approval may have been given. */
export const isAsOpened = (draft: WithdrawalDraft, opened: WithdrawalDraft): boolean =>
  asksTheSame(draft, opened) &&
  draft.note === opened.note &&
  (draft.approval.kind === 'none') === (opened.approval.kind === 'none')

/**
 * Changes a draft's contents, unless another desk has since it was opened for that. Its approval was for the earlier
 * ones, so a new one is needed.
 */
export function edited(draft: WithdrawalDraft, content: DraftContent): Result<WithdrawalDraft> {
  const { opened } = content
  const isLate = opened !== undefined && !isAsOpened(draft, opened)
  return unless(whyNotADraft(draft) ?? (isLate ? 'it was changed meanwhile' : null), 'changed', () => {
    const { key, origin } = draft
    const stays = { ...(key === undefined ? {} : { key }), ...(origin === undefined ? {} : { origin }) }
    const next = newDraft({ ...content, ...stays }, draft.draftId, draft.createdAtMs)
    const keepsApproval = draft.approval.kind === 'given' && asksTheSame(draft, next)
    return keepsApproval ? { ...next, approval: draft.approval } : next
  })
}

/** Adds a second person's approval, also if the draft did not ask for one, because settings may have changed. */
export function approved(draft: WithdrawalDraft, by: string, atMs: number): Result<WithdrawalDraft> {
  const reason =
    whyNotADraft(draft) ?? (draft.approval.kind === 'given' ? `${draft.approval.by} has approved it` : null)
  return unless(reason, 'approved', () => ({ ...draft, approval: { kind: 'given', by, atMs } }))
}

/** Marks a draft as being sent; from then on only the journal can say that it may be sent. */
export const sending = (draft: WithdrawalDraft, atMs: number): Result<WithdrawalDraft> =>
  markedSending(draft, whyNotSendable(draft), atMs)
