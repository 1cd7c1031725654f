import { formatPrice, formatQuantity } from '../../domain/instrument.ts'
import type { DeskState } from '../../store/state.ts'
import { useDesk, useTheme } from '../console-context.ts'
import { columnsLeast, rowsLeast } from '../layout.ts'
import { footLine } from '../panes/foot/foot-row.ts'
import { noticeRow } from '../panes/foot/notice-row.ts'
import { modeRow, venueSpan } from '../panes/header/header-row.ts'
import { type OrderItem, orderItems, quantities, stateWord } from '../panes/orders/order-items.ts'
import { cellText, cut, wrapWords } from '../text/cells.ts'
import { cursorMark, type Row, span } from '../text/row.ts'
import { windowOf } from '../text/window.ts'
import { Lines } from '../widgets/lines.tsx'
import { paintRows } from '../widgets/pane-frame.ts'
import { answerRow, haltQuestion, quitReasons } from './confirm.tsx'
import type { ScreenSize } from './dialog.tsx'

/** One order in as few words as will do; what identifies it comes last and is cut first. */
function orderLine(item: OrderItem, state: DeskState): string {
  const { order, key } = item
  if (order === null) return `${stateWord(item)} ${cellText(key)}`
  const instrument = state.instruments.value?.get(order.symbol)
  const { open, ordered } = quantities(item)
  const quantity = open ?? ordered
  const size =
    quantity === null ? '?' : instrument === undefined ? quantity.toFixed() : formatQuantity(quantity, instrument)
  const price = order.limitPrice
  const at =
    price === null ? order.type : `@ ${instrument === undefined ? price.toFixed() : formatPrice(price, instrument)}`
  return cellText(
    `${order.side} ${size} ${order.symbol} ${at} ${stateWord(item)} ${order.orderId ?? order.clientOrderId}`,
  )
}

function questionRows(state: DeskState, columns: number): Row[] | null {
  const { overlay } = state
  if (overlay?.kind !== 'halt' && overlay?.kind !== 'confirmQuit') return null
  const text =
    overlay.kind === 'confirmQuit' ? `Quit now? ${quitReasons(state).join(' ')}` : haltQuestion(state, overlay)
  return [...wrapWords(text, columns - 2).map((line): Row => [span(` ${line}`, 'warn')]), answerRow(overlay.kind)]
}

/** A page for a terminal the desk does not fit: the size it needs, and the working orders with the keys that cancel them. */
export function tooSmallRows(state: DeskState, { columns, rows }: ScreenSize): Row[] {
  const need = `This terminal has ${columns}x${rows} cells; the desk needs ${columnsLeast}x${rowsLeast}. Cancels work here:`
  const top: Row[] = [
    [...modeRow(state), ...venueSpan(state, 12), span(` ${cellText(state.symbol)}`)],
    ...wrapWords(need, columns - 2).map((line): Row => [span(` ${line}`, 'warn')]),
  ]
  const foot: Row[] = [noticeRow(state, columns), footLine(state, columns, true)]
  const room = Math.max(0, rows - top.length - foot.length)
  const question = questionRows(state, columns)
  const items = orderItems(state).filter(({ kind }) => kind !== 'ended')
  const chosenAt = items.findIndex(({ key }) => key === state.tables.views.orders.selectedKey)
  const list = windowOf(items, chosenAt, room).map((item): Row => {
    const isChosen = item.key === state.tables.views.orders.selectedKey
    return [cursorMark(isChosen), span(cut(orderLine(item, state), columns - 1), isChosen ? 'own' : 'text')]
  })
  const body = question ?? (items.length === 0 ? [[span(' No working orders.', 'dim')]] : list)
  const middle = Array.from({ length: room }, (_, index): Row => body[index] ?? [])
  return [...top, ...middle, ...foot].slice(-rows)
}

export function TooSmall({ screen }: { screen: ScreenSize }) {
  const theme = useTheme()
  const state = useDesk((whole) => whole)
  return <Lines lines={paintRows(tooSmallRows(state, screen), screen.columns, theme)} width={screen.columns} />
}
