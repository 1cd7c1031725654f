import type { Withdrawal, WithdrawalRequest } from '../../domain/transfer.ts'

/** The time in which the exchange may have stamped a withdrawal, by its own clock. */
export type TimeWindow = { fromMs: number; toMs: number }

/**
 * Withdrawals that may be the one asked for: the same currency, beneficiary and amount, within the window, and not known to be
 * another one. One that carries no time may be anything; all there was (`max`) may have been any amount.
 */
export function matchWithdrawals(
  withdrawals: readonly Withdrawal[],
  request: WithdrawalRequest,
  { fromMs, toMs }: TimeWindow,
  claimed: ReadonlySet<string>,
): Withdrawal[] {
  const { currency, beneficiary, amount } = request
  return withdrawals.filter((each) => {
    if (each.currency !== currency || each.beneficiary !== beneficiary) return false
    if (amount !== 'max' && !each.amount.eq(amount)) return false
    if (each.withdrawalId !== null && claimed.has(each.withdrawalId)) return false
    return each.timestampMs === null || (each.timestampMs >= fromMs && each.timestampMs <= toMs)
  })
}
