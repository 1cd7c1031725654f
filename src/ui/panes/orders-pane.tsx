import { memo } from 'react'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { ageMs, isStale } from '../../store/feeds/feed.ts'
import { type Binding, withKeys } from '../tables/key-bindings.ts'
import { useBindings } from '../tables/key-context.ts'
import { orderItems, ordersContext } from '../tables/order-items.ts'
import { ordersList } from '../tables/orders-table.ts'
import { cellText } from '../text/cells.ts'
import { useDesk, useFeed } from '../text/desk-context.ts'
import { wholeAgeText } from '../text/moment.ts'
import { type Row, span } from '../text/row.ts'
import {
  type ListContent,
  type PaneProps,
  PaneView,
  staleNote,
  useRawRows,
  waitingNote,
  withRawRows,
  words,
} from './pane-view.tsx'

type OrdersState = Pick<
  DeskState,
  'orders' | 'unsettled' | 'endedOrders' | 'orderHistory' | 'tables' | 'instruments' | 'ownDrafts' | 'nowMs' | 'ahead'
>

const howToOrder = 'In the ladder ({focusLadder}), {cursorDown} and {cursorUp} move, {buy} buys and {sell} sells there.'

/** What an empty list says: no more than was seen, for ended orders are only asked for when somebody looks. */
function noOrders({ orderHistory: { reach, call } }: Pick<DeskState, 'orderHistory'>): string {
  if (call.kind === 'asking') return 'No working orders. Loading ended ones…'
  if (call.kind === 'failed')
    return `No working orders. Ended ones did not load: ${call.sentence.replace(/\.$/, '')}. {pageDown} tries again.`
  if (reach === 'all') return `No orders yet. ${howToOrder}`
  return `No working orders. {focusOrders} loads ended ones. ${howToOrder}`
}

/** How far back the ended orders go, and how old that is; in the lower border. */
export function historyNote({
  orderHistory: { reach, call, atMs },
  nowMs,
}: Pick<OrdersState, 'orderHistory' | 'nowMs'>): Row {
  if (call.kind === 'asking') return [span('asking for older ones…', 'label')]
  if (call.kind === 'failed') return [span(`older ones did not load: ${cellText(call.sentence)}`, 'warn')]
  if (reach === 'none' || atMs === null) return []
  const age = wholeAgeText(ageMs({ value: null, atMs, failure: null }, nowMs) ?? 0)
  const extent = { some: 'more with End', all: 'all there are', most: 'as many as are kept' }[reach]
  return [span(`history ${age} old, ${extent}`, 'label')]
}

/** What the orders pane lists in `rowCount` lines of `width` cells, the names of the columns among them. */
export function ordersContent(
  state: OrdersState,
  bindings: readonly Binding[],
  width: number,
  rowCount: number,
): ListContent {
  const { orders, nowMs, tables } = state
  const items = orderItems(state)
  const stale = staleNote(orders, 'orders', nowMs)
  if (items.length === 0) {
    const sentence = orders.value === null ? waitingNote('your orders', orders) : withKeys(noOrders(state), bindings)
    return { note: stale, rows: words(sentence, width), isStale: false }
  }
  const view = tables.views.orders
  const context = ordersContext(state)
  const isTyping = tables.typing === 'orders'
  const size = { width, rowCount, nowMs: wallNow(state) }
  const { note, foot, rows } = ordersList.draw({ items, context, view, isTyping, ...size })
  const history = historyNote(state)
  return {
    note: [...note, ...stale],
    rows,
    isStale: isStale(orders, 'orders', nowMs),
    foot: foot.length > 0 && history.length > 0 ? [...foot, span(' · ', 'label'), ...history] : [...foot, ...history],
  }
}

export const OrdersPane = memo(function OrdersPane(props: PaneProps) {
  const orders = useFeed('orders', (state) => state.orders)
  const unsettled = useDesk((state) => state.unsettled)
  const endedOrders = useDesk((state) => state.endedOrders)
  const orderHistory = useDesk((state) => state.orderHistory)
  const tables = useDesk((state) => state.tables)
  const instruments = useFeed('instruments', (state) => state.instruments)
  const ownDrafts = useDesk((state) => state.ownDrafts)
  const bindings = useBindings()
  // Ages are shown to the second: what changes within one draws nothing. Where motion is reduced they step more slowly.
  const stepMs = useDesk((state) => (state.looks.isMotionReduced ? 10_000 : 1_000))
  const nowMs = useDesk((state) => Math.floor(state.nowMs / stepMs) * stepMs)
  const ahead = useDesk((state) => state.ahead)
  const own = { orders, unsettled, endedOrders, orderHistory, ownDrafts }
  const state = { ...own, tables, instruments, nowMs, ahead }
  const raw = useRawRows('orders', props.width - 2)
  const content = ordersContent(state, bindings, props.width - 2, props.height - 2 - raw.length)
  return <PaneView {...props} pane="orders" content={withRawRows(content, raw)} />
})
