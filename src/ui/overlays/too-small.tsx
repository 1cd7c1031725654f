import { formatQuantity } from '../../domain/instrument.ts'
import type { DeskState } from '../../store/state.ts'
import { useDesk, useTheme } from '../console-context.ts'
import { columnsLeast, rowsLeast } from '../layout.ts'
import { waitingNote } from '../panes/feed-note.ts'
import { footLine } from '../panes/foot/foot-row.ts'
import { noticeRow } from '../panes/foot/notice-row.ts'
import { modeRow, venueSpan } from '../panes/header/header-row.ts'
import { type OrderItem, orderItems, quantities, stateWord } from '../panes/orders/order-items.ts'
import { ordersContext } from '../panes/orders/orders-context.ts'
import { inSymbol, priceText } from '../panes/orders/orders-rows.ts'
import { cellText, cutWords, nameText, wrapWords } from '../text/cells.ts'
import { cursorMark, type Row, span } from '../text/row.ts'
import { windowOf } from '../text/window.ts'
import { Lines } from '../widgets/lines.tsx'
import { paintRows } from '../widgets/pane-frame.ts'
import { haltAnswers, haltQuestion, quitAnswers, quitWords } from './confirm.tsx'
import type { ScreenSize } from './dialog.tsx'

/** One order in as few words as will do; what identifies it comes first and is never cut. */
function orderLine(item: OrderItem, state: DeskState): string {
  const { order, key } = item
  if (order === null) return `${stateWord(item)} ${cellText(key)}`
  const context = ordersContext(state)
  const { open, ordered } = quantities(item, context.drafts)
  const quantity = open ?? ordered
  const size = quantity === null ? '?' : inSymbol(context, order.symbol, quantity, formatQuantity)
  const price = priceText(item, context)
  const at = price === 'market' ? order.type : order.limitPrice === null ? `${order.type} ${price}` : `@ ${price}`
  const id = order.orderId ?? order.clientOrderId
  return cellText(`${id} ${order.side} ${size} ${nameText(order.symbol)} ${at} ${stateWord(item)}`)
}

function questionRows(state: DeskState, columns: number): Row[] | null {
  const { overlay } = state
  if (overlay?.kind !== 'halt' && overlay?.kind !== 'confirmQuit') return null
  const isQuit = overlay.kind === 'confirmQuit'
  const text = isQuit ? `Quit now? ${quitWords(state).join(' ')}` : haltQuestion(state, overlay)
  const answers = isQuit ? quitAnswers(state) : haltAnswers(state)
  return [...wrapWords(text, columns - 2).map((line): Row => [span(` ${line}`, 'warn')]), answers]
}

/** A page for a terminal the desk does not fit: the size it needs, and the working orders with the keys that cancel them. */
export function tooSmallRows(state: DeskState, { columns, rows }: ScreenSize): Row[] {
  const need = `This terminal has ${columns}x${rows} cells; the desk needs ${columnsLeast}x${rowsLeast}. Cancels work here:`
  const top: Row[] = [
    [...modeRow(state), ...venueSpan(state, 12), span(` ${nameText(state.symbol)}`)],
    ...wrapWords(need, columns - 2).map((line): Row => [span(` ${line}`, 'warn')]),
  ]
  const foot: Row[] = [noticeRow(state, columns), footLine(state, columns, true)]
  const room = Math.max(0, rows - top.length - foot.length)
  const question = questionRows(state, columns)
  const items = orderItems(state).filter(({ kind }) => kind !== 'ended')
  const chosenAt = items.findIndex(({ key }) => key === state.tables.views.orders.selectedKey)
  const list = windowOf(items, chosenAt, room).map((item): Row => {
    const isChosen = item.key === state.tables.views.orders.selectedKey
    return [cursorMark(isChosen), span(cutWords(orderLine(item, state), columns - 1), isChosen ? 'own' : 'text')]
  })
  // Before the orders have answered nobody knows that there are none.
  const none = state.orders.value === null ? waitingNote('your orders', state.orders) : 'No working orders.'
  const empty = wrapWords(none, columns - 2).map((line): Row => [span(` ${line}`, 'dim')])
  const body = question ?? (items.length === 0 ? empty : list)
  const middle = Array.from({ length: room }, (_, index): Row => body[index] ?? [])
  return [...top, ...middle, ...foot].slice(-rows)
}

export function TooSmall({ screen }: { screen: ScreenSize }) {
  const theme = useTheme()
  const state = useDesk((whole) => whole)
  return <Lines lines={paintRows(tooSmallRows(state, screen), screen.columns, theme)} width={screen.columns} />
}
