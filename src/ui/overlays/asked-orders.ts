import { formatQuantity } from '../../domain/market/instrument.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { DeskState } from '../../store/desk.ts'
import type { KeyEntry } from '../key-help.ts'
import { quantities } from '../panes/orders/order-items.ts'
import { type OrdersContext, ordersContext } from '../panes/orders/orders-context.ts'
import { inSymbol, priceText } from '../panes/orders/orders-rows.ts'
import { alignOnPoint } from '../text/amounts.ts'
import { cellText, nameText } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'

/**
 * A working order as questions name it: of a stop that waits quantity and trigger as they were asked for; `?` is not
 * known.
 */
export type AskedOrder = { side: string; open: string; symbol: string; type: string; price: string; id: string }

function askedOrder(order: Order, context: OrdersContext): AskedOrder {
  const item = { kind: 'working', order } as const
  const { open } = quantities(item, context.drafts)
  return {
    side: order.side,
    open: open === null ? '?' : inSymbol(context, order.symbol, open, formatQuantity),
    symbol: nameText(order.symbol),
    type: order.type,
    price: priceText(item, context),
    id: cellText(order.orderId ?? order.clientOrderId),
  }
}

export type AskingState = Pick<DeskState, 'instruments' | 'ownDrafts' | 'ahead'>

/** The orders of a question below each other: amounts with their points in one column, words of one width. */
export function askedOrders(orders: readonly Order[], state: AskingState): AskedOrder[] {
  const context = ordersContext(state)
  const asked = orders.map((order) => askedOrder(order, context))
  const widest = (name: keyof AskedOrder) => Math.max(0, ...asked.map((each) => each[name].length))
  const [open, prices] = [alignOnPoint(asked.map((each) => each.open)), alignOnPoint(asked.map(({ price }) => price))]
  return asked.map((each, at) => ({
    ...each,
    side: each.side.padEnd(widest('side')),
    symbol: each.symbol.padEnd(widest('symbol')),
    type: each.type.padEnd(widest('type')),
    id: each.id.padEnd(widest('id')),
    open: open[at] ?? '',
    price: prices[at] ?? '',
  }))
}

/** The same as lines, `most` of them and how many more there are. */
export function askedOrderRows(orders: readonly Order[], state: AskingState, most: number): Row[] {
  const rows = askedOrders(orders.slice(0, most), state).map(
    ({ side, open, symbol, type, price, id }): Row => [span(`   ${id}  ${side} ${open} ${symbol} ${type} ${price}`)],
  )
  return orders.length > most ? [...rows, [span(`   and ${orders.length - most} more`, 'label')]] : rows
}

/** The question about all working orders of a place such as `BTC-USD`; null: they have not answered yet. */
export function cancelAllWords(count: number | null, where: string): string {
  if (count === null) return `Cancel any working orders in ${where}? They are not loaded yet.`
  if (count === 0) return `Cancel any working orders in ${where}? None is listed here.`
  return count === 1 ? `Cancel your working order in ${where}?` : `Cancel all ${count} working orders in ${where}?`
}

/** The keys that answer a question. */
export const answersRow = (entries: readonly KeyEntry[]): Row =>
  entries.flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}  `, isDanger ? 'warn' : 'label'),
  ])
