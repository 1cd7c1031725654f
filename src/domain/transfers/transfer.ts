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

/** What each state says of the money: gone or on its way, never sent, or sent and back. */
const moneyBy: Readonly<Record<WithdrawalStatus, 'out' | 'kept' | 'returned'>> = {
  PENDING: 'out',
  COMPLETED: 'out',
  REJECTED: 'kept',
  FAILED: 'kept',
  REFUNDED: 'returned',
}

/** The money is gone or on its way. */
export const isOut = (state: WithdrawalStatus | null): boolean => state !== null && moneyBy[state] === 'out'
/** Counts as out in sums: without a state the money may be gone, so it counts. */
export const mayBeOut = (state: WithdrawalStatus | null): boolean => state === null || isOut(state)
/** No money has left. */
export const isTurnedDown = (state: WithdrawalStatus | null): boolean => state !== null && moneyBy[state] === 'kept'

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

/** A withdrawal request in words: `0.5 BTC to wl-1`. */
export const withdrawalText = ({ amount, currency, beneficiary }: WithdrawalRequest): string =>
  `${amount === 'max' ? 'all' : amount.toFixed()} ${currency} to ${beneficiary}`

/** True when both reports say the same of one withdrawal. */
export const sameWithdrawal = (left: Withdrawal, right: Withdrawal): boolean =>
  left.withdrawalId === right.withdrawalId &&
  left.state === right.state &&
  left.currency === right.currency &&
  left.beneficiary === right.beneficiary &&
  left.timestampMs === right.timestampMs &&
  sameAmount(left.amount, right.amount) &&
  sameAmount(left.fee, right.fee)

/** True when both reports say the same of one deposit. */
export const sameDeposit = (left: Deposit, right: Deposit): boolean =>
  left.depositId === right.depositId &&
  left.state === right.state &&
  left.currency === right.currency &&
  left.address === right.address &&
  left.txHash === right.txHash &&
  left.timestampMs === right.timestampMs &&
  sameAmount(left.amount, right.amount)

/** True when both say the same of one beneficiary. */
export const sameEntry = (left: WhitelistEntry, right: WhitelistEntry): boolean =>
  left.whitelistId === right.whitelistId && left.name === right.name && left.currency === right.currency

/**
 * A transfer that ended well: its currency, and the whole milliseconds from its own time to the end as this desk saw
 * it.
 */
export type TookTime = { currency: string; tookMs: number }

/** How long such transfers took: the one in the middle, the longest, and how many there are; whole milliseconds. */
export type UsualTime = { medianMs: number; longestMs: number; count: number }

/**
 * What transfers of this currency took before; null without any. Of an even count the median lies in the middle between
 * the two middle ones, rounded down to the millisecond. Other currencies say nothing: their networks have another pace.
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

/**
 * A deposit address as it is used: what money is sent to, and the tag or memo that must go with it, where there is one.
 */
type AddressParts = { address: string; tag: string | null }

/** `bitcoincash:` and its like: a word in small letters, and behind it what is far too long for a tag. */
const schemed = /^[a-z]+:[^:]{30,}$/

/**
 * Takes a tag apart from its address: the service writes it after a colon. In doubt it is a tag, for money that is sent
 * without one is lost; only the name of a scheme before a whole address belongs to it.
 */
export function addressParts(text: string): AddressParts {
  const at = text.lastIndexOf(':')
  const tag = text.slice(at + 1)
  const isTagged = at > 0 && tag !== '' && !schemed.test(text)
  return isTagged ? { address: text.slice(0, at), tag } : { address: text, tag: null }
}
