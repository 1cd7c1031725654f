import type { Fill } from '../domain/fill.ts'
import type { Order, OrderDraft } from '../domain/order.ts'
import type { WithdrawalRequest } from '../domain/transfer.ts'

/** An order request in one line: `BUY 0.05 BTC-USD LIMIT @ 64209.5 GTC`. */
export function describeDraft(draft: OrderDraft): string {
  const price = draft.limitPrice === null ? '' : ` @ ${draft.limitPrice}`
  const stop = draft.stopPrice === null ? '' : ` stop ${draft.stopPrice}`
  const time = draft.timeInForce === null ? '' : ` ${draft.timeInForce}`
  return `${draft.side} ${draft.orderQuantity} ${draft.symbol} ${draft.type}${stop}${price}${time}`
}

/** One execution in a line, with what it cost. */
export const describeFill = (fill: Fill): string =>
  `Fill ${fill.side} ${fill.quantity} ${fill.symbol} @ ${fill.price}, fee ${fill.fee}, order ${fill.orderId}.`

/** How an order ended, with what it filled. */
export function describeEnd(order: Order): string {
  const filled = order.cumQuantity.gt(0)
    ? `, filled ${order.cumQuantity} at ${order.averagePrice ?? '?'}`
    : ', nothing filled'
  const reason = order.text === null || order.text === '' ? '' : ` (${order.text})`
  return `Order ${order.orderId ?? order.clientOrderId} ${order.side} ${order.symbol} is ${order.status}${filled}${reason}.`
}

/** A withdrawal request in words: `0.5 BTC to wl-1`. */
export const describeWithdrawal = ({ amount, currency, beneficiary }: WithdrawalRequest): string =>
  `${amount === 'max' ? 'all' : amount} ${currency} to ${beneficiary}`
