import { memo } from 'react'
import { isStale } from '../../../store/feed.ts'
import type { DeskState } from '../../../store/state.ts'
import { useDesk } from '../../console-context.ts'
import { windowOf } from '../../text/window.ts'
import { staleNote, waitingNote } from '../feed-note.ts'
import { type ListContent, type PaneProps, PaneView, words } from '../pane-view.tsx'
import { orderItems } from './order-items.ts'
import { noOrders, ordersRows } from './orders-rows.ts'

type OrdersState = Pick<
  DeskState,
  'orders' | 'unsettled' | 'endedOrders' | 'selectedOrderKey' | 'instruments' | 'nowMs'
>

/** What the orders pane lists in `rowCount` lines of `width` cells, the names of the columns among them. */
export function ordersContent(state: OrdersState, width: number, rowCount: number): ListContent {
  const { orders, nowMs, selectedOrderKey } = state
  const note = staleNote(orders, 'orders', nowMs)
  const items = orderItems(state)
  if (items.length === 0) {
    const isWaiting = orders.value === null
    return { note, rows: isWaiting ? words(waitingNote('your orders', orders)) : noOrders, isStale: false }
  }
  const chosenAt = items.findIndex(({ key, kind }) => kind !== 'ended' && key === selectedOrderKey)
  const chosenKey = chosenAt === -1 ? null : selectedOrderKey
  const shown = windowOf(items, chosenAt, rowCount - 1)
  const instruments = state.instruments.value ?? new Map()
  const rows = ordersRows({ items: shown, chosenKey, instruments, nowMs, width })
  const last = shown.at(-1)
  const below = last === undefined ? 0 : items.length - items.indexOf(last) - 1
  const foot = below > 0 ? { foot: [{ text: `${below} more below`, tone: 'label' as const }] } : {}
  return { note, rows, isStale: isStale(orders, 'orders', nowMs), ...foot }
}

export const OrdersPane = memo(function OrdersPane(props: PaneProps) {
  const orders = useDesk((state) => state.orders)
  const unsettled = useDesk((state) => state.unsettled)
  const endedOrders = useDesk((state) => state.endedOrders)
  const selectedOrderKey = useDesk((state) => state.selectedOrderKey)
  const instruments = useDesk((state) => state.instruments)
  // Ages are shown to the second: what changes within one draws nothing.
  const nowMs = useDesk((state) => Math.floor(state.nowMs / 1000) * 1000)
  const state = { orders, unsettled, endedOrders, selectedOrderKey, instruments, nowMs }
  return <PaneView {...props} pane="orders" content={ordersContent(state, props.width - 2, props.height - 2)} />
})
