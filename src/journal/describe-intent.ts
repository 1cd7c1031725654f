import { type AmountScales, amountsIn, type WriteAmount } from '../domain/balance.ts'
import { draftText, type OrderDraft, scopeText } from '../domain/orders/order.ts'
import { withdrawalText } from '../domain/transfers/transfer.ts'
import type { WriteIntent } from './entry.ts'

/** What was to be sent, in words; prices with commas unless `write` writes them otherwise. */
export function describeIntent(intent: WriteIntent, write?: WriteAmount): string {
  switch (intent.kind) {
    case 'order':
      return `order ${textOf(intent, write)} as ${intent.clientOrderId}`
    case 'move':
      return `move of order ${intent.orderId} to ${textOf(intent, write)} as ${intent.clientOrderId}`
    case 'cancel':
      return `cancel of order ${intent.orderId}`
    case 'cancelAll':
      return `cancel of all orders in ${scopeText(intent.symbol)}`
    case 'withdrawal':
      return `withdrawal of ${withdrawalText(intent.request)}`
  }
}

/** The same where the id of an order has been said: `order: BUY 0.05 BTC-USD …`. */
export function termsOf(intent: WriteIntent): string {
  switch (intent.kind) {
    case 'order':
      return `order: ${textOf(intent, undefined)}`
    case 'move':
      return `move of order ${intent.orderId}: ${textOf(intent, undefined)}`
    default:
      return describeIntent(intent)
  }
}

type Described = { draft: OrderDraft; scales?: AmountScales | undefined }

/** The order in a line, with every digit where the symbol's decimals are not known. */
const textOf = ({ draft, scales }: Described, write: WriteAmount | undefined): string =>
  draftText(draft, amountsIn(scales, write))

/** The same in few words: enough to find it by. */
export function nameIntent(intent: WriteIntent): string {
  switch (intent.kind) {
    case 'order':
      return `order ${intent.clientOrderId}`
    case 'move':
      return `move of order ${intent.orderId} as ${intent.clientOrderId}`
    default:
      return describeIntent(intent)
  }
}
