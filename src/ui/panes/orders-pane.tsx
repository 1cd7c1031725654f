import { memo, useCallback } from 'react'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { isStale } from '../../store/feeds/feed.ts'
import { isOrderListWhole, noOrdersListed } from '../../store/feeds/feeds.ts'
import { waitingOrders } from '../../store/order-drafts/order-drafts.ts'
import { type Binding, withKeys } from '../tables/key-bindings.ts'
import { useBindings } from '../tables/key-context.ts'
import { ordersSource } from '../tables/orders-table.ts'
import { ageTime, shownFeed } from '../text/desk-context.ts'
import { wholeAgeText } from '../text/moment.ts'
import { joined, type Row, span } from '../text/row.ts'
import { historyNote, type ListContent, type PaneProps, PaneView, says, staleNote, waitingNote } from './pane-view.tsx'

type OrdersState = Pick<
  DeskState,
  | 'orders'
  | 'unreadable'
  | 'unknownWrites'
  | 'endedOrders'
  | 'orderHistory'
  | 'tables'
  | 'looks'
  | 'instruments'
  | 'ownDrafts'
  | 'orderDrafts'
  | 'plans'
  | 'nowMs'
  | 'ahead'
  | 'reboundKeys'
>

const howToOrder =
  '{buy} buys at the bid, {sell} sells at the ask; in the ladder {cursorDown} and {cursorUp} point at another price.'

/** The sentence for an empty list. It claims only what was seen: ended orders are loaded only once the user looks. */
function noOrders(state: Pick<DeskState, 'orderHistory' | 'unreadable'>): string {
  const { reach, call } = state.orderHistory
  const none = noOrdersListed(state)
  if (call.kind === 'asking') return `${none}. Loading ended ones…`
  if (call.kind === 'failed')
    return `${none}. Ended ones did not load: ${call.sentence.replace(/\.$/, '')}. {pageDown} tries again.`
  if (reach === 'all') return `${isOrderListWhole(state) ? 'No orders yet' : none}. ${howToOrder}`
  return `${none}. {focusOrders} loads ended ones. ${howToOrder}`
}

/** Age and length of the list of ended orders, for the lower border. */
export function endedNote({
  orderHistory,
  reboundKeys,
  nowMs,
}: Pick<OrdersState, 'orderHistory' | 'reboundKeys' | 'nowMs'>): Row {
  const { atMs } = orderHistory
  return historyNote(
    orderHistory,
    reboundKeys,
    atMs === null ? '' : `history ${wholeAgeText(Math.max(0, nowMs - atMs))} old, `,
  )
}

/** How many drafts wait for the user, beside the pane's name. */
function draftsNote({ orderDrafts }: Pick<OrdersState, 'orderDrafts'>): Row {
  const { length } = waitingOrders(orderDrafts)
  return length === 0 ? [] : [span(`  ${length} ${length === 1 ? 'draft' : 'drafts'}`, 'own')]
}

/** The orders pane's list in `rowCount` lines of `width` cells, column heads included. */
export function ordersContent(
  state: OrdersState,
  bindings: readonly Binding[],
  width: number,
  rowCount: number,
): ListContent {
  const { orders, nowMs } = state
  const stale = staleNote(orders, 'orders', nowMs)
  if (ordersSource.isEmpty(state)) {
    const isWaiting = orders.value === null
    return says(isWaiting ? waitingNote('your orders', orders) : withKeys(noOrders(state), bindings), stale, width)
  }
  const { note, foot, rows } = ordersSource.draw(state, { width, rowCount, nowMs: wallNow(state) })
  return {
    note: [...note, ...draftsNote(state), ...stale],
    rows,
    isStale: isStale(orders, 'orders', nowMs),
    foot: joined(' · ', [foot, endedNote(state)]),
  }
}

function selectOrders(state: DeskState): OrdersState {
  const {
    unknownWrites,
    endedOrders,
    orderHistory,
    ownDrafts,
    orderDrafts,
    plans,
    tables,
    looks,
    ahead,
    reboundKeys,
    unreadable,
    nowMs,
  } = state
  return {
    ...{ unknownWrites, endedOrders, orderHistory, ownDrafts, orderDrafts, plans, tables, looks, ahead, reboundKeys },
    unreadable,
    orders: shownFeed(state.orders, 'orders', nowMs),
    instruments: shownFeed(state.instruments, 'instruments', nowMs),
    nowMs: ageTime(state),
  }
}

export const OrdersPane = memo(function OrdersPane(props: PaneProps) {
  const bindings = useBindings()
  const content = useCallback(
    (source: OrdersState, width: number, rowCount: number) => ordersContent(source, bindings, width, rowCount),
    [bindings],
  )
  return <PaneView {...props} pane="orders" feed="orders" select={selectOrders} content={content} />
})
