import type { DepositState, WithdrawalStatus } from '../../domain/transfers/transfer.ts'

/** Money on its way in: credited once, when it becomes COMPLETED. */
export type Deposit = {
  readonly depositId: string
  readonly account: number
  readonly currency: string
  readonly units: bigint
  readonly address: string
  readonly txHash: string | null
  readonly atMs: number
  state: DepositState
}

/** Money on its way out: amount and fee are held while PENDING. */
export type Withdrawal = {
  readonly withdrawalId: string
  readonly account: number
  readonly currency: string
  readonly units: bigint
  readonly feeUnits: bigint
  readonly beneficiary: string
  readonly atMs: number
  state: WithdrawalStatus
}

/** Where each state may lead. A completed withdrawal may still come back. */
export const nextDepositStates: Record<DepositState, readonly DepositState[]> = {
  UNCONFIRMED: ['COMPLETED', 'REJECTED'],
  COMPLETED: [],
  REJECTED: [],
}
export const nextWithdrawalStates: Record<WithdrawalStatus, readonly WithdrawalStatus[]> = {
  PENDING: ['COMPLETED', 'FAILED', 'REFUNDED', 'REJECTED'],
  COMPLETED: ['REFUNDED'],
  FAILED: [],
  REFUNDED: [],
  REJECTED: [],
}
