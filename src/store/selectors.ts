import type { Order } from '../domain/order.ts'
import type { DeskState } from './state.ts'

/** What identifies an order's row: the exchange's id once there is one. */
export const orderKey = (order: Order): string => order.orderId ?? order.clientOrderId

/** Keys of the rows of the orders pane from the top: unknown ones, then working ones. */
export const orderRowKeys = (state: DeskState): string[] => [
  ...state.unsettled.map((entry) => entry.key),
  ...(state.orders.value ?? []).map(orderKey),
]

/** The working order a row key stands for. */
export const workingOrder = (state: DeskState, key: string): Order | undefined =>
  (state.orders.value ?? []).find((order) => orderKey(order) === key)

/** An order is written, reviewed, moved or on its way: it has its place on screen. */
export const hasOrderForm = ({ ticket, move }: Pick<DeskState, 'ticket' | 'move'>): boolean =>
  ticket !== null || move !== null

/** The keys go to an order that is written, reviewed or moved. */
export const isAtOrder = ({ ticket, move }: Pick<DeskState, 'ticket' | 'move'>): boolean =>
  (ticket !== null && ticket.stage !== 'sending') || (move !== null && move.stage !== 'sending')
