import type { DepositState, WithdrawalStatus } from '../../domain/transfers/transfer.ts'
import { textFromUnits, unitsFromText } from '../ledger/units.ts'
import { type Cell, type Deposit, nextDepositStates, nextWithdrawalStates, type Withdrawal } from '../ledger/wallet.ts'
import { type CommandArguments, conflict, type Done, done, forbidden, invalid, unknown } from './commands.ts'
import { Account, type ApiKey, type Currency } from './entities.ts'
import type { ExchangeState } from './state.ts'

export function addAccount(
  state: ExchangeState,
  { name, hasTwoFactor = false }: CommandArguments['addAccount'],
): Done<{ account: number }> {
  if (!/^[a-zA-Z0-9_-]{1,40}$/.test(name)) return invalid('name', 'name must be 1 to 40 letters, digits, _ or -')
  if (state.accounts.some((account) => account.name === name)) return conflict('An account of this name exists')
  const account = new Account(state.accounts.length, name, hasTwoFactor)
  state.accounts.push(account)
  return done({ account: account.id })
}

export function setTwoFactor(state: ExchangeState, { account, isOn }: CommandArguments['setTwoFactor']): Done<null> {
  const holder = state.client(account)
  if (holder === undefined) return unknown('account')
  holder.hasTwoFactor = isOn
  return done(null)
}

export function addKey(
  state: ExchangeState,
  { account, tokenHash }: CommandArguments['addKey'],
): Done<{ keyId: number }> {
  const holder = state.client(account)
  if (holder === undefined) return unknown('account')
  if (!/^[0-9a-f]{64}$/.test(tokenHash)) return invalid('tokenHash', 'tokenHash must be 64 hexadecimal digits')
  if (state.keysByHash.has(tokenHash)) return conflict('The key exists already')
  const key: ApiKey = { keyId: state.nextId('key'), account, tokenHash, state: 'unverified' }
  enterKey(state, holder, key)
  return done({ keyId: key.keyId })
}

/** Registers a key by number and hash. */
export function enterKey(state: ExchangeState, holder: Account, key: ApiKey): void {
  holder.keys.push(key)
  state.keysByHash.set(key.tokenHash, key)
  state.keysById.set(key.keyId, key)
}

export function verifyKey(state: ExchangeState, { keyId }: CommandArguments['verifyKey']): Done<null> {
  const key = state.keysById.get(keyId)
  if (key === undefined) return unknown('key')
  if (key.state === 'revoked') return conflict('The key is revoked')
  key.state = 'verified'
  return done(null)
}

export function revokeKey(state: ExchangeState, { keyId }: CommandArguments['revokeKey']): Done<null> {
  const key = state.keysById.get(keyId)
  if (key === undefined) return unknown('key')
  key.state = 'revoked'
  return done(null)
}

export function addWhitelistEntry(
  state: ExchangeState,
  { account, currency, name }: CommandArguments['addWhitelistEntry'],
): Done<{ whitelistId: string }> {
  const holder = state.client(account)
  if (holder === undefined) return unknown('account')
  if (!state.currencies.has(currency)) return unknown('currency')
  if (name.length < 1 || name.length > 100) return invalid('name', 'name must be 1 to 100 characters')
  const whitelistId = `wl-${state.nextId('whitelist')}`
  holder.whitelist.push({ whitelistId, currency, name })
  return done({ whitelistId })
}

export function removeWhitelistEntry(
  state: ExchangeState,
  { account, whitelistId }: CommandArguments['removeWhitelistEntry'],
): Done<null> {
  const holder = state.client(account)
  if (holder === undefined) return unknown('account')
  const index = holder.whitelist.findIndex((entry) => entry.whitelistId === whitelistId)
  if (index < 0) return unknown('whitelist entry')
  holder.whitelist.splice(index, 1)
  return done(null)
}

type Place = { holder: Account; currency: Currency }

/** An account and a currency, checked. */
function placeOf(state: ExchangeState, of: { account: number; currency: string }): Done<Place> {
  const holder = state.client(of.account)
  const currency = state.currencies.get(of.currency)
  if (holder === undefined) return unknown('account')
  return currency === undefined ? unknown('currency') : done({ holder, currency })
}

