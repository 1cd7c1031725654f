import type { DraftedOrder } from '../../domain/orders/drafted-order.ts'

/** Drafts of orders on this machine, newest first; also those that ended lately. */
export type OrderDraftsSlice = { orderDrafts: readonly DraftedOrder[] }

export const startOrderDrafts: OrderDraftsSlice = { orderDrafts: [] }

/** What the machine keeps has changed: by this desk, another one, or a program that prepares. */
export type OrderDraftsEvent = { type: 'orderDraftsChanged'; drafts: readonly DraftedOrder[]; atMs: number }

/** The state with the drafts as they are kept now. */
export const reduceOrderDrafts = <State extends OrderDraftsSlice>(
  state: State,
  { drafts }: OrderDraftsEvent,
): State => ({
  ...state,
  orderDrafts: drafts,
})
