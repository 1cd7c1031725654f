import type { z } from 'zod'
import type { Result } from '../base/result.ts'
import type { Listing } from '../domain/listing.ts'
import { type Deposit, type DepositAddress, depositStates } from '../domain/transfers/transfer.ts'
import { amount, optionalText, optionalTimestamp, text, word } from './fields.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { readListing } from './listing.ts'
import { mapResult, message, ofAsked, readMessage } from './message.ts'

/** DepositAddressCrypto. */
export const depositAddressMessage = message({ type: text, address: text })

/** DepositInfo. */
export const depositMessage = message({
  depositId: text,
  amount,
  currency: text,
  address: text,
  txHash: optionalText,
  state: word(depositStates),
  timestamp: optionalTimestamp,
})
export type DepositMessage = z.infer<typeof depositMessage>

const toDeposit = ({ timestamp, ...read }: DepositMessage): Deposit => ({
  ...read,
  timestampMs: timestamp,
})
export const fromDeposit = ({ timestampMs, ...deposit }: Deposit): DepositMessage => ({
  ...deposit,
  timestamp: timestampMs,
})

export const readDepositAddress = (json: string): Result<DepositAddress> => readMessage(depositAddressMessage, json)
export const writeDepositAddress = (address: DepositAddress): string =>
  writeJson({ type: address.type, address: address.address }, 'numbers')

/** Reads the deposit with this id; another one is no answer. */
export function readDeposit(json: string, depositId: string): Result<Deposit> {
  const read = mapResult(readMessage(depositMessage, json), toDeposit)
  return read.ok ? ofAsked('deposit', depositId, read.value.depositId, read.value) : read
}
export const writeDeposit = (deposit: Deposit, mode: WireMode): string => writeJson(fromDeposit(deposit), mode)

export const readDeposits = (json: string): Result<Listing<Deposit>> => readListing(json, depositMessage, toDeposit)
export const writeDeposits = (deposits: readonly Deposit[], mode: WireMode): string =>
  writeJson(deposits.map(fromDeposit), mode)