/** An account and a currency that were accepted before. */
function placeOfKnown(state: ExchangeState, of: { account: number; currency: string }): Place {
  const place = placeOf(state, of)
  if (!place.ok) throw new Error(`a transfer of account ${of.account} in ${of.currency} belongs to nobody`)
  return place.value
}

/** The source shown for a fiat deposit. */
const bankTransfer = 'bank transfer'

/** The account's address for the next deposit: the same one until a deposit to it is seen. */
export function requestDepositAddress(
  state: ExchangeState,
  request: CommandArguments['requestDepositAddress'],
): Done<{ address: string }> {
  const place = placeOf(state, request)
  if (!place.ok) return place
  const { holder, currency } = place.value
  if (currency.spec.kind === 'fiat')
    return invalid('currency', `${request.currency} has no deposit address: it is not a crypto currency`)
  return done({ address: freshAddress(state, holder, currency) })
}

function freshAddress(state: ExchangeState, holder: Account, { spec }: Currency): string {
  const known = holder.freshAddresses.get(spec.code)
  if (known !== undefined) return known
  const number = state.nextId('address')
  const serial = String(number).padStart(8, '0')
  // With a tag, one address serves all accounts, and the tag identifies the account.
  const address = spec.hasTag ? `practice${spec.code}house:${100_000 + number}` : `practice${spec.code}${serial}`
  holder.freshAddresses.set(spec.code, address)
  return address
}

export function startDeposit(
  state: ExchangeState,
  { account, currency, amount, txHash }: CommandArguments['startDeposit'],
): Done<{ depositId: string }> {
  const place = placeOf(state, { account, currency })
  if (!place.ok) return place
  const { holder, currency: found } = place.value
  const units = unitsFromText(amount)
  if (typeof units === 'string' || units <= 0n) return invalid('amount', 'amount must be an amount above zero')
  if (units % found.stepUnits !== 0n) return invalid('amount', `${currency} has ${found.spec.scale} decimals`)
  const address = found.spec.kind === 'fiat' ? bankTransfer : freshAddress(state, holder, found)
  holder.freshAddresses.delete(currency)
  const depositId = `d-${state.nextId('deposit')}`
  const deposit: Deposit = {
    depositId,
    account,
    currency,
    units,
    address,
    txHash: txHash ?? null,
    atMs: state.nowMs,
    state: 'UNCONFIRMED',
  }
  state.deposits.set(depositId, deposit)
  emitDeposit(state, deposit)
  return done({ depositId })
}

export const confirmDeposit = (state: ExchangeState, { depositId }: { depositId: string }): Done<null> =>
  endDeposit(state, depositId, 'COMPLETED')
export const rejectDeposit = (state: ExchangeState, { depositId }: { depositId: string }): Done<null> =>
  endDeposit(state, depositId, 'REJECTED')

function endDeposit(state: ExchangeState, depositId: string, to: DepositState): Done<null> {
  const deposit = state.deposits.get(depositId)
  if (deposit === undefined) return unknown('deposit')
  if (!nextDepositStates[deposit.state].includes(to)) return conflict(`The deposit is ${deposit.state}`)
  const { holder, currency } = placeOfKnown(state, deposit)
  deposit.state = to
  if (to === 'COMPLETED') {
    holder.wallet.cell(currency.index).credit(deposit.units)
    currency.depositedUnits += deposit.units
  }
  emitDeposit(state, deposit)
  return done(null)
}

function emitDeposit(state: ExchangeState, { depositId, account, state: to }: Deposit): void {
  state.events.push({ type: 'deposit', depositId, account, state: to, atMs: state.nowMs })
}

