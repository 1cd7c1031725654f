import { type Decimal, sameAmount } from '../money.ts'

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

/** Where the money is in each state: sent or being sent, never sent, or returned. */
const moneyBy: Readonly<Record<WithdrawalStatus, 'out' | 'kept' | 'returned'>> = {
  PENDING: 'out',
  COMPLETED: 'out',
  REJECTED: 'kept',
  FAILED: 'kept',
  REFUNDED: 'returned',
}

/** True when the money is sent or being sent. */
export const isOut = (state: WithdrawalStatus | null): boolean => state !== null && moneyBy[state] === 'out'
/** True when it counts as sent: without a state the money may be gone. */
export const mayBeOut = (state: WithdrawalStatus | null): boolean => state === null || isOut(state)
/** True when no money was sent. */
export const isTurnedDown = (state: WithdrawalStatus | null): boolean => state !== null && moneyBy[state] === 'kept'

/** A crypto deposit address; a tag or memo follows after a colon. */
export type DepositAddress = { type: string; address: string }

/** A deposit; credited once, when COMPLETED. */
export type Deposit = {
  depositId: string
  amount: Decimal
  currency: string
  address: string
  txHash: string | null
  state: DepositState
  timestampMs: number | null
}

/** A withdrawal; fields the service may omit are nullable. */
export type Withdrawal = {
  withdrawalId: string | null
  amount: Decimal
  fee: Decimal | null
  currency: string
  /** Id of its whitelist entry. */
  beneficiary: string
  state: WithdrawalStatus | null
  timestampMs: number | null
}

/** A beneficiary of withdrawals. The service reports its name and id, never the address. */
export type WhitelistEntry = {
  whitelistId: string
  name: string
  currency: string | null
}

/** An amount in the currency, or `max`: all available minus the fee. The service takes one or the other. */
export type WithdrawalAmount = Decimal | 'max'

export type WithdrawalRequest = {
  currency: string
  beneficiary: string
  amount: WithdrawalAmount
}

/** True when the same amount is asked for; `max` equals only itself, because the balance decides what it pays. */
export const isSameAsked = (left: WithdrawalAmount, right: WithdrawalAmount): boolean =>
  left === 'max' || right === 'max' ? left === right : left.eq(right)

/** True when both ask for the same amount of the same currency to the same beneficiary. */
export const isSameRequest = (left: WithdrawalRequest, right: WithdrawalRequest): boolean =>
  left.currency === right.currency && left.beneficiary === right.beneficiary && isSameAsked(left.amount, right.amount)

/** True when a reported withdrawal has the terms that a request asked for; `max` may have paid any amount. */
export const hasTermsOf = (withdrawal: Withdrawal, { currency, beneficiary, amount }: WithdrawalRequest): boolean =>
  withdrawal.currency === currency &&
  withdrawal.beneficiary === beneficiary &&
  (amount === 'max' || amount.eq(withdrawal.amount))

/** A withdrawal request in words: `0.5 BTC to wl-1`. */
export const withdrawalText = ({ amount, currency, beneficiary }: WithdrawalRequest): string =>
  `${amount === 'max' ? 'all' : amount.toFixed()} ${currency} to ${beneficiary}`

/** True when two reports of a withdrawal are equal. */
export const sameWithdrawal = (left: Withdrawal, right: Withdrawal): boolean =>
  left.withdrawalId === right.withdrawalId &&
  left.state === right.state &&
  left.currency === right.currency &&
  left.beneficiary === right.beneficiary &&
  left.timestampMs === right.timestampMs &&
  sameAmount(left.amount, right.amount) &&
  sameAmount(left.fee, right.fee)

/** True when two reports of a deposit are equal. */
export const sameDeposit = (left: Deposit, right: Deposit): boolean =>
  left.depositId === right.depositId &&
  left.state === right.state &&
  left.currency === right.currency &&
  left.address === right.address &&
  left.txHash === right.txHash &&
  left.timestampMs === right.timestampMs &&
  sameAmount(left.amount, right.amount)

/** True when two reports of a beneficiary are equal. */
export const sameEntry = (left: WhitelistEntry, right: WhitelistEntry): boolean =>
  left.whitelistId === right.whitelistId && left.name === right.name && left.currency === right.currency

/** A completed transfer: its currency, and the ms from its own time to its observed end. */
export type TookTime = { currency: string; tookMs: number }

/** Median and maximum duration of such transfers in ms, and their number. */
export type UsualTime = { medianMs: number; longestMs: number; count: number }

/**
 * The usual duration for a currency; null without examples. For an even count the median is the mean of the middle two,
 * rounded down. Other currencies have other networks, so they do not count.
 */
export function usualTime(ended: readonly TookTime[], currency: string): UsualTime | null {
  const times = ended
    .filter((each) => each.currency === currency)
    .map(({ tookMs }) => tookMs)
    .toSorted((left, right) => left - right)
  const longestMs = times.at(-1)
  const upper = times[times.length >> 1]
  const lower = times[(times.length - 1) >> 1]
  if (longestMs === undefined || upper === undefined || lower === undefined) return null
  return { medianMs: Math.floor((lower + upper) / 2), longestMs, count: times.length }
}

/** A deposit address and its required tag or memo, if any. */
type AddressParts = { address: string; tag: string | null }

/** A scheme such as `bitcoincash:`: a lower-case word, followed by text far too long for a tag. */
const schemed = /^[a-z]+:[^:]{30,}$/

/**
 * Splits a tag from its address, after the colon. In doubt it is a tag, because money sent without one is lost; only a
 * scheme before a complete address belongs to the address.
 */
export function addressParts(text: string): AddressParts {
  const at = text.lastIndexOf(':')
  const tag = text.slice(at + 1)
  const isTagged = at > 0 && tag !== '' && !schemed.test(text)
  return isTagged ? { address: text.slice(0, at), tag } : { address: text, tag: null }
}
