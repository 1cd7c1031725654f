import { err, ok, type Result } from '../base/result.ts'
import type { WithdrawalRequest } from '../domain/transfers/transfer.ts'
import { optionalAmount, optionalBoolean, strictText } from './fields.ts'
import type { JsonBounds } from './json-read.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { message, readMessage } from './message.ts'

/** CreateWithdrawalRequest, read strictly. */
export const newWithdrawalMessage = message({
  amount: optionalAmount,
  currency: strictText,
  beneficiary: strictText,
  sendMax: optionalBoolean,
})

/** Reads a request to withdraw: an amount, or `sendMax` true without one. */
export function readNewWithdrawal(json: string, bounds?: JsonBounds): Result<WithdrawalRequest> {
  const read = readMessage(newWithdrawalMessage, json, bounds)
  if (!read.ok) return read
  const { amount, currency, beneficiary, sendMax } = read.value
  if (sendMax === true && amount !== null) return err('field "amount" must not be given together with "sendMax"')
  if (sendMax === true) return ok({ currency, beneficiary, amount: 'max' })
  return amount === null ? err('field "amount" is missing') : ok({ currency, beneficiary, amount })
}

export const writeNewWithdrawal = ({ currency, beneficiary, amount }: WithdrawalRequest, mode: WireMode): string =>
  writeJson(
    {
      amount: amount === 'max' ? null : amount,
      currency,
      beneficiary,
      sendMax: amount === 'max' ? true : null,
    },
    mode,
  )
