import { type AmountScales, amountsIn, type WriteAmount } from '../../domain/balance.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import type { WriteIntent } from '../../journal/entry.ts'

/**
 * An order in a line: `BUY 0.0500 BTC-USD LIMIT @ 64,209.50`, with every digit where the symbol's decimals are not
 * known.
 */
function describeOrder(draft: OrderDraft, scales: AmountScales | undefined, write: WriteAmount | undefined): string {
  const show = amountsIn(scales, write)
  const price = draft.limitPrice === null ? '' : ` @ ${show.price(draft.limitPrice)}`
  const stop = draft.stopPrice === null ? '' : ` stop ${show.price(draft.stopPrice)}`
  return `${draft.side} ${show.quantity(draft.orderQuantity)} ${draft.symbol} ${draft.type}${stop}${price}`
}

export const describeWithdrawal = ({ amount, currency, beneficiary }: WithdrawalRequest): string =>
  `${amount === 'max' ? 'all' : amount.toFixed()} ${currency} to ${beneficiary}`

/** What was to be sent, in words; prices with commas unless `write` writes them otherwise. */
export function describeIntent(intent: WriteIntent, write?: WriteAmount): string {
  switch (intent.kind) {
    case 'order':
      return `order ${describeOrder(intent.draft, intent.scales, write)} as ${intent.clientOrderId}`
    case 'cancel':
      return `cancel of order ${intent.orderId}`
    case 'cancelAll':
      return `cancel of all orders in ${intent.symbol ?? 'every symbol'}`
    case 'move':
      return `move of order ${intent.orderId} to ${describeOrder(intent.draft, intent.scales, write)} as ${intent.clientOrderId}`
    case 'withdrawal':
      return `withdrawal of ${describeWithdrawal(intent.request)}`
  }
}
