import { amountsOf, type Instruments } from '../../domain/balance.ts'
import type { Fill } from '../../domain/orders/fills.ts'
import type { Order, OrderDraft } from '../../domain/orders/order.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'

/**
 * An order request in one line: `BUY 0.0500 BTC-USD LIMIT @ 64,209.50 GTC`. Amounts have the symbol's own decimals
 * where `instruments` has its rules, and every digit where it has not.
 */
export function describeDraft(draft: OrderDraft, instruments: Instruments): string {
  const show = amountsOf(draft.symbol, instruments)
  const price = draft.limitPrice === null ? '' : ` @ ${show.price(draft.limitPrice)}`
  const stop = draft.stopPrice === null ? '' : ` stop ${show.price(draft.stopPrice)}`
  const time = draft.timeInForce === null ? '' : ` ${draft.timeInForce}`
  return `${draft.side} ${show.quantity(draft.orderQuantity)} ${draft.symbol} ${draft.type}${stop}${price}${time}`
}

/** One execution in a line, with what it cost. */
export function describeFill(fill: Fill, instruments: Instruments): string {
  const show = amountsOf(fill.symbol, instruments)
  const what = `${fill.side} ${show.quantity(fill.quantity)} ${fill.symbol} @ ${show.price(fill.price)}`
  return `Fill ${what}, fee ${show.counter(fill.fee)}, order ${fill.orderId}.`
}

/** What an order has filled, as the end of a sentence about it. */
function filledText(order: Order, instruments: Instruments): string {
  const show = amountsOf(order.symbol, instruments)
  if (order.cumQuantity === null) return 'filled quantity unknown'
  const average = order.averagePrice === null ? '?' : show.average(order.averagePrice)
  return order.cumQuantity.gt(0) ? `filled ${show.quantity(order.cumQuantity)} at ${average}` : 'nothing filled'
}

/** An order that a cancel took back; `isOwn` false: it had been canceled before. */
export function describeCanceled(order: Order, isOwn: boolean, instruments: Instruments): string {
  const name = order.orderId ?? order.clientOrderId
  return `Order ${name} ${isOwn ? 'canceled' : 'was already canceled'}, ${filledText(order, instruments)}.`
}

/** How an order ended, with what it filled. */
export function describeEnd(order: Order, instruments: Instruments): string {
  const filled = `, ${filledText(order, instruments)}`
  const reason = order.text === null || order.text === '' ? '' : ` (${order.text})`
  return `Order ${order.orderId ?? order.clientOrderId} ${order.side} ${order.symbol} is ${order.status}${filled}${reason}.`
}

/** A withdrawal request in words: `0.5 BTC to wl-1`. */
export const describeWithdrawal = ({ amount, currency, beneficiary }: WithdrawalRequest): string =>
  `${amount === 'max' ? 'all' : amount} ${currency} to ${beneficiary}`
