import type { Decimal } from '../../../domain/money.ts'
import type { TransfersContext } from './transfers-context.ts'
import { stateWord, type WithdrawalItem } from './withdrawal-items.ts'

/** The currency; empty for a write of which only a sentence is known. */
export const currencyOf = ({ withdrawal, draft, request }: WithdrawalItem): string =>
  withdrawal?.currency ?? draft?.currency ?? request?.currency ?? ''

/** What is to reach the beneficiary; `max` is all that was available less the fee; null where it is not known. */
export const amountOf = ({ withdrawal, draft, request }: WithdrawalItem): Decimal | 'max' | null =>
  withdrawal?.amount ?? draft?.amount ?? request?.amount ?? null

export const feeOf = ({ withdrawal }: WithdrawalItem): Decimal | null => withdrawal?.fee ?? null

/** What leaves the balance: the amount and the fee; null where one of them is not known. */
export function leavingOf(item: WithdrawalItem): Decimal | null {
  const [amount, fee] = [amountOf(item), feeOf(item)]
  return amount === null || amount === 'max' || fee === null ? null : amount.plus(fee)
}

/** The exchange's id, or the draft's. */
export const idOf = ({ withdrawal, draft }: WithdrawalItem): string => withdrawal?.withdrawalId ?? draft?.draftId ?? ''

/**
 * The whitelist's entry: its id, and the name it has now, else the one it had when the draft was made; empty where
 * unknown.
 */
export function beneficiaryOf({ withdrawal, draft, request }: WithdrawalItem, { names }: TransfersContext) {
  const id = withdrawal?.beneficiary ?? draft?.beneficiary.whitelistId ?? request?.beneficiary ?? ''
  return { id, name: names.get(id) ?? draft?.beneficiary.name ?? '' }
}

/** `cold-1 (wl_8f2c)`: a name alone could be another entry's too. */
export function beneficiaryText(item: WithdrawalItem, context: TransfersContext): string {
  const { id, name } = beneficiaryOf(item, context)
  return name === '' ? id : `${name} (${id})`
}

/** The exchange's id of it, once there is one: what is known of its course goes by that. */
export const withdrawalIdOf = ({ withdrawal, draft }: WithdrawalItem): string | null =>
  withdrawal?.withdrawalId ?? (draft?.state.kind === 'sent' ? draft.state.withdrawalId : null)

/** What each state means for the money, where the word alone could be misread. */
const meanings: Readonly<Record<string, string>> = {
  DRAFT: 'prepared on this machine: nothing has left',
  SENDING: 'being sent just now',
  UNKNOWN: 'it may be on its way: a like one stays blocked until this is settled',
  SENT: 'the exchange took it',
  REFUSED: 'nothing left the account',
  'NOT PLACED': 'the exchange does not have it: settled so',
  'NOT SENT': 'it never left this machine',
  DROPPED: 'given up before it was sent: nothing has left',
  PENDING: 'amount and fee are held until it ends',
  COMPLETED: 'the money has left the account',
  FAILED: 'it was not paid out: the money is back in the balance',
  REFUNDED: 'it was paid out and came back: the money is in the balance again',
  REJECTED: 'the money is back in the balance: the review of the exchange turned it down',
  '?': 'the exchange reports no state: it may be on its way',
}
export const meaningOf = (item: WithdrawalItem): string => meanings[stateWord(item)] ?? ''

/** What a person should know beside the state: why it was refused, what is asked, who is to agree, one's own remark. */
export function remarkOf({ withdrawal, draft, unsettled, kind }: WithdrawalItem): string {
  if (unsettled !== null) return unsettled.question === null ? unsettled.sentence : unsettled.question.evidence
  if (withdrawal === null && draft?.state.kind === 'refused') return draft.state.reason
  if (kind === 'draft' && draft?.approval.kind === 'wanted') return 'waits for a second person'
  if (kind === 'draft' && draft?.approval.kind === 'given') return `approved by ${draft.approval.by}`
  return draft?.note ?? ''
}
