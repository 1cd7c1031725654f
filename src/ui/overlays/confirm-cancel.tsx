import type { Order } from '../../domain/orders/order.ts'
import type { DeskState } from '../../store/desk.ts'
import type { CancelTarget } from '../../store/palette/palette.ts'
import { useDesk } from '../console-context.ts'
import { keymapOf } from '../keys/rebinding.ts'
import { footEntries } from '../keys/shown-keys.ts'
import { cellText, nameText, wrapWords } from '../text/cells.ts'
import { type Row, rowWidth, span } from '../text/row.ts'
import { answersRow, askedOrderRows, cancelAllWords } from './asked-orders.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

const width = 64
const ordersMost = 8

const isMeant = (order: Order, target: CancelTarget): boolean =>
  target.kind === 'one' ? order.orderId === target.orderId : target.symbol === null || order.symbol === target.symbol

/** What is asked, in words; `orders` are those that are meant, null before the list has answered. */
export function cancelQuestion(orders: readonly Order[] | null, target: CancelTarget): string {
  if (target.kind === 'all')
    return cancelAllWords(orders?.length ?? null, target.symbol === null ? 'every symbol' : nameText(target.symbol, 40))
  if (orders === null) return `Cancel order ${target.orderId}? Your orders are not loaded yet.`
  return orders.length === 0
    ? `Cancel order ${target.orderId}? It is not among the working orders listed here.`
    : `Cancel order ${target.orderId}?`
}

/** The question a sentence puts before orders are canceled: which ones, and the keys that answer. */
export function confirmCancelRows(state: DeskState, target: CancelTarget): Row[] {
  const orders = state.orders.value?.filter((order) => isMeant(order, target)) ?? null
  const shown = askedOrderRows(orders ?? [], state, ordersMost)
  const question = wrapWords(cellText(cancelQuestion(orders, target)), width - 4).map((line): Row => [span(` ${line}`)])
  const answers = answersRow(footEntries(['confirmCancel'], keymapOf(state)))
  return [[], ...question, [], ...shown, ...(shown.length === 0 ? [] : [[]]), answers]
}

export function ConfirmCancelOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'confirmCancel') return null
  const rows = confirmCancelRows(state, state.overlay.target)
  // An id that is cut would be another id: the box grows with its lines.
  const wide = Math.max(width, ...rows.map((row) => rowWidth(row) + 3))
  return <Dialog title={[span('Cancel?', 'warn')]} rows={rows} width={wide} height={rows.length + 2} screen={screen} />
}
