import { amount, optionalStrictText, strictText } from '../../wire/fields.ts'
import { message } from '../../wire/message.ts'
import { given } from '../http/desk.ts'
import type { Venue } from '../venue.ts'
import { answerWith, noSuch, type Verb, verb } from './verb.ts'

const newDeposit = message({
  account: strictText,
  currency: strictText,
  amount,
  txHash: optionalStrictText,
})

/** Deposits and withdrawals: what the networks and the exchange's reviewers do. */
export function fundsVerbs(venue: Venue): Verb[] {
  const settleDeposit = (name: string, type: 'confirmDeposit' | 'rejectDeposit', state: string) =>
    verb('deposit', name, message({ depositId: strictText }), ({ depositId }) =>
      answerWith(venue, type, { depositId }, () => ({ depositId, state })),
    )
  const settleWithdrawal = (
    name: string,
    type: 'completeWithdrawal' | 'failWithdrawal' | 'refundWithdrawal' | 'rejectWithdrawal',
    state: string,
  ) =>
    verb('withdrawal', name, message({ withdrawalId: strictText }), ({ withdrawalId }) =>
      answerWith(venue, type, { withdrawalId }, () => ({ withdrawalId, state })),
    )
  return [
    verb('deposit', 'start', newDeposit, (values) => {
      const account = venue.read().accountByName(values.account)?.account
      if (account === undefined) return noSuch('account', values.account)
      const deposit = {
        account,
        currency: values.currency,
        amount: values.amount.toString(),
        ...given({ txHash: values.txHash ?? undefined }),
      }
      return answerWith(venue, 'startDeposit', deposit, ({ depositId }) => ({ depositId, state: 'UNCONFIRMED' }))
    }),
    settleDeposit('confirm', 'confirmDeposit', 'COMPLETED'),
    settleDeposit('reject', 'rejectDeposit', 'REJECTED'),
    settleWithdrawal('complete', 'completeWithdrawal', 'COMPLETED'),
    settleWithdrawal('fail', 'failWithdrawal', 'FAILED'),
    settleWithdrawal('refund', 'refundWithdrawal', 'REFUNDED'),
    settleWithdrawal('reject', 'rejectWithdrawal', 'REJECTED'),
  ]
}
