import type { z } from 'zod'
import type { Result } from '../base/result.ts'
import type { Listing } from '../domain/listing.ts'
import { type Withdrawal, withdrawalStatuses } from '../domain/transfers/transfer.ts'
import { amount, optionalAmount, optionalText, optionalTimestamp, optionalWord, text } from './fields.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { readListing } from './listing.ts'
import { byId, mapResult, message, readMessage } from './message.ts'

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

/** Reads the withdrawal with this id; another one, or one that does not say which it is, is no answer. */
export function readWithdrawalOf(json: string, withdrawalId: string): Result<Withdrawal> {
  const read = readWithdrawal(json)
  return read.ok ? byId('withdrawal', withdrawalId, read.value.withdrawalId, read.value) : read
}

export const readWithdrawals = (json: string): Result<Listing<Withdrawal>> =>
  readListing(json, withdrawalMessage, toWithdrawal)
export const writeWithdrawals = (withdrawals: readonly Withdrawal[], mode: WireMode): string =>
  writeJson(withdrawals.map(fromWithdrawal), mode)
