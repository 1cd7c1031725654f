import type { Order } from '../../domain/order.ts'
import type { CancelTarget } from '../../store/palette/palette.ts'
import type { DeskState } from '../../store/state.ts'
import { useDesk } from '../console-context.ts'
import { keymapOf } from '../keys/rebinding.ts'
import { footEntries } from '../keys/shown-keys.ts'
import { alignOnPoint } from '../text/amounts.ts'
import { cellText, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { amountCells } from './amount-cells.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

const width = 64
const ordersMost = 8

const isMeant = (order: Order, target: CancelTarget): boolean =>
  target.kind === 'one' ? order.orderId === target.orderId : target.symbol === null || order.symbol === target.symbol

/** What is asked, in words. */
export function cancelQuestion(orders: readonly Order[], target: CancelTarget): string {
  if (target.kind === 'one')
    return orders.length === 0
      ? `No working order ${target.orderId} is known here; the exchange is asked to cancel it. Do it?`
      : `Cancel order ${target.orderId}?`
  const where = target.symbol === null ? 'every symbol' : target.symbol
  if (orders.length === 0) return `No working order in ${where} is known; the exchange is asked to cancel any. Do it?`
  return `Cancel ${orders.length === 1 ? 'your one working order' : `all ${orders.length} of your working orders`} in ${where}?`
}

/** The orders below each other, as in a table: amounts with their points in one column. */
function orderRows(orders: readonly Order[], instruments: DeskState['instruments']['value']): Row[] {
  const cells = orders.map((order) => amountCells(order, instruments?.get(order.symbol)))
  const quantities = alignOnPoint(cells.map(({ quantity }) => quantity))
  const prices = alignOnPoint(cells.map(({ price }) => price))
  const symbolWidth = Math.max(0, ...orders.map(({ symbol }) => cellText(symbol).length))
  return orders.map((order, at): Row => {
    const id = cellText(order.orderId ?? order.clientOrderId)
    const symbol = cellText(order.symbol).padEnd(symbolWidth)
    return [span(`   ${order.side.padEnd(5)}${quantities[at]} ${symbol} @ ${prices[at]}  ${id}`)]
  })
}

/** The question a sentence puts before orders are taken back: what would go, and the keys that answer. */
export function confirmCancelRows(state: DeskState, target: CancelTarget): Row[] {
  const orders = (state.orders.value ?? []).filter((order) => isMeant(order, target))
  const shown = orderRows(orders.slice(0, ordersMost), state.instruments.value)
  const more: Row[] = orders.length > ordersMost ? [[span(`   and ${orders.length - ordersMost} more`, 'label')]] : []
  const answers = footEntries(['confirmCancel'], keymapOf(state)).flatMap(({ keys, label, isDanger }) => [
    span(` ${keys}`, 'key'),
    span(` ${label}  `, isDanger ? 'warn' : 'label'),
  ])
  const question = wrapWords(cellText(cancelQuestion(orders, target)), width - 4).map((line): Row => [span(` ${line}`)])
  return [[], ...question, [], ...shown, ...more, ...(shown.length === 0 ? [] : [[]]), answers]
}

export function ConfirmCancelOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'confirmCancel') return null
  const rows = confirmCancelRows(state, state.overlay.target)
  const title = [span('Cancel?', 'warn')]
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}
