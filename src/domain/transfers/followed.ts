import type { Decimal } from '../money.ts'
import type { DepositState, WithdrawalRequest, WithdrawalStatus } from '../transfer.ts'

/** What the account held of a currency, and could spend of it, by an answer of that moment. */
export type BalanceMoment = { balance: Decimal; available: Decimal; atMs: number }

/** A state, and when this desk first saw it. */
export type Sighting<S> = { state: S; atMs: number }

/** What this machine has seen of a transfer. */
export type Followed<S> = {
  currency: string
  /** Each state in turn, oldest first; empty until a list of the exchange has it. */
  history: readonly Sighting<S>[]
  /**
   * From the exchange's own time of it to the moment this desk saw it COMPLETED; null where it did not see that as it
   * happened.
   */
  tookMs: number | null
}

export type FollowedDeposit = Followed<DepositState>

/** With the balance of its currency when it was sent and after it ended. */
export type FollowedWithdrawal = Followed<WithdrawalStatus> & {
  /** The last answer before it was sent; null when this machine did not send it. */
  before: BalanceMoment | null
  /** The first answer after its end, or after its latest one: money that was sent may come back. */
  after: BalanceMoment | null
}

/** A withdrawal of which the exchange's id is not known yet, and what the account held when it was sent. */
export type LeavingWithdrawal = {
  request: WithdrawalRequest
  atMs: number
  before: BalanceMoment | null
  /** The key of the unsettled write once there was no answer; null while one is waited for. */
  key: string | null
}

/** The exchange refused a withdrawal because the account has no two-factor authentication. */
export type TwoFactorRefusal = { atMs: number; reason: string }

/** What this machine knows of a profile's money under way beyond what the exchange lists; it stays between two runs. */
export type FollowedTransfers = {
  /** By the exchange's id. */
  withdrawals: ReadonlyMap<string, FollowedWithdrawal>
  deposits: ReadonlyMap<string, FollowedDeposit>
  /**
   * When each was looked for the first time; null until then. What was there at the first look is history, not news.
   */
  sinceMs: { withdrawals: number | null; deposits: number | null }
  leaving: readonly LeavingWithdrawal[]
  /** Ids of ended withdrawals whose balance after the end is still to come. */
  awaitingBalance: readonly string[]
  /** The latest refusal; null once a withdrawal was taken after it. */
  twoFactorRefusal: TwoFactorRefusal | null
}

export const nothingFollowed: FollowedTransfers = {
  withdrawals: new Map(),
  deposits: new Map(),
  sinceMs: { withdrawals: null, deposits: null },
  leaving: [],
  awaitingBalance: [],
  twoFactorRefusal: null,
}

/** True for a withdrawal that has come to an end; a COMPLETED one may still be REFUNDED. */
export const isWithdrawalEnd = (state: WithdrawalStatus | null): boolean => state !== null && state !== 'PENDING'
