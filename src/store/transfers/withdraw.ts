import { defaultWithdrawalLimits, type WithdrawalLimits } from '../../domain/limits.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { KnownWhitelist } from '../../domain/transfers/whitelist.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import type { Venue } from '../mode.ts'
import { type AnyOverlay, isOverlay } from '../slice.ts'

const withdrawFields = ['currency', 'beneficiary', 'how', 'amount', 'approval', 'note'] as const
export type WithdrawField = (typeof withdrawFields)[number]

/**
 * A withdrawal as it is filled in. An amount and "all of it" are two choices: what one says is not sent with the other.
 */
export type WithdrawForm = {
  currency: string | null
  /** Id of the whitelist entry. */
  whitelistId: string | null
  how: 'amount' | 'all'
  amountText: string
  /** A second person is to agree. */
  wantsApproval: boolean
  /** A remark of the person's own: it stays on this machine, or goes to the hub with the draft. */
  note: string | null
  /** The draft that is changed or reviewed; null for a new one. */
  draftId: string | null
  /** Which version of a hub's draft it shows. */
  version?: number | undefined
}

type Editing = { kind: 'withdraw'; form: WithdrawForm; field: WithdrawField; query: string }
type Reviewing = {
  kind: 'withdrawReview'
  form: WithdrawForm
  reviewedAtMs: number
  /** The amount as far as it was typed once more. */
  retyped: string
  /** Rules whose soft limits the person has confirmed for this withdrawal. */
  confirmed: readonly WithdrawalRule[]
  /** Lines of it above the first that is on screen, where there is no room for all; none unless given. */
  top?: number
}

/** When the second lock was last opened in this form; null where none is set up, or not yet. */
type Unlocked = { unlockedAtMs: number | null }

export type WithdrawEditing = Editing & Unlocked
export type WithdrawReviewing = Reviewing & Unlocked

/** What a secret that is typed opens. */
export type SecretPurpose =
  /** The second lock before the form, or before the review of a draft. */
  | { kind: 'open'; next: WithdrawEditing | WithdrawReviewing }
  /** The second lock once more, where the form stood open for long. */
  | { kind: 'send'; review: WithdrawReviewing }
  /**
   * A second person's agreement. `thenSend`: the rules confirmed in the review that it came from; null: nothing is sent
   * after it.
   */
  | { kind: 'approve'; draftId: string; thenSend: readonly WithdrawalRule[] | null }
  /** An approver's yes or no at a hub, by their own token; no secret, so that what is typed is shown. */
  | HubDecision

export type HubDecision = {
  kind: 'decide'
  verdict: 'approve' | 'reject'
  /** The draft as it is shown: this is what is agreed to, whatever it becomes meanwhile. */
  seen: WithdrawalDraft
  /** What is signed, letter by letter; null where nothing is. */
  terms: string | null
  typed: string
}

export type WithdrawSecret = {
  kind: 'withdrawSecret'
  purpose: SecretPurpose
  /** How much is typed; what it is never stands in the state. */
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

export const formOfDraft = ({
  currency,
  beneficiary,
  amount,
  approval,
  note,
  draftId,
  version,
}: WithdrawalDraft): WithdrawForm => ({
  currency,
  whitelistId: beneficiary.whitelistId,
  how: amount === 'max' ? 'all' : 'amount',
  amountText: amount === 'max' ? '' : amount.toFixed(),
  wantsApproval: approval.kind !== 'none',
  note,
  draftId,
  ...(version === undefined ? {} : { version }),
})

/** The fields that the form has now: no amount where all of it goes, no approval where nobody is set up to give it. */
export const fieldsOf = (form: WithdrawForm, approver: string | null): WithdrawField[] =>
  withdrawFields.filter((field) =>
    field === 'amount' ? form.how === 'amount' : field === 'approval' ? approver !== null || form.wantsApproval : true,
  )

/** The field where a form that is opened is filled in first. */
export function firstOpenField({ currency, whitelistId, how, amountText }: WithdrawForm): WithdrawField {
  if (currency === null) return 'currency'
  if (whitelistId === null) return 'beneficiary'
  return how === 'amount' && amountText === '' ? 'amount' : 'how'
}

/** Another currency has other beneficiaries. */
export const withCurrency = (form: WithdrawForm, currency: string): WithdrawForm =>
  form.currency === currency ? form : { ...form, currency, whitelistId: null }

/** What withdrawals are held against, beside what is polled. */
export type WithdrawalRules = {
  limits: WithdrawalLimits
  /** The whitelist as this machine remembers it; null before it has been looked at. */
  memory: KnownWhitelist | null
  /** Who approves drafts; null when nobody is set up. */
  approver: string | null
}

/** Some of the rules as they are from now on: from the settings, from a file, after a look at the whitelist. */
export type WithdrawalRulesEvent = { type: 'withdrawalRulesChanged'; rules: Partial<WithdrawalRules> }

export const initialRules = ({ kind }: Venue): WithdrawalRules => ({
  limits: defaultWithdrawalLimits[kind],
  memory: null,
  approver: null,
})

/** A form as it is filled in, where it was looked at before it goes. */
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
 * What is over the panes, where a withdrawal that only waits for a key or a secret to go is a form again; one that is
 * kept as a draft already stays that.
 */
export function withoutSending(overlay: AnyOverlay | null): AnyOverlay | null {
  if (isOverlay<WithdrawReviewing>(overlay, 'withdrawReview')) return formAgain(overlay)
  if (!isOverlay<WithdrawSecret>(overlay, 'withdrawSecret')) return overlay
  const { purpose } = overlay
  if (purpose.kind === 'send') return formAgain(purpose.review)
  return purpose.kind === 'approve' && purpose.thenSend !== null ? null : overlay
}
