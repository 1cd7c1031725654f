import {
  amountDiffers,
  answeredAs,
  differs,
  type Mismatch,
  type Refusal,
  type UnknownWithdrawalCause,
} from '../write-outcome.ts'
import type { Withdrawal, WithdrawalRequest } from './transfer.ts'

/** The outcome of a withdrawal; as with orders, no answer is `unknown`, never "failed". */
export type WithdrawalOutcome =
  /**
   * `unseen`: why the exchange could not be asked whether it has it, as a clause; missing when it was seen there.
   * `refusal`: what the answer said, where it refused a withdrawal that the exchange has all the same.
   */
  | { kind: 'accepted'; withdrawal: Withdrawal; unseen?: string; refusal?: string }
  /**
   * `noTwoFactor`: the account has no two-factor authentication, which withdrawals require. A list may be behind: `key`
   * names it where it turns up all the same.
   */
  | ({ kind: 'rejected'; cause?: 'noTwoFactor'; key?: string } & Refusal)
  /** The money may be on its way. It is looked up among the withdrawals; `key` names it until then. */
  | { kind: 'unknown'; key: string; reason: string; cause: UnknownWithdrawalCause }

/** The sentence about a withdrawal with an unknown outcome, the risk first; `what` describes it. */
export const unknownWithdrawalSentence = (
  what: string,
  { reason, cause }: Extract<WithdrawalOutcome, { kind: 'unknown' }>,
): string =>
  cause === 'noAnswer'
    ? `May be on its way: no answer for the withdrawal of ${what}. Checking. Do not resubmit.`
    : `May be on its way: the withdrawal of ${what} ${answeredAs(cause, reason)}. Checking. Do not resubmit.`

/** The warning about a withdrawal that was answered as accepted and could not be looked at; `what` describes it. */
const unseenWithdrawalSentence = (what: string, unseen: string): string =>
  `Withdrawal of ${what} is shown as answered: it could not be looked at (${unseen}). Check it before you rely on it.`

/** The sentence about a withdrawal that is there although its answer refused it; `what` describes it. */
const refusedWithdrawalSentence = (what: string, { withdrawalId, state }: Withdrawal, refusal: string): string =>
  `Withdrawal of ${what} was answered as rejected (${refusal}), but ${withdrawalId ?? 'one without an id'} is ` +
  `${state ?? 'listed'}: it counts as sent. Do not resubmit.`

/** What is to be known of an accepted withdrawal beside that it was; null where that says all. */
export function acceptedWithdrawalWarning(
  what: string,
  { withdrawal, unseen, refusal }: Extract<WithdrawalOutcome, { kind: 'accepted' }>,
): string | null {
  if (refusal !== undefined) return refusedWithdrawalSentence(what, withdrawal, refusal)
  return unseen === undefined ? null : unseenWithdrawalSentence(what, unseen)
}

/**
 * How a reported withdrawal differs from the one sent; empty when it does not. A withdrawal of everything may have any
 * amount.
 */
export function withdrawalMismatches(sent: WithdrawalRequest, answered: Withdrawal): Mismatch[] {
  return [
    ...differs('currency', sent.currency, answered.currency),
    ...differs('beneficiary', sent.beneficiary, answered.beneficiary),
    ...(sent.amount === 'max' ? [] : amountDiffers('amount', sent.amount, answered.amount)),
    ...(answered.amount?.lte(0) === true ? differs('amount', 'above 0', answered.amount.toFixed()) : []),
    ...(answered.fee?.lt(0) === true ? differs('fee', 'none below 0', answered.fee.toFixed()) : []),
  ]
}
