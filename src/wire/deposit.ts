import { z } from 'zod'
import type { Result } from '../domain/result.ts'
import { type Deposit, type DepositAddress, depositStates } from '../domain/transfer.ts'
import { amount, optionalText, optionalTimestamp, text, word } from './fields.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { mapResult, message, readMessage } from './message.ts'

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

export const readDeposit = (json: string): Result<Deposit> => mapResult(readMessage(depositMessage, json), toDeposit)
export const writeDeposit = (deposit: Deposit, mode: WireMode): string => writeJson(fromDeposit(deposit), mode)

export const readDeposits = (json: string): Result<Deposit[]> =>
  mapResult(readMessage(z.array(depositMessage), json), (list) => list.map(toDeposit))
export const writeDeposits = (deposits: readonly Deposit[], mode: WireMode): string =>
  writeJson(deposits.map(fromDeposit), mode)
