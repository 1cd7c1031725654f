import type { OrderDraft } from '../domain/order.ts'
import type { WithdrawalRequest } from '../domain/transfer.ts'
import type { WriteIntent } from '../journal/entry.ts'

/** An order in a line: `BUY 0.05 BTC-USD LIMIT @ 64209.5`. */
export function describeOrder(draft: OrderDraft): string {
  const price = draft.limitPrice === null ? '' : ` @ ${draft.limitPrice.toFixed()}`
  const stop = draft.stopPrice === null ? '' : ` stop ${draft.stopPrice.toFixed()}`
  return `${draft.side} ${draft.orderQuantity.toFixed()} ${draft.symbol} ${draft.type}${stop}${price}`
}

export const describeWithdrawal = ({ amount, currency, beneficiary }: WithdrawalRequest): string =>
  `${amount === 'max' ? 'all' : amount.toFixed()} ${currency} to ${beneficiary}`

/** What was to be sent, in words. */
export function describeIntent(intent: WriteIntent): string {
  switch (intent.kind) {
    case 'order':
      return `order ${describeOrder(intent.draft)} as ${intent.clientOrderId}`
    case 'cancel':
      return `cancel of order ${intent.orderId}`
    case 'cancelAll':
      return `cancel of all orders in ${intent.symbol ?? 'every symbol'}`
    case 'move':
      return `move of order ${intent.orderId} to ${describeOrder(intent.draft)} as ${intent.clientOrderId}`
    case 'withdrawal':
      return `withdrawal of ${describeWithdrawal(intent.request)}`
  }
}
