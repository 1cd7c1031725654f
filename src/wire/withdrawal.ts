import { z } from 'zod'
import type { Result } from '../domain/result.ts'
import { type Withdrawal, withdrawalStatuses } from '../domain/transfer.ts'
import { amount, optionalAmount, optionalText, optionalTimestamp, optionalWord, text } from './fields.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { mapResult, message, readMessage } from './message.ts'

/** WithdrawalInfo. */
export const withdrawalMessage = message({
  withdrawalId: optionalText,
  amount,
  fee: optionalAmount,
  currency: text,
  beneficiary: text,
  state: optionalWord(withdrawalStatuses),
  timestamp: optionalTimestamp,
})
export type WithdrawalMessage = z.infer<typeof withdrawalMessage>

const toWithdrawal = ({ timestamp, ...read }: WithdrawalMessage): Withdrawal => ({ ...read, timestampMs: timestamp })
export const fromWithdrawal = ({ timestampMs, ...withdrawal }: Withdrawal): WithdrawalMessage => ({
  ...withdrawal,
  timestamp: timestampMs,
})

export const readWithdrawal = (json: string): Result<Withdrawal> =>
  mapResult(readMessage(withdrawalMessage, json), toWithdrawal)
export const writeWithdrawal = (withdrawal: Withdrawal, mode: WireMode): string =>
  writeJson(fromWithdrawal(withdrawal), mode)

export const readWithdrawals = (json: string): Result<Withdrawal[]> =>
  mapResult(readMessage(z.array(withdrawalMessage), json), (list) => list.map(toWithdrawal))
export const writeWithdrawals = (withdrawals: readonly Withdrawal[], mode: WireMode): string =>
  writeJson(withdrawals.map(fromWithdrawal), mode)
