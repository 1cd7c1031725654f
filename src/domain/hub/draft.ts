import type { WithdrawalDraft } from '../transfers/draft.ts'

/** A draft that a hub keeps for everybody. `approval` is the one that holds for what the draft says now. */
export type HubDraft = WithdrawalDraft & {
  /** Grows with every change: whoever changes it names the one that they saw. */
  readonly version: number
  /** Grows with every change of what it asks for: an approval is of one, and of no other. */
  readonly revision: number
  /** The person who made it, who alone may change it, and never approves it. */
  readonly madeBy: string
}

/** What a draft asks for, with which of its revisions that is. */
export type HubTerms = Pick<HubDraft, 'draftId' | 'revision' | 'currency' | 'beneficiary' | 'amount'>

/**
 * The text that an approver signs: no two revisions of drafts, of whatever hub, have the same. `hub` is the identity of
 * the hub's database. Both sides make it of what they have themselves, so that nobody signs what they were not shown.
 */
export const approvalText = (hub: string, { draftId, revision, currency, beneficiary, amount }: HubTerms): string =>
  JSON.stringify([
    ...['withdrawal draft', hub, draftId, String(revision), currency],
    ...[beneficiary.whitelistId, beneficiary.name, amount === 'max' ? amount : amount.toFixed()],
  ])
