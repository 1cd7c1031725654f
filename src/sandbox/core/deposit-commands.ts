import type { DepositState } from '../../domain/transfers/transfer.ts'
import { type Deposit, nextDepositStates } from '../ledger/transfers.ts'
import { unitsFromText } from '../ledger/units.ts'
import type { Account } from './account.ts'
import type { CommandArguments } from './commands.ts'
import type { Currency } from './currency.ts'
import { conflict, type Done, done, invalid, notFound } from './done.ts'
import type { ExchangeState } from './state.ts'

/** Where a fiat deposit says it came from. */
const bankTransfer = 'bank transfer'

/** The account's address for the next deposit: the same one until a deposit to it is seen. */
export function requestDepositAddress(
  state: ExchangeState,
  { account, currency }: CommandArguments['requestDepositAddress'],
): Done<{ address: string }> {
  const holder = state.client(account)
  const found = state.currencies.get(currency)
  if (holder === undefined) return notFound('There is no such account')
  if (found === undefined) return notFound('Unknown currency')
  if (found.spec.kind === 'fiat')
    return invalid('currency', `${currency} has no deposit address: it is no crypto currency`)
  return done({ address: freshAddress(state, holder, found) })
}

function freshAddress(state: ExchangeState, holder: Account, { spec }: Currency): string {
  const known = holder.freshAddresses.get(spec.code)
  if (known !== undefined) return known
  const number = state.nextId('address')
  const serial = String(number).padStart(8, '0')
  // With a tag, one address serves the whole house and the tag tells whose deposit it is.
  const address = spec.hasTag ? `practice${spec.code}house:${100_000 + number}` : `practice${spec.code}${serial}`
  holder.freshAddresses.set(spec.code, address)
  return address
}

export function startDeposit(
  state: ExchangeState,
  { account, currency, amount, txHash }: CommandArguments['startDeposit'],
): Done<{ depositId: string }> {
  const holder = state.client(account)
  const found = state.currencies.get(currency)
  if (holder === undefined) return notFound('There is no such account')
  if (found === undefined) return notFound('Unknown currency')
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
  if (deposit === undefined) return notFound('There is no such deposit')
  if (!nextDepositStates[deposit.state].includes(to)) return conflict(`The deposit is ${deposit.state}`)
  const holder = state.client(deposit.account)
  const currency = state.currencies.get(deposit.currency)
  if (holder === undefined || currency === undefined) throw new Error(`deposit ${depositId} belongs to nobody`)
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
