import type { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import type { Listing } from '../domain/listing.ts'
import {
  type Deposit,
  type DepositAddress,
  depositStates,
  sameDeposit,
  sameEntry,
  sameWithdrawal,
  type WhitelistEntry,
  type Withdrawal,
  type WithdrawalRequest,
  withdrawalStatuses,
} from '../domain/transfers/transfer.ts'
import { type JsonBounds, type WireMode, writeJson } from './exact-json.ts'
import { entryReader, type Known, readListing, withoutTwins } from './listing.ts'
import {
  amount,
  byId,
  entryTime,
  mapResult,
  message,
  named,
  ofAsked,
  optionalAmount,
  optionalBoolean,
  optionalNamed,
  optionalText,
  optionalWord,
  payAddress,
  readMessage,
  strictName,
  text,
  thenRead,
  word,
} from './message.ts'

/** WithdrawalInfo. */
const withdrawalMessage = message({
  withdrawalId: optionalNamed,
  amount,
  fee: optionalAmount,
  currency: named,
  beneficiary: named,
  state: optionalWord(withdrawalStatuses),
  timestamp: entryTime,
})
type WithdrawalMessage = z.infer<typeof withdrawalMessage>

/** Refuses an amount of zero or less and a fee below zero: in the sums of a day they would hide what did leave. */
function toWithdrawal({ timestamp, ...read }: WithdrawalMessage): Result<Withdrawal> {
  if (!read.amount.gt(0)) return err('field "amount" must be above 0')
  if (read.fee?.lt(0) === true) return err('field "fee" must be 0 or more')
  return ok({ ...read, timestampMs: timestamp })
}
export const fromWithdrawal = ({ timestampMs, ...withdrawal }: Withdrawal): WithdrawalMessage => ({
  ...withdrawal,
  timestamp: timestampMs,
})

export const readWithdrawal = (json: string): Result<Withdrawal> =>
  thenRead(readMessage(withdrawalMessage, json), toWithdrawal)
export const writeWithdrawal = (withdrawal: Withdrawal, mode: WireMode): string =>
  writeJson(fromWithdrawal(withdrawal), mode)

/** Reads the withdrawal with this id. Refuses one with another id or none. */
export function readWithdrawalOf(json: string, withdrawalId: string): Result<Withdrawal> {
  const read = readWithdrawal(json)
  return read.ok ? byId('withdrawal', withdrawalId, read.value.withdrawalId, read.value) : read
}

const readListedWithdrawal = entryReader(withdrawalMessage, toWithdrawal)

const withdrawalTwins = {
  idOf: ({ withdrawalId }: Withdrawal) => withdrawalId,
  isSame: sameWithdrawal,
  reason: 'its "withdrawalId" comes twice, with other terms',
  from: fromWithdrawal,
}

export const readWithdrawals = (json: string, known?: Known<Withdrawal>): Result<Listing<Withdrawal>> =>
  mapResult(readListing(json, readListedWithdrawal, known), (listing) => withoutTwins(listing, withdrawalTwins))
export const writeWithdrawals = (withdrawals: readonly Withdrawal[], mode: WireMode): string =>
  writeJson(withdrawals.map(fromWithdrawal), mode)

/** CreateWithdrawalRequest, read strictly. */
const newWithdrawalMessage = message({
  amount: optionalAmount,
  currency: strictName,
  beneficiary: strictName,
  sendMax: optionalBoolean,
})

/** Reads a withdrawal request: an amount, or `sendMax` true without one. */
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

/** DepositAddressCrypto, with the currency that some answers name beside. */
const depositAddressMessage = message({ type: text, address: payAddress, currency: optionalNamed })

/** DepositInfo. */
const depositMessage = message({
  depositId: named,
  amount,
  currency: named,
  address: text,
  txHash: optionalText,
  state: word(depositStates),
  timestamp: entryTime,
})
type DepositMessage = z.infer<typeof depositMessage>

/** Refuses what would take away from the day's sums. Before it is credited a deposit may have an amount of zero. */
function toDeposit({ timestamp, ...read }: DepositMessage): Result<Deposit> {
  if (read.state === 'COMPLETED' && !read.amount.gt(0)) return err('field "amount" must be above 0')
  return read.amount.lt(0) ? err('field "amount" must be 0 or more') : ok({ ...read, timestampMs: timestamp })
}
export const fromDeposit = ({ timestampMs, ...deposit }: Deposit): DepositMessage => ({
  ...deposit,
  timestamp: timestampMs,
})

/** Reads the address for deposits of a currency. Refuses one that is named as another currency's. */
export const readDepositAddress = (json: string, asked: string): Result<DepositAddress> =>
  thenRead(readMessage(depositAddressMessage, json), ({ type, address, currency }) =>
    ofAsked('the address of', asked, currency, { type, address }),
  )
export const writeDepositAddress = (address: DepositAddress): string =>
  writeJson({ type: address.type, address: address.address }, 'numbers')

/** Reads the deposit with this id. Refuses one with another id. */
export function readDeposit(json: string, depositId: string): Result<Deposit> {
  const read = thenRead(readMessage(depositMessage, json), toDeposit)
  return read.ok ? ofAsked('deposit', depositId, read.value.depositId, read.value) : read
}
export const writeDeposit = (deposit: Deposit, mode: WireMode): string => writeJson(fromDeposit(deposit), mode)

const readListedDeposit = entryReader(depositMessage, toDeposit)

const depositTwins = {
  idOf: ({ depositId }: Deposit) => depositId,
  isSame: sameDeposit,
  reason: 'its "depositId" comes twice, with other terms',
  from: fromDeposit,
}

export const readDeposits = (json: string, known?: Known<Deposit>): Result<Listing<Deposit>> =>
  mapResult(readListing(json, readListedDeposit, known), (listing) => withoutTwins(listing, depositTwins))
export const writeDeposits = (deposits: readonly Deposit[], mode: WireMode): string =>
  writeJson(deposits.map(fromDeposit), mode)

/** WhitelistEntry. */
const whitelistEntryMessage = message({
  whitelistId: optionalNamed,
  name: optionalText,
  currency: optionalNamed,
})

/** An entry without an id cannot be withdrawn to. */
const readWhitelistEntry = entryReader(
  whitelistEntryMessage,
  ({ whitelistId, name, currency }): Result<WhitelistEntry> =>
    whitelistId === null ? err('field "whitelistId" is missing') : ok({ whitelistId, name: name ?? '', currency }),
)

/** A withdrawal names the id alone: of entries of one id that differ nothing tells to whom it would go. */
const whitelistTwins = {
  idOf: ({ whitelistId }: WhitelistEntry) => whitelistId,
  isSame: sameEntry,
  reason: 'its "whitelistId" comes twice: nothing tells to whom a withdrawal would go',
  from: (entry: WhitelistEntry) => entry,
}

export const readWhitelist = (json: string, known?: Known<WhitelistEntry>): Result<Listing<WhitelistEntry>> =>
  mapResult(readListing(json, readWhitelistEntry, known), (listing) => withoutTwins(listing, whitelistTwins))

export const writeWhitelist = (entries: readonly WhitelistEntry[]): string =>
  writeJson(
    entries.map(({ whitelistId, name, currency }) => ({
      whitelistId,
      name,
      currency,
    })),
    'numbers',
  )
