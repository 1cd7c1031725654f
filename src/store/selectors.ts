import type { Order } from '../domain/orders/order.ts'
import type { DeskState } from './state.ts'

/** What the wall clock says as of the last tick: the day and hour that a person reads. */
export const wallNow = ({ nowMs, ahead }: Pick<DeskState, 'nowMs' | 'ahead'>): number => nowMs + ahead.wallMs

/** What the exchange's clock says as of the last tick: for what the exchange has dated, and for its day. */
export const exchangeNow = ({ nowMs, ahead }: Pick<DeskState, 'nowMs' | 'ahead'>): number => nowMs + ahead.exchangeMs

/** How far the exchange's clock is ahead of the wall clock; null while it is not known. */
export const wallSkewMs = ({
  connection: { skewMs },
  ahead,
}: Pick<DeskState, 'connection' | 'ahead'>): number | null => (skewMs === null ? null : skewMs - ahead.wallMs)

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
