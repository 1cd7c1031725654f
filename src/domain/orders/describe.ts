import { amountsOf, type Instruments } from '../market/amounts.ts'
import type { Fill } from './fills.ts'
import { draftText, type Order, type OrderDraft, orderName } from './order.ts'

/**
 * An order request in one line: `BUY 0.0500 BTC-USD LIMIT @ 64,209.50 GTC`. Amounts have the symbol's own decimals
 * where `instruments` has its rules, and every digit where it has not.
 */
export function describeDraft(draft: OrderDraft, instruments: Instruments): string {
  const time = draft.timeInForce === null ? '' : ` ${draft.timeInForce}`
  return draftText(draft, amountsOf(draft.symbol, instruments)) + time
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
  return `Order ${orderName(order)} ${isOwn ? 'canceled' : 'was already canceled'}, ${filledText(order, instruments)}.`
}

/** How an order ended, with what it filled. */
export function describeEnd(order: Order, instruments: Instruments): string {
  const filled = `, ${filledText(order, instruments)}`
  const reason = order.text === null || order.text === '' ? '' : ` (${order.text})`
  return `Order ${orderName(order)} ${order.side} ${order.symbol} is ${order.status}${filled}${reason}.`
}
