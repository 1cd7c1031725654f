import type { Withdrawal, WithdrawalRequest } from '../transfer.ts'
import type { WithdrawalCheck } from '../withdrawal-checks.ts'
import type { SentWithdrawal } from './withdrawn-today.ts'

/** So long after a withdrawal the same one again is more likely a slip than a wish. */
export const repeatWithinMs = 10 * 60_000

type Earlier = { listed: readonly Withdrawal[]; sent: readonly SentWithdrawal[]; nowMs: number }

/**
 * Asks when the same amount of the same currency went to the same beneficiary a short while ago, from here or from
 * elsewhere, and has not come back. A repeat can be meant; nothing about it can be undone.
 */
export function repeatCheck(request: WithdrawalRequest, { listed, sent, nowMs }: Earlier): WithdrawalCheck {
  const { currency, beneficiary, amount } = request
  const isLike = (other: Pick<WithdrawalRequest, 'currency' | 'beneficiary' | 'amount'>) =>
    other.currency === currency &&
    other.beneficiary === beneficiary &&
    amount !== 'max' &&
    other.amount !== 'max' &&
    other.amount.eq(amount)
  const gone = [
    ...listed.flatMap(({ withdrawalId, timestampMs: atMs, ...each }) =>
      hasGone(each) && isLike(each) && atMs !== null ? [{ withdrawalId, atMs }] : [],
    ),
    // One without an answer holds a like one back by itself, until it is settled.
    ...sent.filter(
      ({ request: other, withdrawalId, isKnown }) =>
        isKnown && isLike(other) && (withdrawalId === null || !isListedBack(listed, withdrawalId)),
    ),
  ].filter(({ atMs }) => nowMs - atMs < repeatWithinMs)
  const lastMs = gone.length === 0 ? null : Math.max(...gone.map(({ atMs }) => atMs))
  if (lastMs === null || amount === 'max') return { rule: 'repeat', level: 'ok', text: '' }
  const seconds = Math.max(0, Math.floor((nowMs - lastMs) / 1000))
  const age = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`
  return {
    rule: 'repeat',
    level: 'ask',
    text: `the same ${amount.toFixed()} ${currency} went to ${beneficiary} ${age} ago`,
    about: [...new Set(gone.map(({ withdrawalId, atMs }) => withdrawalId ?? `sent at ${atMs}`))],
  }
}

const hasGone = ({ state }: Pick<Withdrawal, 'state'>): boolean =>
  state === null || state === 'PENDING' || state === 'COMPLETED'
const isListedBack = (listed: readonly Withdrawal[], id: string): boolean =>
  listed.some((each) => each.withdrawalId === id && !hasGone(each))
