import type { WithdrawalDraft } from '../transfers/draft.ts'

/** A draft stored by a hub. `approval` is the approval of its present terms. */
export type HubDraft = WithdrawalDraft & {
  /** Increases with every change; a change names the version it is based on. */
  readonly version: number
  /** Increases with every change of the terms; an approval is for one revision only. */
  readonly revision: number
  /** The person who made it; only they may change it, and they never approve it. */
  readonly madeBy: string
}

/** The terms of a draft, and their revision. */
export type HubTerms = Pick<HubDraft, 'draftId' | 'revision' | 'currency' | 'beneficiary' | 'amount'>

/**
 * The text that an approver signs, unique to a revision of a draft of one hub. `hub` is the identity of the hub's
 * database. Both sides build it from their own data, so no one signs terms they were not shown.
 */
export const approvalText = (hub: string, { draftId, revision, currency, beneficiary, amount }: HubTerms): string =>
  JSON.stringify([
    ...['withdrawal draft', hub, draftId, String(revision), currency],
    ...[beneficiary.whitelistId, beneficiary.name, amount === 'max' ? amount : amount.toFixed()],
  ])