/** Checks a withdrawal and holds its amount and fee. A refused one holds nothing. */
export function createWithdrawal(
  state: ExchangeState,
  { account, currency, beneficiary, send }: CommandArguments['createWithdrawal'],
): Done<{ withdrawalId: string }> {
  const holder = state.client(account)
  if (holder === undefined) return unknown('account')
  if (!holder.hasTwoFactor) return forbidden('Withdrawals need two-factor authentication: it is off for this account')
  const found = state.currencies.get(currency)
  if (found === undefined) return invalid('currency', 'Unknown currency')
  const isListed = holder.whitelist.some((entry) => entry.whitelistId === beneficiary && entry.currency === currency)
  if (!isListed) return invalid('beneficiary', `The beneficiary is not on the whitelist for ${currency}`)
  const cell = holder.wallet.cell(found.index)
  const feeUnits = found.withdrawalFeeUnits
  const units = send === 'max' ? largestAmount(cell, found) : amountToSend(send.amount, cell, found)
  if (typeof units !== 'bigint') return units
  cell.hold(units + feeUnits)
  const withdrawalId = `w-${state.nextId('withdrawal')}`
  const atMs = state.nowMs
  const withdrawal: Withdrawal = {
    withdrawalId,
    account,
    currency,
    units,
    feeUnits,
    beneficiary,
    atMs,
    state: 'PENDING',
  }
  state.withdrawals.set(withdrawalId, withdrawal)
  emitWithdrawal(state, withdrawal)
  return done({ withdrawalId })
}

function amountToSend(text: string, cell: Cell, currency: Currency) {
  const units = unitsFromText(text)
  if (units === 'malformed') return invalid('amount', 'amount is not an amount')
  if (units === 'tooFine' || units % currency.stepUnits !== 0n)
    return invalid('amount', `${currency.spec.code} has ${currency.spec.scale} decimals`)
  if (units <= 0n) return invalid('amount', 'amount must be above zero')
  if (units + currency.withdrawalFeeUnits > cell.available) return tooMuch(currency)
  return units
}

/** Everything available less the fee, cut to the currency's decimals, since smaller amounts cannot be withdrawn. */
function largestAmount(cell: Cell, currency: Currency) {
  const leftUnits = cell.available - currency.withdrawalFeeUnits
  const units = leftUnits - (leftUnits % currency.stepUnits)
  return units > 0n ? units : tooMuch(currency)
}

const tooMuch = ({ withdrawalFeeUnits, spec }: Currency) =>
  invalid(
    'amount',
    `Less than the amount and the fee of ${textFromUnits(withdrawalFeeUnits)} ${spec.code} is available`,
  )

type Reference = { withdrawalId: string }
export const completeWithdrawal = (state: ExchangeState, { withdrawalId }: Reference): Done<null> =>
  moveWithdrawal(state, withdrawalId, 'COMPLETED')
export const failWithdrawal = (state: ExchangeState, { withdrawalId }: Reference): Done<null> =>
  moveWithdrawal(state, withdrawalId, 'FAILED')
export const refundWithdrawal = (state: ExchangeState, { withdrawalId }: Reference): Done<null> =>
  moveWithdrawal(state, withdrawalId, 'REFUNDED')
export const rejectWithdrawal = (state: ExchangeState, { withdrawalId }: Reference): Done<null> =>
  moveWithdrawal(state, withdrawalId, 'REJECTED')

/**
 * A pending withdrawal's money stays in the balance, held. COMPLETED removes it, and the exchange keeps the fee; any
 * other end releases it. A completed one that comes back is credited again, fee included.
 */
function moveWithdrawal(state: ExchangeState, withdrawalId: string, to: WithdrawalStatus): Done<null> {
  const withdrawal = state.withdrawals.get(withdrawalId)
  if (withdrawal === undefined) return unknown('withdrawal')
  if (!nextWithdrawalStates[withdrawal.state].includes(to)) return conflict(`The withdrawal is ${withdrawal.state}`)
  const { holder, currency } = placeOfKnown(state, withdrawal)
  const cell = holder.wallet.cell(currency.index)
  const feeCell = state.feeAccount.wallet.cell(currency.index)
  const { units, feeUnits } = withdrawal
  if (withdrawal.state === 'COMPLETED') {
    feeCell.debit(feeUnits)
    currency.withdrawnUnits -= units
    cell.credit(units + feeUnits)
  } else if (to === 'COMPLETED') {
    cell.pay(units + feeUnits, units + feeUnits)
    feeCell.credit(feeUnits)
    currency.withdrawnUnits += units
  } else cell.release(units + feeUnits)
  withdrawal.state = to
  emitWithdrawal(state, withdrawal)
  return done(null)
}

function emitWithdrawal(state: ExchangeState, { withdrawalId, account, state: to }: Withdrawal): void {
  state.events.push({ type: 'withdrawal', withdrawalId, account, state: to, atMs: state.nowMs })
}
