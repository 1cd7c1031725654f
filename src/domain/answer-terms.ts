import type { Decimal } from './money.ts'
import { type Order, type OrderDraft, orderQuantity } from './order.ts'
import type { Withdrawal, WithdrawalRequest } from './transfer.ts'

/** A field of an answer that is not what was sent: by the wire's name, with both values as text. */
export type Mismatch = { field: string; sent: string; answered: string }

const differs = (field: string, sent: string, answered: string): Mismatch[] =>
  sent === answered ? [] : [{ field, sent, answered }]

/** What an answer leaves out says nothing. */
const amountDiffers = (field: string, sent: Decimal | null, answered: Decimal | null): Mismatch[] =>
  sent === null || answered === null || sent.eq(answered)
    ? []
    : [{ field, sent: sent.toFixed(), answered: answered.toFixed() }]

/**
 * Where an order that the service reports is not the one that was sent; empty when it is. Which of our writes an answer
 * belongs to is not the service's to decide: id, symbol, side, quantity and limit price have to agree, as far as the
 * report tells them.
 */
export function orderMismatches(sent: OrderDraft & { clientOrderId: string }, answered: Order): Mismatch[] {
  const quantity = orderQuantity(answered)
  return [
    ...differs('clOrdId', sent.clientOrderId, answered.clientOrderId),
    ...differs('symbol', sent.symbol, answered.symbol),
    ...differs('side', sent.side, answered.side),
    ...amountDiffers('orderQty', sent.orderQuantity, quantity),
    ...(quantity === null && answered.cumQuantity?.gt(sent.orderQuantity) === true
      ? [{ field: 'cumQty', sent: `at most ${sent.orderQuantity.toFixed()}`, answered: answered.cumQuantity.toFixed() }]
      : []),
    ...amountDiffers('price', sent.limitPrice, answered.limitPrice),
  ]
}

/** The same for a withdrawal. Of "everything" any amount may have come. */
export function withdrawalMismatches(sent: WithdrawalRequest, answered: Withdrawal): Mismatch[] {
  return [
    ...differs('currency', sent.currency, answered.currency),
    ...differs('beneficiary', sent.beneficiary, answered.beneficiary),
    ...(sent.amount === 'max' ? [] : amountDiffers('amount', sent.amount, answered.amount)),
  ]
}

/** Both sides of what does not agree, as a clause: `sent side BUY, answered SELL; sent orderQty 0.05, answered 1`. */
export const mismatchText = (mismatches: readonly Mismatch[]): string =>
  mismatches.map(({ field, sent, answered }) => `sent ${field} ${sent}, answered ${answered}`).join('; ')
