import type { Decimal } from '../money.ts'
import type { Deposit, DepositState, Withdrawal, WithdrawalRequest, WithdrawalStatus } from '../transfer.ts'
import type { TookTime } from './usual-time.ts'

/** What the account held of a currency, and could spend of it, by an answer of that moment. */
export type BalanceMoment = { balance: Decimal; available: Decimal; atMs: number }

/** A state as this desk saw it: first at `atMs`; `notBeforeMs` is the look before that one, null when there was none in this run. */
export type Sighting<S> = { state: S; atMs: number; notBeforeMs: number | null }

/** What this machine has seen of a deposit; oldest first. */
export type FollowedDeposit = { currency: string; history: readonly Sighting<DepositState>[] }

/** The same of a withdrawal, with the balance of its currency when it was sent and after it ended. */
export type FollowedWithdrawal = {
  currency: string
  /** Empty until a list of the exchange has it. */
  history: readonly Sighting<WithdrawalStatus>[]
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
  /** When each was looked for the first time; null until then. What was there at the first look is history, not news. */
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

/** A look that was further back than this says too little about when something happened. */
const looksApartMostMs = 120_000

function tookMs<S>(history: readonly Sighting<S>[], end: S, beganAtMs: number | null): number | null {
  const sighting = history.find(({ state }) => state === end)
  if (sighting === undefined || sighting.notBeforeMs === null || beganAtMs === null) return null
  if (sighting.atMs - sighting.notBeforeMs > looksApartMostMs) return null
  return Math.max(0, sighting.atMs - beganAtMs)
}

/** How long those took that ended well while this desk looked on. `skewMs`: how far the exchange's clock is ahead of ours. */
export function tookTimes(
  transfers: readonly (Withdrawal | Deposit)[],
  { withdrawals, deposits }: Pick<FollowedTransfers, 'withdrawals' | 'deposits'>,
  skewMs: number,
): TookTime[] {
  return transfers.flatMap((each): TookTime[] => {
    const beganAtMs = each.timestampMs === null ? null : each.timestampMs - skewMs
    const history: readonly Sighting<WithdrawalStatus | DepositState>[] =
      'depositId' in each
        ? (deposits.get(each.depositId)?.history ?? [])
        : (withdrawals.get(each.withdrawalId ?? '')?.history ?? [])
    const took = tookMs<WithdrawalStatus | DepositState>(history, 'COMPLETED', beganAtMs)
    return took === null ? [] : [{ currency: each.currency, tookMs: took }]
  })
}
