import { Decimal, zero } from '../../domain/money.ts'
import { ratesFor } from '../ledger/fees.ts'
import type { Deposit, Withdrawal } from '../ledger/transfers.ts'
import { decimalFromUnits } from '../ledger/units.ts'
import type { Account, ApiKey } from './account.ts'
import type { Currency } from './currency.ts'
import type { ExchangeState } from './state.ts'
import type { AccountView, BalanceView, DepositView, FeesView, KeyView, WithdrawalView } from './views.ts'

export const accountView = (account: Account): AccountView => ({
  account: account.id,
  name: account.name,
  hasTwoFactor: account.hasTwoFactor,
  keys: account.keys.map(keyView),
})

export const keyView = ({ keyId, account, state }: ApiKey): KeyView => ({ keyId, account, state })

/** The tier that an order placed at `atMs` would get. */
export function feesView(state: ExchangeState, account: Account, atMs: number): FeesView {
  const volumeUnits = account.volume.total(atMs)
  const { makerPpm, takerPpm } = ratesFor(state.tiers, volumeUnits)
  return {
    makerRate: new Decimal(makerPpm).times('0.000001'),
    takerRate: new Decimal(takerPpm).times('0.000001'),
    volumeInUSD: decimalFromUnits(volumeUnits),
  }
}

export function balanceView(state: ExchangeState, account: Account, currency: Currency): BalanceView {
  const cell = account.wallet.cell(currency.index)
  const rateUnits = state.usdRateUnits(currency)
  const rate = rateUnits === null ? zero : decimalFromUnits(rateUnits)
  const balance = decimalFromUnits(cell.balance)
  const available = decimalFromUnits(cell.available)
  return {
    currency: currency.spec.code,
    balance,
    available,
    balanceLocal: balance.times(rate),
    availableLocal: available.times(rate),
    rate,
  }
}

export const depositView = (deposit: Deposit): DepositView => ({
  depositId: deposit.depositId,
  account: deposit.account,
  currency: deposit.currency,
  amount: decimalFromUnits(deposit.units),
  address: deposit.address,
  txHash: deposit.txHash,
  state: deposit.state,
  timestamp: deposit.atMs,
})

export const withdrawalView = (withdrawal: Withdrawal): WithdrawalView => ({
  withdrawalId: withdrawal.withdrawalId,
  account: withdrawal.account,
  currency: withdrawal.currency,
  amount: decimalFromUnits(withdrawal.units),
  fee: decimalFromUnits(withdrawal.feeUnits),
  beneficiary: withdrawal.beneficiary,
  state: withdrawal.state,
  timestamp: withdrawal.atMs,
})
