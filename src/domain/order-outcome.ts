import type { Order } from './order.ts'
import type { Withdrawal } from './transfer.ts'

/** What became of a write. There is no fourth case: no answer is `unknown`, never "failed". */
export type OrderOutcome =
  | { kind: 'accepted'; order: Order }
  | { kind: 'rejected'; clientOrderId: string; reason: string }
  /** The order may be live. Look it up by client order id before offering a retry. */
  | { kind: 'unknown'; clientOrderId: string; reason: string }

export type CancelOutcome =
  | { kind: 'canceled'; orderId: string }
  /** The service answered that there is nothing to cancel: it had ended, or is not known. */
  | { kind: 'refused'; orderId: string; reason: string }
  | { kind: 'unknown'; orderId: string; reason: string }

export type CancelAllOutcome =
  | { kind: 'canceled'; symbol: string | null }
  | { kind: 'refused'; symbol: string | null; reason: string }
  | { kind: 'unknown'; symbol: string | null; reason: string }

export type WithdrawalOutcome =
  | { kind: 'accepted'; withdrawal: Withdrawal }
  /** `noTwoFactor`: the account has no two-factor authentication, without which no money leaves it. */
  | { kind: 'rejected'; reason: string; cause?: 'noTwoFactor' }
  /** The money may be on its way. It is looked for among the withdrawals; `key` names it until then. */
  | { kind: 'unknown'; key: string; reason: string }

/** Not a byte has left, so that nothing can have happened. */
export type NotSent = { kind: 'notSent'; reason: string }
