import type { Decimal } from '../money.ts'
import type { Deposit, WhitelistEntry, Withdrawal } from '../transfer.ts'

const sameAmount = (left: Decimal | null, right: Decimal | null): boolean =>
  left === null || right === null ? left === right : left.eq(right)

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
