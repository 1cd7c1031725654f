import type { Order } from './order.ts'

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
