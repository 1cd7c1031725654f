import type { Decimal } from './money.ts'

export type DepositState = 'REJECTED' | 'UNCONFIRMED' | 'COMPLETED'
export const depositStates: readonly DepositState[] = ['REJECTED', 'UNCONFIRMED', 'COMPLETED']

export type WithdrawalStatus = 'REJECTED' | 'PENDING' | 'REFUNDED' | 'FAILED' | 'COMPLETED'
export const withdrawalStatuses: readonly WithdrawalStatus[] = [
  'REJECTED',
  'PENDING',
  'REFUNDED',
  'FAILED',
  'COMPLETED',
]

/** Where to send a crypto currency. A tag or memo follows the address after a colon. */
export type DepositAddress = { type: string; address: string }

/** Money on its way in; credited once, when COMPLETED. */
export type Deposit = {
  depositId: string
  amount: Decimal
  currency: string
  address: string
  txHash: string | null
  state: DepositState
  timestampMs: number | null
}

/** Money on its way out. What the service may leave out is null. */
export type Withdrawal = {
  withdrawalId: string | null
  amount: Decimal
  fee: Decimal | null
  currency: string
  /** Id of the whitelist entry it goes to. */
  beneficiary: string
  state: WithdrawalStatus | null
  timestampMs: number | null
}

/** A beneficiary that withdrawals may go to. The service gives its name and id, never the address. */
export type WhitelistEntry = {
  whitelistId: string
  name: string
  currency: string | null
}

/** An amount, or all that is available less the fee; the service takes one or the other. */
export type WithdrawalRequest = {
  currency: string
  beneficiary: string
  amount: Decimal | 'max'
}
