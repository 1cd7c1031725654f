import { defaultWithdrawalLimits, type WithdrawalLimits } from '../../domain/limits.ts'
import type { DraftContent, WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { KnownWhitelist } from '../../domain/transfers/whitelist.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import type { Venue } from '../mode.ts'
import { type AnyOverlay, isOverlay } from '../slice.ts'

const withdrawFields = ['currency', 'beneficiary', 'how', 'amount', 'approval', 'note'] as const
export type WithdrawField = (typeof withdrawFields)[number]

/** A withdrawal form. An amount and "all" are two choices: only the chosen one is sent. */
export type WithdrawForm = {
  currency: string | null
  /** Id of the whitelist entry. */
  whitelistId: string | null
  how: 'amount' | 'all'
  amountText: string
  /** An approver is required. */
  wantsApproval: boolean
  /** The user's own note: it stays on this machine, or goes to the hub with the draft. */
  note: string | null
  /** The draft that is changed or reviewed; null for a new one. */
  draftId: string | null
  /** The version of a hub's draft that it shows. */
  version?: number | undefined
  /** This machine's draft as it was when the form was opened; of a hub's, the hub compares the versions itself. */
  opened?: WithdrawalDraft
}

type Editing = { kind: 'withdraw'; form: WithdrawForm; field: WithdrawField; query: string }
/** What the user has confirmed of a withdrawal under review. */
export type WithdrawAgreed = {
  /** Rules whose soft limits were confirmed. */
  confirmed: readonly WithdrawalRule[]
  /** What these were about then, such as earlier withdrawals by their ids: others are not confirmed. */
  seen?: readonly string[] | undefined
}

type Reviewing = WithdrawAgreed & {
  kind: 'withdrawReview'
  form: WithdrawForm
  reviewedAtMs: number
  /** The amount typed again so far. */
  retyped: string
  /** Lines scrolled off above the first one on screen; none unless given. */
  top?: number
}

/** When the lock was last opened in this form; null without a lock, or before the unlock. */
type Unlocked = { unlockedAtMs: number | null }

export type WithdrawEditing = Editing & Unlocked
export type WithdrawReviewing = Reviewing & Unlocked

/** What an approver's consent sends at once: what was reviewed, and what was confirmed of it. */
type Reviewed = WithdrawAgreed & { content: DraftContent }

/** The purpose of a typed secret. */
export type SecretPurpose =
  /** The unlock before the form, or before the review of a draft. */
  | { kind: 'open'; next: WithdrawEditing | WithdrawReviewing }
  /** Another unlock for a form that was open for long. */
  | { kind: 'send'; review: WithdrawReviewing }
  /** The approver's consent. `thenSend`: what was reviewed before it; null: nothing is sent after. */
  | { kind: 'approve'; draftId: string; thenSend: Reviewed | null }
  /** An approver's decision at a hub, by their own token; not a secret, so the typed text shows. */
  | HubDecision

export type HubDecision = {
  kind: 'decide'
  verdict: 'approve' | 'reject'
  /** The draft as shown: the decision is about this state, whatever changes meanwhile. */
  seen: WithdrawalDraft
  /** The text to sign, letter by letter; null when nothing is signed. */
  terms: string | null
  typed: string
}

export type WithdrawSecret = {
  kind: 'withdrawSecret'
  purpose: SecretPurpose
  /** The number of typed characters; the text itself is never in the state. */
  length: number
  isChecking: boolean
  sentence: string
}

export type WithdrawOverlay = WithdrawEditing | WithdrawReviewing | WithdrawSecret

export const emptyForm: WithdrawForm = {
  currency: null,
  whitelistId: null,
  how: 'amount',
  amountText: '',
  wantsApproval: false,
  note: null,
  draftId: null,
}

export function formOfDraft(draft: WithdrawalDraft): WithdrawForm {
  const { currency, beneficiary, amount, approval, note, draftId, version } = draft
  return {
    currency,
    whitelistId: beneficiary.whitelistId,
    how: amount === 'max' ? 'all' : 'amount',
    amountText: amount === 'max' ? '' : amount.toFixed(),
    wantsApproval: approval.kind !== 'none',
    note,
    draftId,
    ...(version === undefined ? { opened: draft } : { version }),
  }
}

/** The form's present fields: no amount when everything is sent, no approval without an approver. */
export const fieldsOf = (form: WithdrawForm, approver: string | null): WithdrawField[] =>
  withdrawFields.filter((field) =>
    field === 'amount' ? form.how === 'amount' : field === 'approval' ? approver !== null || form.wantsApproval : true,
  )

/** The field to fill first in an opened form. */
export function firstOpenField({ currency, whitelistId, how, amountText }: WithdrawForm): WithdrawField {
  if (currency === null) return 'currency'
  if (whitelistId === null) return 'beneficiary'
  return how === 'amount' && amountText === '' ? 'amount' : 'how'
}

/** Another currency has other beneficiaries. */
export const withCurrency = (form: WithdrawForm, currency: string): WithdrawForm =>
  form.currency === currency ? form : { ...form, currency, whitelistId: null }

/** The rules for withdrawals, besides polled data. */
export type WithdrawalRules = {
  limits: WithdrawalLimits
  /** The whitelist as this machine remembers it; null before the first look. */
  memory: KnownWhitelist | null
  /** The approver of drafts; null when none is set up. */
  approver: string | null
}

/** Rules that changed: from the settings, from a file, or after a look at the whitelist. */
export type WithdrawalRulesEvent = { type: 'withdrawalRulesChanged'; rules: Partial<WithdrawalRules> }

export const initialRules = ({ kind }: Venue): WithdrawalRules => ({
  limits: defaultWithdrawalLimits[kind],
  memory: null,
  approver: null,
})

/** The form again, after a review. */
export const formAgain = ({
  form,
  unlockedAtMs,
}: Pick<WithdrawReviewing, 'form' | 'unlockedAtMs'>): WithdrawEditing => ({
  kind: 'withdraw',
  form,
  field: firstOpenField(form),
  query: '',
  unlockedAtMs,
})

/**
 * The overlay with any withdrawal that only waits for a key or a secret turned back into a form; a saved draft stays
 * one.
 */
export function withoutSending(overlay: AnyOverlay | null): AnyOverlay | null {
  if (isOverlay<WithdrawReviewing>(overlay, 'withdrawReview')) return formAgain(overlay)
  if (!isOverlay<WithdrawSecret>(overlay, 'withdrawSecret')) return overlay
  const { purpose } = overlay
  if (purpose.kind === 'send') return formAgain(purpose.review)
  return purpose.kind === 'approve' && purpose.thenSend !== null ? null : overlay
}
