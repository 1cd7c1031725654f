import { type Decimal, zero } from '../money.ts'
import type { Withdrawal, WithdrawalStatus } from '../transfer.ts'
import type { FollowedWithdrawal } from './followed.ts'

const notGone: ReadonlySet<WithdrawalStatus | null> = new Set(['FAILED', 'REFUNDED', 'REJECTED'])

/**
 * Whether the balances around a withdrawal that did not stay out show its money back; `unknown` while they are not
 * there.
 */
export type MoneyBack = { kind: 'unknown' } | { kind: 'back' | 'notAll'; text: string }

/** Amount and fee: what the account had less of while it was out. */
const leftAccount = ({ amount, fee }: Withdrawal): Decimal => amount.plus(fee ?? zero)

/**
 * For a withdrawal that ended as FAILED, REFUNDED or REJECTED: what the account could spend before it was sent and
 * after its end. Null for any other. Orders and other transfers of the time in between move the balance too, so
 * `notAll` only says that it is to be looked at.
 */
export function moneyBack(withdrawal: Withdrawal, followed: FollowedWithdrawal | undefined): MoneyBack | null {
  if (!notGone.has(withdrawal.state)) return null
  const after = followed?.after ?? null
  if (after === null) return { kind: 'unknown' }
  const { currency } = withdrawal
  const money = `${leftAccount(withdrawal).toFixed()} ${currency}`
  const before = followed?.before ?? null
  const now = `${after.available.toFixed()} ${currency} is available`
  if (before === null) return { kind: 'back', text: `${money} is no longer out: ${now} after it.` }
  const was = before.available.toFixed()
  return after.available.gte(before.available)
    ? { kind: 'back', text: `The money is back, ${money}: ${now} again, ${was} before it was sent.` }
    : { kind: 'notAll', text: `Look at the balance: ${now}, ${was} before it was sent; ${money} should be back.` }
}
